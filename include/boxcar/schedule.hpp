// Communication schedules: a graph of messages and of work on memory, which is compiled once,
// started as often as wanted, and goes on while the program computes (cDAG;
// offloaded-collectives-2013, section II). docs/schedules.md explains it with examples.
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

// A short message is sent at once, and waits where it arrives until it is wanted (the eager
// protocol, section IV.D); a longer one is sent when the receiver is ready (rendezvous, section
// IV.B). The same on all PEs.
struct schedule_options {
  // Of messages to other nodes.
  std::size_t eager_bytes = 4096;
  // Of messages within a node, which lose nothing by waiting. But where a graph could not be
  // carried out because a message waits that is not longer than eager_bytes, that limit holds
  // within nodes, too.
  std::size_t eager_bytes_within_node = 0;
  schedule_carrier carrier = schedule_carrier::automatic;
};

namespace detail {
struct schedule_graph;
class compiled_schedule;
}  // namespace detail

class schedule;

// One PE's part of a graph, put together by itself. Vertices start in any order but for what
// depends on others.
//
// Memory that a vertex writes may be read or written by another one of the PE only if one of the
// two depends on the other, directly or not. What schedules name must live as long as they do, and
// lie in windows that were given to `use`; where all PEs are threads it may be any
// memory.
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

  // Its elements may be named. By all PEs in the same order, before `compile`, until when it stays
  // where it is, as the world does; it must outlive the schedules.
  template <typename T>
  void use(const window<T>& w) {
    includes_.push_back([&w](adapter& a) { a.include(w); });
  }

  // A send is complete when the memory may be overwritten, a receive when it holds the message.
  // They match if the PEs, the tags and the lengths agree; where several can, which do is not told.
  // Tags are not negative. Throws argument_error if there is no such PE, or the tag is negative.
  template <typename T>
  vertex send(std::span<T> from, int pe, int tag = 0) {
    return add_send(bytes_of(from), pe, tag);
  }
  template <typename T>
  vertex receive(std::span<T> into, int pe = any_pe, int tag = any_tag) {
    return add_receive(writable_bytes_of(into), pe, tag);
  }
  // Throws argument_error unless the lengths agree.
  template <typename From, typename T>
  vertex copy(std::span<From> from, std::span<T> into) {
    return add_copy(bytes_of(from), writable_bytes_of(into));
  }
  // Each element of `into` becomes `how` of itself and that of `from`.
  template <typename From, typename T>
    requires std::same_as<std::remove_const_t<From>, T>
  vertex combine(std::span<From> from, std::span<T> into, arithmetic how = arithmetic::sum) {
    return add_combine(bytes_of(from), writable_bytes_of(into), number_type_of<T>(), how);
  }

  // Calls `what(into, from...)`, by the PE's thread in a function of Boxcar that waits or starts
  // something, or by its progress thread, which serves no other PE meanwhile: so it waits for no
  // other PE. It calls nothing of Boxcar, and reads and changes no other memory that vertices use.
  // Any memory of the PE will do. What it throws comes out of `wait` or `test` of the schedule,
  // whose run never ends then; the world fails if the schedule is destroyed before.
  template <typename T, typename F, typename... From>
    requires std::invocable<F&, std::span<T>, std::span<From>...>
  vertex compute(F what, std::span<T> into, std::span<From>... from) {
    return add_compute([what = std::move(what), into, from...]() mutable { what(into, from...); },
                       std::as_writable_bytes(into), {std::as_bytes(from)...});
  }

  // `later` starts when `earlier` is complete.
  void depend(vertex later, vertex earlier);
  // What messages and pictures call it.
  void name(vertex v, std::string called);

  // Collective: all PEs give their parts. Throws argument_error on all PEs, with the names of the
  // vertices, if the graph can never be carried out: cycles, sends without receives, receives
  // without sends, lengths that differ; if memory overlaps; if memory cannot be reached; if the
  // options differ.
  [[nodiscard]] schedule compile(const schedule_options& options = {}) const;

  // This PE's part.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string graphviz() const;

 private:
  template <typename T>
  static std::span<const std::byte> bytes_of(std::span<T> elements) {
    static_assert((detail::require_plain<std::remove_const_t<T>>(), true));
    return std::as_bytes(elements);
  }
  template <typename T>
  static std::span<std::byte> writable_bytes_of(std::span<T> elements) {
    static_assert((detail::require_plain<T>(), true));
    return std::as_writable_bytes(elements);
  }
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

// One PE's handle of a compiled schedule. Functions are local and belong to the PE's thread; they
// throw world_error if the world has failed. Any number of schedules may be under way at once. It
// can be moved; what it was moved from is good for nothing. To be destroyed when its last run has
// ended; else, as by an exception, the run is given up on this PE: the memory and the functions of
// its vertices are used no more when the destructor returns, and runs of others that need something
// of it never end.
class schedule {
 public:
  schedule(schedule&&) noexcept;
  schedule& operator=(schedule&&) noexcept;
  ~schedule();

  // Begins a run, with what the memory then holds. It goes on while the PE computes: within a node
  // without anybody's doing, between nodes by the PE in functions of Boxcar that wait or by
  // progress threads, or by the network itself (schedule_carrier). Throws contract_error if the
  // last run has not ended on this PE.
  void start();
  // The run has ended on this PE: all its vertices are complete. True as well before the first.
  [[nodiscard]] bool test();
  // Returns when it has. Serves others meanwhile.
  void wait();

  // The whole of this PE's part, with whom its messages go to and come from.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string graphviz() const;
  // Who carries it out, and why.
  [[nodiscard]] std::string explain() const;

 private:
  friend schedule_builder;
  explicit schedule(std::unique_ptr<detail::compiled_schedule> state);
  [[nodiscard]] detail::compiled_schedule& state(const char* operation) const;

  std::unique_ptr<detail::compiled_schedule> state_;
};

}  // namespace boxcar
