// Collectives that are started once, by functions of the world: `world.broadcast_async(values)`.
// docs/collectives.md explains them with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/collective_options.hpp>
#include <boxcar/detail/collective_operation.hpp>
#include <boxcar/detail/combination_of_elements.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {
class collective_channel;
class started_collectives;
}  // namespace detail

// The handle of a run that a PE has started. Functions are local, belong to the PE's thread, and
// throw world_error if the world has failed. Movable; a moved-from handle may only be destroyed or
// assigned to. A handle destroyed before its end was told gives nothing to the PE. The run goes on
// for other PEs and needs no memory of the program any more, except memory referred to by a
// combining function, until the world ends. If an exception destroys the handle before the end was
// told, the function of the run is not called any more, and the run never ends. Precondition of the
// destruction: the world exists, and the PE's thread destroys the handle.
class [[nodiscard]] collective_run {
 public:
  collective_run(collective_run&& other) noexcept;
  collective_run& operator=(collective_run&& other) noexcept;
  ~collective_run();

  // Returns whether the run has ended on the PE: the results are there. Until then the memory of
  // the results must live, and must not be touched; the input was read at the start.
  [[nodiscard]] bool test();
  // Returns when the run has ended. Serves other PEs meanwhile.
  void wait();

  // Returns the algorithm, the reason, and the backend. Waits until the kind of the run is made
  // (world.hpp).
  [[nodiscard]] std::string explain() const;

  // Returns an identity of the world, by which coroutines tell runs of different worlds apart.
  [[nodiscard]] const void* owner() const;

 private:
  friend detail::started_collectives;
  // Long arrays go piece by piece, in this order.
  struct piece {
    std::shared_ptr<detail::collective_channel> channel;
    std::uint64_t number;
  };
  explicit collective_run(std::vector<piece> pieces) : pieces_(std::move(pieces)) {}
  void require_pieces(const char* operation) const;
  void abandon() noexcept;
  // Passes on the exception of `action`, after which no later piece can end.
  template <typename Action>
  auto with_piece(const Action& action);

  std::vector<piece> pieces_;  // empty: moved from
  std::size_t ended_ = 0;      // pieces
};

namespace detail {
// The arguments of a collective that a PE starts.
struct collective_start {
  collective_operation kind;
  std::span<const std::byte> in = {};
  std::span<std::byte> out = {};
  type_identity type = {};
  combination_of_elements how = {};
  int root = 0;
  std::span<const std::byte> first = {};  // exclusive scan
};

[[nodiscard]] collective_run start(world& w, collective_start what,
                                   const collective_options& options);

// Describes a collective that combines elements.
template <typename T, std::size_t N, typename From, std::size_t M, typename Combine>
collective_start combining(collective_operation kind, std::span<From, M> in, std::span<T, N> out,
                           Combine combine) {
  static_assert(require_element<T>());
  return {.kind = kind,
          .in = std::as_bytes(in),
          .out = writable(out),
          .type = identity_of<T>,
          .how = combination_by<T>(std::move(combine))};
}
// Describes a collective that only moves elements.
template <typename T, std::size_t N, typename From, std::size_t M>
collective_start moving(collective_operation kind, std::span<From, M> in, std::span<T, N> out,
                        int root = 0) {
  static_assert(require_element<T>());
  return {.kind = kind,
          .in = std::as_bytes(in),
          .out = writable(out),
          .type = identity_of<T>,
          .how = {.element_bytes = sizeof(T)},
          .root = root};
}
}  // namespace detail

template <typename T, std::size_t N>
collective_run world::broadcast_async(std::span<T, N> values, int root,
                                      const collective_options& options) {
  return detail::start(
      *this, detail::moving(detail::collective_operation::broadcast, values, values, root),
      options);
}
template <typename From, std::size_t N, typename T, std::size_t M, typename Combine>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::reduce_async(std::span<From, N> mine, std::span<T, M> result, int root,
                                   Combine combine, const collective_options& options) {
  auto what = detail::combining(detail::collective_operation::reduce, mine, result, combine);
  what.root = root;
  return detail::start(*this, std::move(what), options);
}
template <typename From, std::size_t N, typename T, std::size_t M, typename Combine>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::all_reduce_async(std::span<From, N> mine, std::span<T, M> result,
                                       Combine combine, const collective_options& options) {
  return detail::start(
      *this, detail::combining(detail::collective_operation::all_reduce, mine, result, combine),
      options);
}
template <typename From, std::size_t N, typename T, std::size_t M, typename Combine>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::reduce_scatter_async(std::span<From, N> all, std::span<T, M> result,
                                           Combine combine, const collective_options& options) {
  return detail::start(
      *this, detail::combining(detail::collective_operation::reduce_scatter, all, result, combine),
      options);
}
template <typename From, std::size_t N, typename T, std::size_t M>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::scatter_async(std::span<From, N> all, std::span<T, M> mine, int root,
                                    const collective_options& options) {
  return detail::start(
      *this, detail::moving(detail::collective_operation::scatter, all, mine, root), options);
}
template <typename From, std::size_t N, typename T, std::size_t M>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::gather_async(std::span<From, N> mine, std::span<T, M> all, int root,
                                   const collective_options& options) {
  return detail::start(*this, detail::moving(detail::collective_operation::gather, mine, all, root),
                       options);
}
template <typename From, std::size_t N, typename T, std::size_t M>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::all_gather_async(std::span<From, N> mine, std::span<T, M> all,
                                       const collective_options& options) {
  return detail::start(*this, detail::moving(detail::collective_operation::all_gather, mine, all),
                       options);
}
template <typename From, std::size_t N, typename T, std::size_t M>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::all_to_all_async(std::span<From, N> from, std::span<T, M> into,
                                       const collective_options& options) {
  return detail::start(*this, detail::moving(detail::collective_operation::all_to_all, from, into),
                       options);
}
template <typename From, std::size_t N, typename T, std::size_t M, typename Combine>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::scan_async(std::span<From, N> mine, std::span<T, M> result, Combine combine,
                                 const collective_options& options) {
  return detail::start(
      *this, detail::combining(detail::collective_operation::scan, mine, result, combine), options);
}
template <typename From, std::size_t N, typename T, std::size_t M, typename Combine>
  requires std::same_as<std::remove_const_t<From>, T>
collective_run world::exclusive_scan_async(std::span<From, N> mine, std::span<T, M> result,
                                           std::type_identity_t<T> first, Combine combine,
                                           const collective_options& options) {
  auto what =
      detail::combining(detail::collective_operation::exclusive_scan, mine, result, combine);
  what.first = std::as_bytes(std::span(&first, 1));
  return detail::start(*this, std::move(what), options);
}

}  // namespace boxcar
