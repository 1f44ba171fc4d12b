// A world is an ordered set of PEs that communicate, with the knowledge of which PEs share a node.
// docs/worlds.md tells how a program gets a world.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/arithmetic.hpp>
#include <boxcar/collective_options.hpp>
#include <boxcar/detail/collectives.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/detail/type_identity.hpp>

namespace boxcar {

namespace detail {
class started_collectives;
class substrate;
}  // namespace detail
class collective_run;

// A PE's view of a world. The function started by `run` receives a world; a world may be moved but
// not copied, and belongs to the thread that is the PE. A moved-from world may only be destroyed or
// assigned to: every other use throws contract_error.
//
// "Collective" means that every PE of the world calls the function, in the same order. If a PE has
// failed, has left, or calls another collective, a collective throws world_error, and does not
// hang.
class world {
 public:
  explicit world(std::unique_ptr<detail::substrate> substrate);
  world(world&&) noexcept;
  world& operator=(world&&) noexcept;
  ~world();

  // --- Who and where; local ---------------------------------------------------------------------
  [[nodiscard]] int rank() const;  // 0 to size() - 1
  [[nodiscard]] int size() const;  // number of PEs

  // Nodes are numbered in the order of their lowest rank. PEs of one node share memory.
  [[nodiscard]] int nodes() const;
  [[nodiscard]] int node() const;
  [[nodiscard]] int node_of(int pe) const;    // throws argument_error if out of range
  [[nodiscard]] bool is_local(int pe) const;  // is `pe` on the calling PE's node?
  [[nodiscard]] int local_rank() const;       // the PE's place among the PEs of its node
  [[nodiscard]] int local_size() const;       // number of PEs on the PE's node
  [[nodiscard]] std::string_view substrate_name() const;  // "threads", "processes", ...

  // --- Small collectives ------------------------------------------------------------------------
  // Plain values are copied as bytes. Values may be given singly, or many in a span, vector or
  // string; then all PEs give as many values, unless said otherwise, and the values are treated
  // element by element. If the types or numbers of PEs differ, all PEs get world_error.
  //
  // The small collectives are meant for set-up and summaries, and take their time: bulk data go
  // through conveyors. `combine` is associative; values are combined in rank order. std::plus,
  // std::multiplies, std::bit_or and the like will do, and boxcar::minimum and maximum.

  void barrier();

  // Returns the value of PE `root`, on every PE. A vector or string of other PEs may have any
  // length.
  template <typename T>
  [[nodiscard]] T broadcast(T value, int root = 0) {
    broadcast(std::span(&value, 1), root);
    return value;
  }
  template <typename T, std::size_t N>
  void broadcast(std::span<T, N> values, int root = 0) {
    static_assert(!std::is_const_v<T>, "the span is written to: its elements must not be const");
    detail::require_plain<T>();
    if constexpr (detail::plain<T>) {
      broadcast_bytes(std::as_writable_bytes(values), root, detail::identity_of<T>);
    }
  }
  template <typename T>
  [[nodiscard]] std::vector<T> broadcast(std::vector<T> values, int root = 0) {
    values.resize(broadcast_size(values.size(), root, detail::identity_of<std::vector<T>>));
    detail::with_elements(values, [&](std::span<T> all) { broadcast(all, root); });
    return values;
  }
  [[nodiscard]] std::string broadcast(std::string text, int root = 0) {
    text.resize(broadcast_size(text.size(), root, detail::identity_of<std::string>));
    broadcast(std::span(text), root);
    return text;
  }

  // Returns the values of all PEs, in rank order, on every PE. Spans, vectors and strings may have
  // a different length on each PE.
  template <typename T>
  [[nodiscard]] std::vector<T> all_gather(const T& value) {
    return gather_values(value, every_pe);
  }
  template <typename T, std::size_t N>
  [[nodiscard]] auto all_gather(std::span<T, N> values) {
    return gather_arrays<std::vector<std::remove_const_t<T>>>(values, every_pe);
  }
  template <typename T>
  [[nodiscard]] std::vector<std::vector<T>> all_gather(std::vector<T> values) {
    return gather_vectors(values, every_pe);
  }
  [[nodiscard]] std::vector<std::string> all_gather(const std::string& text) {
    return gather_arrays<std::string>(std::span(text), every_pe);
  }

  // Acts as `all_gather`, on PE `root` only; the result on other PEs is empty, and needs no memory.
  template <typename T>
  [[nodiscard]] std::vector<T> gather(const T& value, int root = 0) {
    check_pe(root, "gather");
    return gather_values(value, root);
  }
  template <typename T, std::size_t N>
  [[nodiscard]] auto gather(std::span<T, N> values, int root = 0) {
    check_pe(root, "gather");
    return gather_arrays<std::vector<std::remove_const_t<T>>>(values, root);
  }
  template <typename T>
  [[nodiscard]] std::vector<std::vector<T>> gather(std::vector<T> values, int root = 0) {
    check_pe(root, "gather");
    return gather_vectors(values, root);
  }
  [[nodiscard]] std::vector<std::string> gather(const std::string& text, int root = 0) {
    check_pe(root, "gather");
    return gather_arrays<std::string>(std::span(text), root);
  }

  // Combines the values of all PEs, on every PE. Values in a span are replaced.
  template <typename T, typename Combine = std::plus<T>>
  [[nodiscard]] T reduce(T value, Combine combine = {}) {
    reduce(std::span(&value, 1), std::move(combine));
    return value;
  }
  template <typename T, std::size_t N, typename Combine = std::plus<T>>
  void reduce(std::span<T, N> values, Combine combine = {}) {
    require_combination<T, Combine>();
    if constexpr (can_combine<T, Combine>) {
      reduce_bytes(std::as_writable_bytes(values), sizeof(T), detail::combine_elements<T>(combine),
                   detail::identity_of<T>);
    }
  }
  template <typename T, typename Combine = std::plus<T>>
  [[nodiscard]] std::vector<T> reduce(std::vector<T> values, Combine combine = {}) {
    detail::with_elements(values, [&](std::span<T> all) { reduce(all, combine); });
    return values;
  }

  // Combines the values of the PEs up to and including the calling PE. Values in a span are
  // replaced.
  template <typename T, typename Combine = std::plus<T>>
  [[nodiscard]] T scan(T value, Combine combine = {}) {
    scan(std::span(&value, 1), std::move(combine));
    return value;
  }
  template <typename T, std::size_t N, typename Combine = std::plus<T>>
  void scan(std::span<T, N> values, Combine combine = {}) {
    require_combination<T, Combine>();
    if constexpr (can_combine<T, Combine>) {
      const auto how = detail::combine_elements<T>(combine);
      const auto bytes = std::as_bytes(std::span(values));
      const std::vector<std::byte> mine(bytes.begin(), bytes.end());
      const auto all = std::as_writable_bytes(values);
      if (scan_bytes(all, sizeof(T), how, detail::identity_of<T>)) {
        how(all.data(), mine.data(), values.size());
      }
    }
  }
  template <typename T, typename Combine = std::plus<T>>
  [[nodiscard]] std::vector<T> scan(std::vector<T> values, Combine combine = {}) {
    detail::with_elements(values, [&](std::span<T> all) { scan(all, combine); });
    return values;
  }

  // Combines `first` and the values of the PEs before the calling PE; PE 0 gets `first`.
  template <typename T, typename Combine = std::plus<T>>
  [[nodiscard]] T exclusive_scan(T value, std::type_identity_t<T> first, Combine combine = {}) {
    exclusive_scan(std::span(&value, 1), std::move(first), std::move(combine));
    return value;
  }
  template <typename T, std::size_t N, typename Combine = std::plus<T>>
  void exclusive_scan(std::span<T, N> values, std::type_identity_t<T> first, Combine combine = {}) {
    require_combination<T, Combine>();
    if constexpr (can_combine<T, Combine>) {
      const bool any_before =
          scan_bytes(std::as_writable_bytes(values), sizeof(T),
                     detail::combine_elements<T>(combine), detail::identity_of<T>);
      for (T& value : values) value = any_before ? T(combine(first, value)) : first;
    }
  }
  template <typename T, typename Combine = std::plus<T>>
  [[nodiscard]] std::vector<T> exclusive_scan(std::vector<T> values, std::type_identity_t<T> first,
                                              Combine combine = {}) {
    detail::with_elements(values, [&](std::span<T> all) { exclusive_scan(all, first, combine); });
    return values;
  }

  // --- Collectives that go on while the program computes ----------------------------------------
  // Each function starts a collective, with the current contents of the memory, and returns a
  // handle of its run: the results are there when `wait` has returned, or `test` true. All PEs
  // start the same collectives in the same order, and give spans of the same length; `result`, or
  // `all`, does not count on PEs other than the root. Elements, functions and options are described
  // in <boxcar/collective.hpp>; a collective that is started again and again is better made once,
  // there. The functions need <boxcar/collective_run.hpp>.
  //
  // A start waits for nobody. A run that cannot begin at once waits in a queue, with a copy of its
  // input (long arrays go in pieces, and `result` holds the input of pieces that wait): the first
  // run of a kind (the same collective, root, type, length and options) until all PEs have made the
  // objects of the kind, and a run of a kind with 4 runs in flight, or 2 of more than 64 KiB, until
  // a run has ended. The queue goes on while the PE waits for anything, or tests a run; blocking
  // collectives of the world come behind the queue. Throws argument_error if spans do not fit each
  // other, contract_error if another coroutine waits for a run that an async function of the world
  // started (<boxcar/coroutine.hpp>), and world_error if PEs are found to start different
  // collectives: PEs of a node are found, unless a PE is hundreds of starts ahead. If there is no
  // room for the objects of a kind, `wait` and `test` throw system_error, on all PEs.
  [[nodiscard]] collective_run barrier_async(const collective_options& options = {});
  template <typename T, std::size_t N>
  [[nodiscard]] collective_run broadcast_async(std::span<T, N> values, int root = 0,
                                               const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run reduce_async(std::span<From, N> mine, std::span<T, M> result,
                                            int root = 0, Combine combine = {},
                                            const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run all_reduce_async(std::span<From, N> mine, std::span<T, M> result,
                                                Combine combine = {},
                                                const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run reduce_scatter_async(std::span<From, N> all, std::span<T, M> result,
                                                    Combine combine = {},
                                                    const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run scatter_async(std::span<From, N> all, std::span<T, M> mine,
                                             int root = 0, const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run gather_async(std::span<From, N> mine, std::span<T, M> all,
                                            int root = 0, const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run all_gather_async(std::span<From, N> mine, std::span<T, M> all,
                                                const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run all_to_all_async(std::span<From, N> from, std::span<T, M> into,
                                                const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run scan_async(std::span<From, N> mine, std::span<T, M> result,
                                          Combine combine = {},
                                          const collective_options& options = {});
  template <typename From, std::size_t N, typename T, std::size_t M, typename Combine = std::plus<>>
    requires std::same_as<std::remove_const_t<From>, T>
  [[nodiscard]] collective_run exclusive_scan_async(std::span<From, N> mine, std::span<T, M> result,
                                                    std::type_identity_t<T> first,
                                                    Combine combine = {},
                                                    const collective_options& options = {});

  // Collective. Returns the world of the PEs that give the same color, ranked by key and then by
  // the rank in the old world. A PE with a negative color gets no world. The new world is
  // independent of the old world and may outlive it.
  [[nodiscard]] std::optional<world> split(int color, int key = 0);

  // --- Time and waiting; local ------------------------------------------------------------------
  // Returns the time since some moment, the same for all PEs of a machine.
  [[nodiscard]] std::chrono::nanoseconds now() const;
  // Gives the core to other threads for at least `duration`. Throws world_error if the world has
  // failed.
  void sleep(std::chrono::nanoseconds duration);
  // Keeps the core busy for at least `duration`, and serves no other PE: a computation of which
  // only the time is known, to measure the progress meanwhile. On a simulated machine, `duration`
  // is the cost of the computation there. Throws world_error if the world has failed.
  void compute(std::chrono::nanoseconds duration);
  // A loop that waits for something outside Boxcar calls `idle` each time there was nothing to do.
  // `idle` spins, yields or blocks, never for longer than a few milliseconds.
  void idle();

  // Explains how requests of other PEs, and operations of the PE, make progress while the PE
  // computes.
  [[nodiscard]] std::string explain_progress() const;

  // --- Threads ----------------------------------------------------------------------------------
  // A world, and all objects made with the world, belong to the thread that made the world: calls
  // of another thread throw contract_error. A thread that becomes the PE calls `take_over` first;
  // local. Throws contract_error if a session is on. The former thread must not use the world any
  // more: the program orders the two threads, by a join or a lock for instance. No coroutine may be
  // suspended (<boxcar/coroutine.hpp>).
  void take_over();

  // The functions are for higher layers of the library.
  [[nodiscard]] static world another_handle_of(std::shared_ptr<detail::substrate> substrate);
  [[nodiscard]] const std::shared_ptr<detail::substrate>& substrate() const {
    if (substrate_ == nullptr) [[unlikely]]
      refuse_moved_from();
    return substrate_;
  }
  [[nodiscard]] detail::started_collectives& started();

 private:
  world() noexcept;
  // The value stands for all PEs in place of a root.
  static constexpr int every_pe = -1;
  using combine_function = std::function<void(std::byte*, const std::byte*, std::size_t)>;
  using room_function = std::function<std::byte*(int pe, std::size_t bytes)>;

  template <typename T, typename Combine>
  static constexpr bool can_combine = detail::plain<T> && detail::can_be_combined<T, Combine>;
  template <typename T, typename Combine>
  static void require_combination() {
    detail::require_plain<T>();
    static_assert(!std::is_const_v<T>, "the span is written to: its elements must not be const");
    static_assert(!detail::plain<T> || can_combine<T, Combine>,
                  "`combine` must be callable with two values, and return one; of a type without + "
                  "say how values are to be combined");
  }

  std::size_t broadcast_size(std::size_t elements, int root, const detail::type_identity& of) {
    broadcast_bytes(std::as_writable_bytes(std::span(&elements, 1)), root, of);
    return elements;
  }

  template <typename T>
  std::vector<T> gather_values(const T& value, int root) {
    std::vector<T> all;
    detail::require_plain<T>();
    if constexpr (detail::plain<T>) {
      static_assert(std::default_initializable<T>,
                    "gathered values must have a default: they are written into a vector");
      if (root == every_pe || root == rank()) all.resize(static_cast<std::size_t>(size()));
      detail::with_elements(all, [&](std::span<T> elements) {
        const auto mine = std::as_bytes(std::span(&value, 1));
        auto* const first = reinterpret_cast<std::byte*>(elements.data());
        if (root == every_pe) return all_gather_bytes(mine, first, detail::identity_of<T>);
        const auto room = [first](int pe, std::size_t bytes) {
          return first + static_cast<std::size_t>(pe) * bytes;
        };
        gather_bytes(mine, root, room, detail::identity_of<T>);
      });
    }
    return all;
  }

  template <typename Container, typename T, std::size_t N>
  std::vector<Container> gather_arrays(std::span<T, N> values, int root) {
    using element = std::remove_const_t<T>;
    detail::require_plain<element>();
    if constexpr (detail::plain<element>) {
      const bool wanted = root == every_pe || root == rank();
      detail::gathered<Container> all(wanted ? size() : 0);
      gather_bytes(
          std::as_bytes(values), root,
          [&all](int pe, std::size_t bytes) { return all.room(pe, bytes); },
          detail::identity_of<element>);
      return all.take();
    } else {
      return {};
    }
  }

  template <typename T>
  std::vector<std::vector<T>> gather_vectors(std::vector<T>& values, int root) {
    std::vector<std::vector<T>> all;
    detail::with_elements(values, [&](std::span<T> elements) {
      all = gather_arrays<std::vector<T>>(elements, root);
    });
    return all;
  }

  [[noreturn]] static void refuse_moved_from();
  void check_pe(int pe, const char* operation) const;
  void broadcast_bytes(std::span<std::byte> value, int root, const detail::type_identity& of);
  void all_gather_bytes(std::span<const std::byte> mine, std::byte* all,
                        const detail::type_identity& of);
  void gather_bytes(std::span<const std::byte> mine, int root, const room_function& room,
                    const detail::type_identity& of);
  void reduce_bytes(std::span<std::byte> values, std::size_t element_bytes,
                    const combine_function& combine, const detail::type_identity& of);
  // Returns false on PE 0.
  bool scan_bytes(std::span<std::byte> values, std::size_t element_bytes,
                  const combine_function& combine, const detail::type_identity& of);

  std::shared_ptr<detail::substrate> substrate_;
  std::shared_ptr<detail::started_collectives> started_;  // from the first start on
};

}  // namespace boxcar
