// The forecast of one session of a conveyor: what the PEs with most work do on each stage of the
// route, and which resource limits the session.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <boxcar/conveyor_plan.hpp>

#include "planner/setting_traffic.hpp"
#include "planner/stage_work.hpp"
#include "planner/topology_load.hpp"

namespace boxcar::detail {

class session_forecast {
 public:
  // Precondition: the arguments outlive the forecast. `topology`: by stage.
  session_forecast(const plan_request& wish, const simulated_network& network,
                   const conveyor_options& options, const setting_traffic& traffic,
                   const std::vector<topology_load>& topology);

  // Returns the forecast without `code` and `memory_bytes`.
  [[nodiscard]] planned_setting result();

 private:
  [[nodiscard]] bool is_synchronous() const {
    return options_.kind == conveyor_kind::simple || options_.kind == conveyor_kind::twohop;
  }
  [[nodiscard]] std::size_t stages() const { return traffic_.pairs.size(); }
  [[nodiscard]] double capacity(const stage_traffic& s) const {
    return std::max(1.0, std::floor(static_cast<double>(options_.buffer_bytes) / s.packet_bytes));
  }
  [[nodiscard]] double core_time(double bytes) const {
    const network_level& far = network_.other_node;
    return far.overhead + std::max(0.0, bytes - 1) * far.overhead_per_byte;
  }
  [[nodiscard]] double adapter_time(double bytes) const {
    const network_level& far = network_.other_node;
    return far.gap + std::max(0.0, bytes - 1) * far.gap_per_byte;
  }

  // Returns the work for the given numbers of packets and of buffers.
  [[nodiscard]] stage_work work_of(const stage_traffic& s, double near_items, double far_items,
                                   double near_buffers, double far_buffers) const;

  // Returns the work of a whole session.
  [[nodiscard]] stage_work whole(const stage_traffic& s) const;
  // Returns the work for the last buffers of all links, without the packets in them.
  [[nodiscard]] stage_work last_ones(const stage_traffic& s) const {
    return without_end_messages(s, work_of(s, 0, 0, s.near_links + s.idle_links, s.far_links));
  }
  // Nobody waits until the credits for the last buffers of all links have left.
  [[nodiscard]] stage_work without_end_messages(const stage_traffic& s, stage_work w) const;

  void find_work();

  void find_bounds(planned_setting& p) const;

  // Returns the time until a buffer sent on a stage is visible at the receiver.
  [[nodiscard]] double latency(std::size_t s) const {
    if (traffic_.pairs[s].empty()) return network_.same_node.latency;
    return network_.other_node.latency + topology_[s].latency;
  }

  [[nodiscard]] double links_busy(std::size_t s, double bytes) const;

  // Returns the time of a collective of a world.
  [[nodiscard]] double collective(double bytes) const;

  // Returns the number of packets that travel on each link of a stage in a session.
  [[nodiscard]] double on_each_link(const stage_traffic& t) const {
    const double links = t.near_links + t.far_links;
    return links == 0 ? 0 : (t.near_items + t.far_items) * items_ / links;
  }

  // The function finds the share of all packets in the buffers of a stage when nothing more enters
  // the stage: packets in partly filled buffers, and, on the first stage, packets in unread
  // buffers, as PEs poll only when they have no room.
  void find_ends();

  // Full buffers leave while the program fills others: the busiest resource decides. The packets
  // left at the end take one hop after the other.
  void estimate(planned_setting& p);

  // Returns the time of the busiest PE for the full buffers of a stage and their packets.
  [[nodiscard]] double busy_role_core(std::size_t s) const;

  // A PE sends its buffers without polling for arrivals, then handles arrivals as they come.
  // Packets for the next stage are sent along with the arrivals.
  [[nodiscard]] double end_of_stage(std::size_t s) const;

  // If the buffers of the next stage are filled few times, all of them are full at about the same
  // time. While a PE sends the buffers the PE receives nothing: PEs with many packets for this PE
  // wait.
  [[nodiscard]] double burst_behind(std::size_t s) const;

  // Returns how often the fullest of all links of all PEs has to wait for its buffers. The buffers
  // of a link with several buffers come back together.
  [[nodiscard]] double refills(const stage_traffic& t, double n) const;

  // With a single buffer per link a PE stands still after filling the buffer, until the credit is
  // back, whatever room the other links have. The PE with most waits decides.
  [[nodiscard]] double stand_still(std::size_t s) const;

  [[nodiscard]] double near_and_back() const {
    return 2 * (network_.same_node.latency + network_.same_node.overhead);
  }

  // Returns the time from sending a buffer until the buffer can be filled again, if nothing delays
  // the buffer.
  [[nodiscard]] double there_and_back(std::size_t s) const;

  // A buffer can be filled again when its credit has come back. Until then a PE fills other buffers
  // of the link, if there are any.
  [[nodiscard]] double credit_time(std::size_t s) const;

  // All PEs push until a link has no room, agree, and wait for one another: nothing overlaps.
  void estimate_rounds(planned_setting& p);

  const plan_request& wish_;
  const simulated_network& network_;
  const conveyor_options& options_;
  const setting_traffic& traffic_;
  const std::vector<topology_load>& topology_;  // by stage
  double items_;
  std::vector<stage_work> busiest_;  // by stage, of the PE with most work on the stage
  std::vector<stage_work> last_;
  std::vector<double> at_end_;  // by stage
  std::vector<double> started_;
  std::vector<stage_work> mean_;  // of an average PE
  std::vector<stage_work> last_mean_;
  std::vector<const stage_traffic*> most_of_;  // by stage, of the PE with most work on the stage
  const role_traffic* busy_role_ = nullptr;    // of the PE with most work in all
};

}  // namespace boxcar::detail
