// A compiled schedule on one PE is its graph as triggered operations of its own adapter.
//
// Each vertex has a counter of its inputs, and a counter of its completions if a vertex depends on
// it. Counters are never set back: in run k, thresholds are k times the thresholds of a single run.
// Early counts, by a PE that is ahead, therefore belong to the right run.
//
// A message is sent when the send is due and the receiver has granted the message: the grant is
// another input. Messages longer than the limit are granted when the receive is due, and go
// directly to their destination (rendezvous with pre-matched messages; offloaded-collectives-2013,
// section IV.B). Shorter messages go to a shadow of the memory. The first run of a shadow is
// granted in advance, each further run when the previous message has been copied to its destination
// (the eager protocol, section IV.D; the paper does not say how the protocol begins again).
//
// Within a node, a message that is not eager is a local rendezvous (trigger/records.hpp): no grant
// travels, and the PE that makes the later end due delivers the message.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/adapter.hpp>

#include "schedule/backend.hpp"
#include "schedule/compiled_schedule.hpp"
#include "schedule/matching.hpp"
#include "schedule/schedule_graph.hpp"
#include "trigger/adapter_state.hpp"

namespace boxcar::detail {

class schedule_state final : public compiled_schedule {
 public:
  // Collective. Makes all objects that runs need. The caller opens the schedule's adapter
  // (rpc_engine::open), then calls `find_rendezvous`; runs may be started afterwards. Throws on
  // some PEs: argument_error if other PEs cannot reach the memory of a vertex, system_error if
  // memory lacks.
  schedule_state(const world& w, matched_schedule what, const include_functions& includes);
  schedule_state(const schedule_state&) = delete;
  schedule_state& operator=(const schedule_state&) = delete;
  // Local. Gives up a run in flight: when the destructor returns, no other PE touches the memory of
  // the vertices, and no function of the schedule is called.
  ~schedule_state() override;

  // Finds the messages that receivers of the node have published. Precondition: all PEs of the node
  // have made their schedules.
  void find_rendezvous();

  // Records why the network does not execute the schedule, for `explain`.
  void say_why(std::string not_by_network) { why_ = std::move(not_by_network); }

  void start() override;
  [[nodiscard]] bool test() override;
  void wait() override;

  [[nodiscard]] std::string text() const override { return graph_.text(partners_); }
  [[nodiscard]] std::string graphviz() const override { return graph_.graphviz(partners_); }
  [[nodiscard]] std::string explain() const override;

 private:
  struct vertex_counters {
    // Counts dependencies, and grants or arrivals; for a single dependency, the counter of its
    // vertex.
    event_counter waits;
    event_counter complete;  // the counter of all ends, if nothing depends on the vertex
  };
  // The protocol of a message: to a shadow, when granted, or by a local rendezvous.
  enum class way : std::uint8_t { none, eager, granted, local_rendezvous };

  [[nodiscard]] static way way_of(const world& w, const graph_vertex& v, int partner,
                                  const eager_limits& eager);
  // Returns whether a vertex waits for several inputs, or for other PEs.
  [[nodiscard]] bool counts_by_itself(std::size_t vertex) const;
  void prepare();
  [[nodiscard]] int number_of(int vertex) const {
    return message_numbers_[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] adapter_limits limits_for(const world& w, const eager_limits& eager,
                                          std::size_t scratch_bytes);
  void prepare(int vertex, const vertex_counters& mine);
  void prepare_send(int vertex, const vertex_counters& mine);
  void prepare_receive(int vertex, const vertex_counters& mine);
  // Publishes the rendezvous messages that the receives expect.
  void expect_senders();
  [[nodiscard]] int place_of(int pe) const;
  [[nodiscard]] rendezvous_end end_at(std::span<const std::byte> memory,
                                      const vertex_counters& mine) const;
  // Adds an operation to each run; without a threshold, at the start.
  void add_step(const event_counter& counter, std::uint64_t threshold,
                const boxcar::operation::any& what);
  void add_step(const event_counter& counter, std::uint64_t threshold, const command& what);

  schedule_graph graph_;
  std::vector<vertex_place> partners_;
  std::vector<int> message_numbers_;       // of each vertex, for its partner
  std::vector<way> ways_;                  // of each vertex
  std::vector<vertex_counters> counters_;  // of each vertex, while the schedule is made
  adapter adapter_;
  adapter_state& adapter_state_;
  std::span<std::byte> shadows_;  // the unused rest of the adapter's memory
  event_counter ends_;            // of vertices on which nothing depends, with the completion count
  record_name end_name_;
  std::uint64_t ends_in_a_run_ = 0;
  // Operations of run k fire when a counter has reached k times the threshold.
  std::vector<adapter_state::repeated> steps_;
  std::vector<rendezvous_record*> due_;  // at the start
  std::uint64_t runs_ = 0;
  std::string why_;
};

}  // namespace boxcar::detail
