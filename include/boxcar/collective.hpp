// A collective is made once, started any number of times, and executed while the program computes:
// a flow of data laid over a topology, which makes a schedule (offloaded-collectives-2013, section
// II.A and Table I). docs/collectives.md explains collectives with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/collective_options.hpp>
#include <boxcar/detail/collective_operation.hpp>
#include <boxcar/detail/combination_of_elements.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// A neighbour PE, and the number of elements to give to the PE or to take from the PE.
struct neighbor {
  int pe = 0;
  std::size_t elements = 0;
};

namespace detail {
class agreement;
struct collective_request;
class collective_state;
class collective_maker;
}  // namespace detail

// The handle of a collective on one PE. Functions are local, belong to the PE's thread, and throw
// world_error if the world has failed. Any number of collectives may be in flight at once. Movable;
// a moved-from handle may only be destroyed or assigned to. Precondition of the destruction: the
// last run has ended. Otherwise, as after an exception, the PE gives up the run: its memory and
// functions are used no more when the destructor returns, and runs of other PEs that need the PE's
// part never end.
class collective {
 public:
  collective(collective&&) noexcept;
  collective& operator=(collective&&) noexcept;
  ~collective();

  // Starts a run, with the current contents of the memory; neither input nor output of the PE may
  // be touched until the run has ended. The run goes on while the PE computes (docs/progress.md).
  // Throws contract_error unless `wait` or `test` has told of the end of the last run.
  void start();
  // Returns whether the run has ended on the PE: the results are there. True as well before the
  // first run.
  [[nodiscard]] bool test();
  // Returns when the run has ended. Serves other PEs meanwhile.
  void wait();

  // Returns the algorithm, the reason, and the backend.
  [[nodiscard]] std::string explain() const;
  // Returns the PE's part, as a graph.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string graphviz() const;

 private:
  friend detail::collective_maker;
  explicit collective(std::unique_ptr<detail::collective_state> state);
  [[nodiscard]] detail::collective_state& state(const char* operation) const;

  std::unique_ptr<detail::collective_state> state_;
};

namespace detail {
// Makes collectives of bytes. Collective; throws argument_error on all PEs.
class collective_maker {
 public:
  explicit collective_maker(const world& w) : world_(&w) {}

  void use(std::function<void(adapter&)> include, std::span<const std::byte> mine) {
    includes_.push_back(std::move(include));
    parts_.push_back(mine);
  }
  [[nodiscard]] collective make(collective_operation kind, int root, std::span<const std::byte> in,
                                std::span<std::byte> out, const type_identity& of,
                                combination_of_elements how, const collective_options& options,
                                std::span<const std::byte> first = {},
                                bool compares_first = true) const;
  [[nodiscard]] collective make_all_to_all(std::span<const std::byte> in, std::span<std::byte> out,
                                           const std::vector<std::size_t>& sizes,
                                           const type_identity& of, std::size_t element_bytes,
                                           const collective_options& options) const;
  [[nodiscard]] collective make_neighbor_all_to_all(
      std::span<const std::byte> in, const std::vector<neighbor>& to, std::span<std::byte> out,
      const std::vector<neighbor>& from, const type_identity& of, std::size_t element_bytes,
      const collective_options& options) const;

 private:
  [[nodiscard]] collective finish(collective_request call, agreement problems,
                                  const collective_options& options) const;

  const world* world_;
  std::vector<std::function<void(adapter&)>> includes_;
  std::vector<std::span<const std::byte>> parts_;
};
}  // namespace detail

// Makes the collectives of a world. All functions are collective and return when all PEs have come;
// to start a collective is local.
//
// Elements are of any trivially copyable type. The spans must live as long as the collective.
// Elements in windows given to `use` are sent and received in place; other memory is copied, once
// when a run starts and once when the run has ended, unless all PEs of the node are threads.
//
// `combine` is any associative function of two elements; the elements are combined in the order of
// the PEs. (For sums and the like of numbers the order is any: std::plus, std::multiplies,
// std::bit_and, std::bit_or, std::bit_xor, std::logical_and, std::logical_or, boxcar::minimum and
// maximum. Sums and the like are executed while PEs compute. Other functions are called by the PE's
// thread in functions of Boxcar that start something or wait, or by its progress thread, call
// nothing of Boxcar and wait for no other PE. A run in which a function throws does not end. Over
// topology::shared_memory each PE combines by itself, when it asks for the end of its run; or a
// share for all PEs, in all-reduces.)
//
// All functions throw argument_error on all PEs if the arguments of the PEs do not fit: types,
// lengths, roots, functions, options.
class collectives {
 public:
  // Precondition: the world stays where it is for as long as collectives are made.
  explicit collectives(const world& w) : make_(w) {}

  // Lets collectives made from now on use the elements of a window in place; the window must
  // outlive the collectives, and stays where it is. Called by all PEs in the same order.
  template <typename T>
  void use(const window<T>& w) {
    make_.use([&w](adapter& a) { a.include(w); }, std::as_bytes(w.local()));
  }

  // The barrier ends on each PE when all PEs have started it.
  [[nodiscard]] collective barrier(const collective_options& options = {}) {
    return make_.make(detail::collective_operation::barrier, 0, {}, {}, {}, {}, options);
  }

  // Broadcasts the elements of PE `root` to all PEs. All spans have the same length.
  template <typename T, std::size_t N>
  [[nodiscard]] collective broadcast(std::span<T, N> values, int root = 0,
                                     const collective_options& options = {}) {
    return make<T>(detail::collective_operation::broadcast, root, std::as_bytes(values),
                   detail::writable(values), options);
  }

  // Combines the elements of all PEs on PE `root`; `result` counts only there, and may be `mine`.
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective reduce(std::span<From, N> mine, std::span<T, M> result, int root = 0,
                                  Combine combine = {}, const collective_options& options = {}) {
    return make<T>(detail::collective_operation::reduce, root, std::as_bytes(mine),
                   detail::writable(result), options,
                   detail::combination_by<T>(std::move(combine)));
  }
  // Acts as `reduce`, with the result on all PEs.
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective all_reduce(std::span<From, N> mine, std::span<T, M> result,
                                      Combine combine = {},
                                      const collective_options& options = {}) {
    return make<T>(detail::collective_operation::all_reduce, 0, std::as_bytes(mine),
                   detail::writable(result), options,
                   detail::combination_by<T>(std::move(combine)));
  }
  // Combines the elements of all PEs, as many on each PE, and gives each PE as many results as
  // `result` has room for: PE 0 the first elements, and so on. `result` may not be a part of
  // `mine`.
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective reduce_scatter(std::span<From, N> mine, std::span<T, M> result,
                                          Combine combine = {},
                                          const collective_options& options = {}) {
    return make<T>(detail::collective_operation::reduce_scatter, 0, std::as_bytes(mine),
                   detail::writable(result), options,
                   detail::combination_by<T>(std::move(combine)));
  }

  // Distributes the elements of PE `root`: each PE gets as many as `mine` has room for. `all`
  // counts only on the root; `mine` may be the PE's part of `all`.
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective scatter(std::span<From, N> all, std::span<T, M> mine, int root = 0,
                                   const collective_options& options = {}) {
    return make<T>(detail::collective_operation::scatter, root, std::as_bytes(all),
                   detail::writable(mine), options);
  }
  // Gathers the elements of all PEs, in rank order, on PE `root`; each PE may give any number.
  // `all` counts only on the root; `mine` may be the PE's part of `all`.
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective gather(std::span<From, N> mine, std::span<T, M> all, int root = 0,
                                  const collective_options& options = {}) {
    return make<T>(detail::collective_operation::gather, root, std::as_bytes(mine),
                   detail::writable(all), options);
  }
  // Acts as `gather`, with the result on all PEs.
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective all_gather(std::span<From, N> mine, std::span<T, M> all,
                                      const collective_options& options = {}) {
    return make<T>(detail::collective_operation::all_gather, 0, std::as_bytes(mine),
                   detail::writable(all), options);
  }
  // Sends a block to each PE, in rank order, and gets a block of each PE in rank order: all blocks
  // have as many elements, or as many as `sizes` says for each PE. `into` may be `from` if all
  // sizes are the same.
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective all_to_all(std::span<From, N> from, std::span<T, M> into,
                                      const collective_options& options = {}) {
    return make<T>(detail::collective_operation::all_to_all, 0, std::as_bytes(from),
                   detail::writable(into), options);
  }
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective all_to_all(std::span<From, N> from, std::span<T, M> into,
                                      const std::vector<std::size_t>& sizes,
                                      const collective_options& options = {}) {
    static_assert(detail::require_element<T>());
    return make_.make_all_to_all(std::as_bytes(from), detail::writable(into), sizes,
                                 detail::identity_of<T>, sizeof(T), options);
  }

  // All-to-all among neighbours, of any communication graph: a halo, the edges of a mesh. The PE
  // has a block for each neighbour of `to`, in order and of the given length, and gets a block of
  // each neighbour of `from`. A PE may be a neighbour several times, and its own; the n-th block of
  // a PE for another PE is the n-th block that the other PE takes. `into` may not be a part of
  // `mine`.
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective neighbor_all_to_all(std::span<From, N> mine,
                                               const std::vector<neighbor>& to,
                                               std::span<T, M> into,
                                               const std::vector<neighbor>& from,
                                               const collective_options& options = {}) {
    static_assert(detail::require_element<T>());
    return make_.make_neighbor_all_to_all(std::as_bytes(mine), to, detail::writable(into), from,
                                          detail::identity_of<T>, sizeof(T), options);
  }

  // Combines the elements of the PEs up to and including the calling PE. `result` may be `mine`.
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective scan(std::span<From, N> mine, std::span<T, M> result,
                                Combine combine = {}, const collective_options& options = {}) {
    return make<T>(detail::collective_operation::scan, 0, std::as_bytes(mine),
                   detail::writable(result), options,
                   detail::combination_by<T>(std::move(combine)));
  }
  // Combines `first`, the same on all PEs, and the elements of the PEs before the calling PE; the
  // result on PE 0 is `first`. (Differences of `first` are found for types of which equal values
  // have equal bytes.)
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective exclusive_scan(std::span<From, N> mine, std::span<T, M> result,
                                          std::type_identity_t<T> first, Combine combine = {},
                                          const collective_options& options = {}) {
    static_assert(detail::require_element<T>());
    return make_.make(detail::collective_operation::exclusive_scan, 0, std::as_bytes(mine),
                      detail::writable(result), detail::identity_of<T>,
                      detail::combination_by<T>(std::move(combine)), options,
                      std::as_bytes(std::span(&first, 1)),
                      std::has_unique_object_representations_v<T>);
  }

 private:
  template <typename T>
  collective make(detail::collective_operation kind, int root, std::span<const std::byte> in,
                  std::span<std::byte> out, const collective_options& options,
                  detail::combination_of_elements how = {.element_bytes = sizeof(T)}) {
    static_assert(detail::require_element<T>());
    return make_.make(kind, root, in, out, detail::identity_of<T>, std::move(how), options);
  }

  detail::collective_maker make_;
};

}  // namespace boxcar
