// A communication schedule is a graph of messages and of work on memory. It is compiled once,
// started any number of times, and executed while the program computes (cDAG;
// offloaded-collectives-2013, section II). docs/schedules.md explains schedules with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/schedule_carrier.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

inline constexpr int any_tag = -1;

// A short message is sent at once, and waits at the receiver until wanted (the eager protocol,
// section IV.D); a longer message is sent when the receiver is ready (rendezvous, section IV.B).
// The options are the same on all PEs.
struct schedule_options {
  // The eager limit of messages to other nodes.
  std::size_t eager_bytes = 4096;
  // The eager limit of messages within a node, which lose nothing by waiting. But where a graph
  // could not be executed because a message no longer than eager_bytes waits, eager_bytes is the
  // limit within nodes, too.
  std::size_t eager_bytes_within_node = 0;
  schedule_carrier carrier = schedule_carrier::automatic;
};

namespace detail {
struct schedule_graph;
class compiled_schedule;
}  // namespace detail

class schedule;

// A PE's part of a graph, put together by the PE alone. Vertices start in any order, except for
// dependencies.
//
// Memory written by a vertex may be read or written by another vertex of the PE only if a
// dependency orders the two, directly or not. Memory of vertices must live as long as the
// schedules, and lie in windows that were given to `use`; where all PEs are threads, any memory
// will do.
//
// Movable; a moved-from builder may only be destroyed or assigned to: every other use throws
// contract_error.
class schedule_builder {
 public:
  struct vertex {
    int index = 0;
    friend bool operator==(const vertex&, const vertex&) = default;
  };

  explicit schedule_builder(const world& w);
  schedule_builder(schedule_builder&&) noexcept;
  schedule_builder& operator=(schedule_builder&&) noexcept;
  ~schedule_builder();

  // Lets vertices use the elements of a window. Called by all PEs in the same order, before
  // `compile`. Until `compile`, the window and the world stay where they are; the window must
  // outlive the schedules.
  template <typename T>
  void use(const window<T>& w) {
    includes_.push_back([&w](adapter& a) { a.include(w); });
  }

  // A send is complete when the memory may be overwritten, a receive when the memory holds the
  // message. Sends and receives match if the PEs, the tags and the lengths agree; the choice among
  // several matches is unspecified. Tags are not negative. Throws argument_error if the PE does not
  // exist, or the tag is negative.
  template <typename T, std::size_t N>
  vertex send(std::span<T, N> from, int pe, int tag = 0) {
    return add_send(bytes_of(from), pe, tag);
  }
  template <typename T, std::size_t N>
  vertex receive(std::span<T, N> into, int pe = any_pe, int tag = any_tag) {
    return add_receive(writable_bytes_of(into), pe, tag);
  }
  // Throws argument_error unless the lengths agree.
  template <typename From, std::size_t N, typename T, std::size_t M>
  vertex copy(std::span<From, N> from, std::span<T, M> into) {
    return add_copy(bytes_of(from), writable_bytes_of(into));
  }
  // Each element of `into` becomes `how` of itself and the element of `from`.
  template <typename From, std::size_t N, typename T, std::size_t M>
    requires std::same_as<std::remove_const_t<From>, T>
  vertex combine(std::span<From, N> from, std::span<T, M> into, arithmetic how = arithmetic::sum) {
    return add_combine(bytes_of(from), writable_bytes_of(into), number_type_of<T>(), how);
  }

  // Calls `what(into, from...)`, by the PE's thread in a function of Boxcar that waits or starts
  // something, or by its progress thread. The progress thread serves no other PE meanwhile: the
  // function waits for no other PE. The function calls nothing of Boxcar, and reads and changes no
  // other memory that vertices use. Any memory of the PE will do. Exceptions of the function come
  // out of `wait` or `test` of the schedule, and the run never ends; the world fails if the
  // schedule is destroyed before.
  template <typename F, typename T, std::size_t N, typename... From, std::size_t... M>
    requires std::invocable<F&, std::span<T>, std::span<From>...>
  vertex compute(F what, std::span<T, N> into, std::span<From, M>... from) {
    return add_compute([what = std::move(what), into,
                        from...]() mutable { what(std::span<T>(into), std::span<From>(from)...); },
                       std::as_writable_bytes(into), {std::as_bytes(from)...});
  }

  // `later` starts when `earlier` is complete.
  void depend(vertex later, vertex earlier);
  // Sets the name of a vertex in messages and pictures.
  void name(vertex v, std::string called);

  // Collective: all PEs give their parts. Throws argument_error on all PEs, with the names of the
  // vertices, if the graph can never be executed: cycles, sends without receives, receives without
  // sends, lengths that differ; if memory overlaps; if memory cannot be reached; if the options
  // differ.
  [[nodiscard]] schedule compile(const schedule_options& options = {}) const;

  // Returns the PE's part.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string graphviz() const;

 private:
  template <typename T, std::size_t N>
  static std::span<const std::byte> bytes_of(std::span<T, N> elements) {
    static_assert((detail::require_plain<std::remove_const_t<T>>(), true));
    return std::as_bytes(elements);
  }
  template <typename T, std::size_t N>
  static std::span<std::byte> writable_bytes_of(std::span<T, N> elements) {
    static_assert((detail::require_plain<T>(), true));
    return std::as_writable_bytes(elements);
  }
  [[nodiscard]] detail::schedule_graph& graph() const;
  vertex add_send(std::span<const std::byte> from, int pe, int tag);
  vertex add_receive(std::span<std::byte> into, int pe, int tag);
  vertex add_copy(std::span<const std::byte> from, std::span<std::byte> into);
  vertex add_combine(std::span<const std::byte> from, std::span<std::byte> into, number_type type,
                     arithmetic how);
  vertex add_compute(std::function<void()> what, std::span<std::byte> into,
                     std::vector<std::span<const std::byte>> from);

  const world* world_;
  std::unique_ptr<detail::schedule_graph> graph_;
  std::vector<std::function<void(adapter&)>> includes_;
};

// The handle of a compiled schedule on one PE. Functions are local, belong to the PE's thread, and
// throw world_error if the world has failed. Any number of schedules may be in flight at once.
// Movable; a moved-from schedule may only be destroyed or assigned to. Precondition of the
// destruction: the last run has ended. Otherwise, as after an exception, the PE gives up the run:
// the memory and the functions of its vertices are used no more when the destructor returns, and
// runs of other PEs that need the PE's part never end.
class schedule {
 public:
  schedule(schedule&&) noexcept;
  schedule& operator=(schedule&&) noexcept;
  ~schedule();

  // Starts a run, with the current contents of the memory. The run goes on while the PE computes:
  // within a node without any call, between nodes by the PE in functions of Boxcar that wait or by
  // progress threads, or by the network itself (schedule_carrier). Throws contract_error if the
  // last run has not ended on the PE.
  void start();
  // Returns whether the run has ended on the PE: all its vertices are complete. True as well before
  // the first run.
  [[nodiscard]] bool test();
  // Returns when the run has ended. Serves other PEs meanwhile.
  void wait();

  // Returns the whole part of the PE, with the partners of its messages.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string graphviz() const;
  // Returns the backend of the schedule, and the reason.
  [[nodiscard]] std::string explain() const;

 private:
  friend schedule_builder;
  explicit schedule(std::unique_ptr<detail::compiled_schedule> state);
  [[nodiscard]] detail::compiled_schedule& state(const char* operation) const;

  std::unique_ptr<detail::compiled_schedule> state_;
};

}  // namespace boxcar
