// Records the steps of a PE in a collective, like a sequential program. The record becomes a part
// of a graph, in which a step depends only on earlier steps that use the same memory. Hence
// pipelined steps run concurrently, and each record is free of data races.
//
// Messages between two PEs match in the order in which the two PEs recorded them.
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
  // `room` provides the memory of `scratch`. If `room` is too small, scratch memory is a
  // placeholder, and the flow only determines the necessary size.
  flow(int pe, int pes, std::span<std::byte> room = {});

  [[nodiscard]] int pe() const { return pe_; }
  [[nodiscard]] int pes() const { return pes_; }
  // Returns the PE at a distance, around the circle.
  [[nodiscard]] int away(int distance) const { return ((pe_ + distance) % pes_ + pes_) % pes_; }

  // Returns a flow among the PEs in `some`, which include the current PE; they are numbered by
  // their positions in `some`. Both flows record into the same graph.
  [[nodiscard]] flow among(const std::vector<int>& some) const;

  // Returns scratch memory that no other step uses.
  [[nodiscard]] std::span<std::byte> scratch(std::size_t bytes);
  [[nodiscard]] std::size_t scratch_bytes() const { return steps_->scratch_bytes; }

  void send(std::span<const std::byte> from, int to);
  void receive(std::span<std::byte> into, int from);
  // Does nothing if `from` and `into` are the same memory.
  void copy(std::span<const std::byte> from, std::span<std::byte> into);
  // combine_with stores `into` * `with` in `into`; combine_behind stores `with` * `into`.
  void combine_with(std::span<std::byte> into, std::span<const std::byte> with,
                    const combination_of_elements& how);
  void combine_behind(std::span<std::byte> into, std::span<const std::byte> with,
                      const combination_of_elements& how);
  // Makes all later steps depend on all earlier steps.
  void fence();
  // Makes later steps that use the memory wait until all earlier sends are complete.
  void send_before_use_of(std::span<std::byte> there);

  // Returns all steps so far. Messages have tags; a pair of PEs uses each tag once in a direction.
  [[nodiscard]] schedule_graph take() &&;

 private:
  // All recorded steps.
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
  std::vector<int> members_;  // PEs of the world; empty: all PEs
  std::shared_ptr<steps> steps_;
};

}  // namespace boxcar::detail
