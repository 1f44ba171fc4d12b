// A compiled schedule on one PE: its graph as triggered operations of an adapter of its own.
//
// Each vertex has a counter of what it waits for, and if something depends on it, one that counts
// its runs. Counters are never set back: in run k thresholds are k times what they are in a run. So
// what is counted early, by a PE that is ahead, is counted for the run that it belongs to.
//
// A message is sent when the send is due and the receiver has granted it: that is one more to wait
// for. Messages that are longer than the limit are granted when the receive is due, and go where
// they are wanted (rendezvous with pre-matched messages; offloaded-collectives-2013, section IV.B).
// The others go to a shadow of the memory, of which the first run is granted beforehand, and each
// further one when the message before it has been copied to its place (the eager protocol, section
// IV.D, of which the paper does not say how it begins again).
//
// Within a node a message that is not eager is a meeting (trigger/records.hpp): no grant travels,
// and whoever makes the later of its ends due delivers it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/adapter.hpp>

#include "schedule/carrying.hpp"
#include "schedule/compiled_schedule.hpp"
#include "schedule/matching.hpp"
#include "schedule/schedule_graph.hpp"
#include "trigger/adapter_state.hpp"

namespace boxcar::detail {

class schedule_state final : public compiled_schedule {
 public:
  // Collective.
  schedule_state(const world& w, matched_schedule what, const including& includes);
  schedule_state(const schedule_state&) = delete;
  schedule_state& operator=(const schedule_state&) = delete;
  // Local. A run that is under way is given up: no other PE touches the memory of its vertices when
  // this returns, and none of its functions is called.
  ~schedule_state() override;

  // Collective. Makes all that runs need: behind it they may be started. Throws argument_error on
  // all PEs, with what `operation` and `owner` are called, if others cannot reach the memory of a
  // vertex or something cannot be had.
  void prepare(substrate& world, std::string_view operation, std::string_view owner);

  // Why the network does not carry it out, for `explain`.
  void say_why(std::string not_by_network) { why_ = std::move(not_by_network); }

  void start() override;
  [[nodiscard]] bool test() override;
  void wait() override;

  [[nodiscard]] std::string text() const override { return graph_.text(partners_); }
  [[nodiscard]] std::string graphviz() const override { return graph_.graphviz(partners_); }
  [[nodiscard]] std::string explain() const override;

 private:
  struct vertex_counters {
    // For what it depends on, and grants or arrivals; that of the only vertex it depends on.
    event_counter waits;
    event_counter complete;  // that of the schedule, if nothing depends on it
  };
  // How a message travels: to a shadow, when it is granted, or by a meeting.
  enum class way : std::uint8_t { none, eager, granted, met };

  [[nodiscard]] static way way_of(const world& w, const graph_vertex& v, int partner,
                                  const eager_limits& eager);
  // It waits for more than one thing, or for other PEs.
  [[nodiscard]] bool counts_by_itself(std::size_t vertex) const;
  void prepare(std::vector<vertex_counters>& counters);
  [[nodiscard]] int number_of(int vertex) const {
    return message_numbers_[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] adapter_limits limits_for(const world& w, const eager_limits& eager);
  void prepare(int vertex, const vertex_counters& mine);
  void prepare_send(int vertex, const vertex_counters& mine);
  void prepare_receive(int vertex, const vertex_counters& mine);
  // Messages that are met: the receiver says what it expects, and behind an agreement of all its
  // senders find that.
  void expect_senders(const std::vector<vertex_counters>& counters);
  void meet_receivers(const std::vector<vertex_counters>& counters);
  [[nodiscard]] int place_of(int pe) const;
  [[nodiscard]] meeting_end end_at(std::span<const std::byte> memory,
                                   const vertex_counters& mine) const;
  // Without a threshold: at the start.
  void add_step(const event_counter& counter, std::uint64_t threshold,
                const boxcar::operation::any& what);
  void add_step(const event_counter& counter, std::uint64_t threshold, const command& what);

  schedule_graph graph_;
  std::vector<vertex_place> partners_;
  std::vector<int> message_numbers_;  // of each vertex, for its partner
  std::vector<way> ways_;             // of each vertex
  adapter adapter_;
  adapter_state& carrier_;
  std::span<std::byte> shadows_;  // what is left of the adapter's memory
  event_counter ends_;            // of vertices on which nothing depends, with the tally
  record_name end_name_;
  std::uint64_t ends_in_a_run_ = 0;
  // In run k: when a counter has reached k times the threshold.
  std::vector<adapter_state::repeated> steps_;
  std::vector<meeting_record*> due_;  // at the start
  std::uint64_t runs_ = 0;
  std::string why_;
};

}  // namespace boxcar::detail
