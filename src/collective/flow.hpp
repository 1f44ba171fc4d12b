// What one PE does in a collective, written down like a program: one step after the other. It
// becomes a part of a graph in which a step depends on those before it that use the same memory,
// and on no others: so what is pipelined goes on side by side, and whatever is written down is
// right.
//
// Messages between two PEs match in the order in which both of them have written them down.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <boxcar/detail/combination_of_elements.hpp>

#include "schedule/memory_uses.hpp"
#include "schedule/schedule_graph.hpp"

namespace boxcar::detail {

class flow {
 public:
  // `room` is for `scratch`: if there is not enough, all memory is made up, and only good for
  // finding out how much is needed.
  flow(int pe, int pes, std::span<std::byte> room = {});

  [[nodiscard]] int pe() const { return pe_; }
  [[nodiscard]] int pes() const { return pes_; }
  // So many PEs away, in a circle.
  [[nodiscard]] int away(int distance) const { return ((pe_ + distance) % pes_ + pes_) % pes_; }

  // Among these PEs, of which this is one; they are numbered by their places. What is written down
  // there is written down here.
  [[nodiscard]] flow among(const std::vector<int>& some) const;

  // Memory of its own.
  [[nodiscard]] std::span<std::byte> scratch(std::size_t bytes);
  [[nodiscard]] std::size_t scratch_bytes() const { return steps_->scratch_bytes; }

  void send(std::span<const std::byte> from, int to);
  void receive(std::span<std::byte> into, int from);
  // Nothing, if they are the same.
  void copy(std::span<const std::byte> from, std::span<std::byte> into);
  // `into` becomes itself and `with` combined, or `with` and itself.
  void combine_with(std::span<std::byte> into, std::span<const std::byte> with,
                    const combination_of_elements& how);
  void combine_behind(std::span<std::byte> into, std::span<const std::byte> with,
                      const combination_of_elements& how);
  // What comes later depends on all that comes before.
  void fence();
  // Who uses this memory later waits until all that is to be sent before has been sent.
  void send_before_use_of(std::span<std::byte> there);

  // All steps so far. Messages name their partners by tags, each of which a pair of PEs uses once
  // in a direction.
  [[nodiscard]] schedule_graph take() &&;

 private:
  // All that has been written down.
  struct steps {
    std::span<std::byte> room;
    std::size_t scratch_bytes = 0;
    std::vector<std::unique_ptr<std::byte[]>> made_up;
    schedule_graph graph;
    memory_uses uses;
    std::map<int, int> sent;  // messages, by PE of the world
    std::map<int, int> received;
    std::size_t fenced_from = 0;  // vertices between the last two fences
    std::size_t fenced_to = 0;
  };

  graph_vertex& add(graph_vertex v);
  void reads(graph_vertex& v, std::span<const std::byte> there);
  void writes(graph_vertex& v, std::span<std::byte> there);
  void combine(std::span<std::byte> into, std::span<const std::byte> with, bool is_behind,
               const combination_of_elements& how);
  [[nodiscard]] int newest() const { return static_cast<int>(steps_->graph.vertices.size()) - 1; }
  [[nodiscard]] int in_world(int pe) const {
    return members_.empty() ? pe : members_[static_cast<std::size_t>(pe)];
  }

  int pe_;
  int pes_;
  std::vector<int> members_;  // PEs of the world; none: all
  std::shared_ptr<steps> steps_;
};

}  // namespace boxcar::detail
