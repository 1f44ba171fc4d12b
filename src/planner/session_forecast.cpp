#include "planner/session_forecast.hpp"

#include <bit>
#include <utility>

#include <boxcar/detail/item_count.hpp>

#include "planner/link_buffers.hpp"
#include "planner/setting_code.hpp"

namespace boxcar::detail {
namespace {

// The size of the credit message that returns a buffer to the sender.
constexpr double word_bytes = 8;
// The size of the collective in each round of a synchronous conveyor.
constexpr double agreed_bytes = 32;

}  // namespace

session_forecast::session_forecast(const plan_request& wish, const simulated_network& network,
                                   const conveyor_options& options, const setting_traffic& traffic,
                                   const std::vector<topology_load>& topology)
    : wish_(wish),
      network_(network),
      options_(options),
      traffic_(traffic),
      topology_(topology),
      items_(item_count(wish.items_per_pe)) {}

planned_setting session_forecast::result() {
  planned_setting p;
  p.options = options_;
  p.way = way_text(options_);
  p.hops = traffic_.cost.hops;
  p.links = traffic_.cost.links;
  find_work();
  find_bounds(p);
  if (is_synchronous()) {
    estimate_rounds(p);
  } else {
    estimate(p);
  }
  for (double* t :
       {&p.seconds, &p.core_seconds, &p.adapter_seconds, &p.link_seconds, &p.ending_seconds}) {
    *t *= 1e-9;
  }
  return p;
}

stage_work session_forecast::work_of(const stage_traffic& s, double near_items, double far_items,
                                     double near_buffers, double far_buffers) const {
  const core_costs& core = network_.core;
  const double items = near_items + far_items;
  const double bytes = items * s.packet_bytes;
  const double among =
      (s.near_links + s.idle_links + s.far_links) * static_cast<double>(options_.buffer_bytes);
  const double missed = among <= core.cache_bytes ? 0.0 : 1 - core.cache_bytes / among;
  const double far_bytes = far_items * s.packet_bytes;
  const double per_buffer = far_buffers == 0 ? 0 : far_bytes / far_buffers;
  stage_work w;
  w.fill = items * ((s.is_first ? core.push : core.pivot) + missed * core.miss) + bytes * core.byte;
  w.send = far_buffers * core_time(per_buffer) + near_buffers * network_.same_node.overhead;
  w.take = far_buffers * (core_time(per_buffer) + core_time(word_bytes)) +
           near_buffers * network_.same_node.overhead;
  if (s.is_last) w.pull = items * core.pull + bytes * core.byte;
  w.adapter = far_buffers * (adapter_time(per_buffer) + adapter_time(word_bytes));
  w.bytes = far_bytes + far_buffers * word_bytes;
  return w;
}

stage_work session_forecast::whole(const stage_traffic& s) const {
  const auto buffers = [&](double links, double items) {
    return links == 0 ? 0 : links * buffers_of(items * items_ / links, capacity(s));
  };
  return without_end_messages(s, work_of(s, s.near_items * items_, s.far_items * items_,
                                         buffers(s.near_links, s.near_items) + s.idle_links,
                                         buffers(s.far_links, s.far_items)));
}

stage_work session_forecast::without_end_messages(const stage_traffic& s, stage_work w) const {
  w.adapter -= s.far_links * adapter_time(word_bytes);
  w.bytes -= s.far_links * word_bytes;
  return w;
}

void session_forecast::find_work() {
  busiest_.assign(stages(), {});
  last_.assign(stages(), {});
  mean_.assign(stages(), {});
  last_mean_.assign(stages(), {});
  most_of_.assign(stages(), nullptr);
  double most = -1;
  for (const role_traffic& role : traffic_.roles) {
    double core = 0;
    for (std::size_t s = 0; s < stages(); ++s) {
      const stage_work all = whole(role.stages[s]);
      const stage_work last = last_ones(role.stages[s]);
      mean_[s] += role.share * all;
      last_mean_[s] += role.share * last;
      core += all.core();
      // The stages end one after the other: a stage ends when the PEs with most work on it are
      // done.
      if (most_of_[s] != nullptr && all.core() < busiest_[s].core()) continue;
      busiest_[s] = all;
      last_[s] = last;
      most_of_[s] = &role.stages[s];
    }
    if (core <= most) continue;
    most = core;
    busy_role_ = &role;
  }
}

void session_forecast::find_bounds(planned_setting& p) const {
  const double per_node = wish_.pes_per_node;
  double bytes = 0;
  double buffers_room = 0;
  double packets = 0;
  std::vector<double> kinds;
  for (std::size_t s = 0; s < stages(); ++s) {
    p.core_seconds += mean_[s].core();
    p.adapter_seconds += per_node * mean_[s].adapter;
    bytes += per_node * mean_[s].bytes;
    const auto& busy = topology_[s].busy_per_byte;
    kinds.resize(std::max(kinds.size(), busy.size()));
    for (std::size_t k = 0; k < busy.size(); ++k) {
      kinds[k] += busy[k] * per_node * mean_[s].bytes;
    }
    for (const role_traffic& role : traffic_.roles) {
      const stage_traffic& t = role.stages[s];
      bytes += per_node * role.share * t.far_links * word_bytes;
      for (const auto& [links, items] :
           {std::pair{t.near_links, t.near_items}, std::pair{t.far_links, t.far_items}}) {
        if (links == 0) continue;
        packets += role.share * items * items_;
        buffers_room +=
            role.share * links * capacity(t) * buffers_of(items * items_ / links, capacity(t));
      }
    }
  }
  for (const double k : kinds) p.link_seconds = std::max(p.link_seconds, k);
  p.injected_bytes = bytes;
  p.fill = buffers_room == 0 ? 0 : packets / buffers_room;
}

double session_forecast::links_busy(std::size_t s, double bytes) const {
  double most = 0;
  for (const double k : topology_[s].busy_per_byte) most = std::max(most, k);
  return most * wish_.pes_per_node * bytes;
}

double session_forecast::collective(double bytes) const {
  const auto depth = [](int members) {
    return members <= 1 ? 0.0 : double(std::bit_width(static_cast<unsigned>(members - 1)));
  };
  const network_level& far = network_.other_node;
  const std::vector<node_pair> across{{0, wish_.nodes / 2}};
  const double step = far.latency + load_of(network_, wish_.nodes, across).latency +
                      2 * core_time(bytes) + std::max(0.0, bytes - 1) * far.gap_per_byte;
  return depth(wish_.nodes) * step +
         depth(wish_.pes_per_node) * (network_.same_node.latency + network_.same_node.overhead);
}

void session_forecast::find_ends() {
  at_end_.clear();
  started_.clear();
  double end = 0;
  double start = 0;
  for (std::size_t s = 0; s < stages(); ++s) {
    const stage_traffic& t = *most_of_[s];
    const double n = on_each_link(t);
    const double under_way = s == 0 ? 0.5 * options_.buffers_per_link : 0;
    const double room = n == 0 ? 1 : capacity(t) / n;
    end = std::min(1.0, end + (0.5 + under_way) * room);
    start = std::min(1.0, start + room);
    at_end_.push_back(std::max(end, s == 0 ? 0 : start));
    started_.push_back(start);
  }
}

void session_forecast::estimate(planned_setting& p) {
  find_ends();
  const double per_node = wish_.pes_per_node;
  double core = 0;
  double adapter = 0;
  double links = 0;
  double credit = 0;
  double still = 0;
  double start = 0;  // until the first buffer leaves the node
  double ending = 0;
  for (std::size_t s = 0; s < stages(); ++s) {
    const double steady = 1 - at_end_[s];
    const double sends = mean_[s].adapter - last_mean_[s].adapter;
    if (sends > 0 && start == 0) start = steady * started_[s] * busiest_.front().fill;
    adapter += steady * per_node * sends;
    links += steady * links_busy(s, mean_[s].bytes - last_mean_[s].bytes);
    credit = std::max(credit, steady * credit_time(s));
    still += stand_still(s);
    ending += end_of_stage(s);
    core += steady * busy_role_core(s);
  }
  const double carried = std::max(adapter, links) + start;
  const double steady = std::max({core, carried, credit}) + still;
  p.ending_seconds = ending;
  p.seconds = 2 * collective(agreed_bytes) + steady + ending;
  p.limit = steady < ending                            ? plan_limit::ending
            : credit + still > std::max(core, carried) ? plan_limit::credit
            : core >= carried                          ? plan_limit::core
            : adapter >= links                         ? plan_limit::adapter
                                                       : plan_limit::links;
}

double session_forecast::busy_role_core(std::size_t s) const {
  stage_work w = whole(busy_role_->stages[s]);
  w += -1 * last_ones(busy_role_->stages[s]);
  return w.fill + std::max(0.0, w.send + w.take) + w.pull;
}

double session_forecast::end_of_stage(std::size_t s) const {
  const stage_work& last = last_[s];
  const double at_end = std::max(at_end_[s], 1e-9);
  stage_work end = busiest_[s];
  end += -1 * last;
  end = at_end * end;
  end += last;
  // (The time to put packets into a buffer is charged when the buffer is sent.)
  const double sent = end.fill + end.send;
  const double taken = end.take + end.pull;
  const stage_traffic& t = *most_of_[s];
  const double n = at_end * on_each_link(t);
  const double of_link = std::max(1.0, n / capacity(t));
  const double far = std::max(1.0, t.far_links * of_link);
  const double all = std::max(1.0, (t.near_links + t.far_links) * of_link);
  const double adapter = wish_.pes_per_node * (last_mean_[s].adapter +
                                               at_end * (mean_[s].adapter - last_mean_[s].adapter));
  const double last_bytes = std::min(n, capacity(t)) * t.packet_bytes;
  const double there =
      latency(s) + (t.far_links == 0 ? 0 : adapter_time(last_bytes) - network_.other_node.gap);
  const double on_the_way = std::max(adapter, links_busy(s, end.bytes));
  return std::max({sent + taken, sent + there + taken / all,
                   sent / far + on_the_way + taken / far + there}) +
         refills(t, n) * there_and_back(s) + burst_behind(s);
}

double session_forecast::burst_behind(std::size_t s) const {
  if (s + 1 == stages()) return 0;
  const stage_traffic& here = *most_of_[s];
  const stage_traffic& next = *most_of_[s + 1];
  const double n = on_each_link(next);
  if (n <= capacity(next)) return 0;
  const double left = on_each_link(here) * (1 - capacity(next) / n);
  if (left <= (options_.buffers_per_link - 1) * capacity(here)) return 0;
  return next.far_links * core_time(capacity(next) * next.packet_bytes);
}

double session_forecast::refills(const stage_traffic& t, double n) const {
  if (n == 0 || options_.buffers_per_link == 1) return 0;
  const double links = (t.near_links + t.far_links) * wish_.nodes * wish_.pes_per_node;
  const double most = n + std::sqrt(2 * n * std::log(std::max(links, 1.0)));
  return std::max(0.0, std::ceil(most / (capacity(t) * options_.buffers_per_link)) - 1);
}

double session_forecast::stand_still(std::size_t s) const {
  const stage_traffic& t = *most_of_[s];
  if (options_.buffers_per_link > 1) return 0;
  const overflows each = overflows_of(on_each_link(t), capacity(t));
  const double pes = static_cast<double>(wish_.nodes) * wish_.pes_per_node;
  const auto most = [&](double links) {
    const double mean = links * each.mean;
    const double more = std::sqrt(2 * links * each.variance * std::log(pes));
    return std::min(pes * mean, mean + more);
  };
  return most(t.near_links) * near_and_back() + most(t.far_links) * there_and_back(s);
}

double session_forecast::there_and_back(std::size_t s) const {
  const stage_traffic& t = *most_of_[s];
  if (t.far_links == 0) return near_and_back();
  const double bytes = std::min(on_each_link(t), capacity(t)) * t.packet_bytes;
  return 2 * latency(s) + 2 * core_time(bytes) + core_time(word_bytes) + adapter_time(bytes);
}

double session_forecast::credit_time(std::size_t s) const {
  if (options_.buffers_per_link == 1) return 0;
  const stage_traffic& t = *most_of_[s];
  const double room = (options_.buffers_per_link - 1) * capacity(t) + 1;
  return on_each_link(t) / room * there_and_back(s);
}

void session_forecast::estimate_rounds(planned_setting& p) {
  const stage_traffic& first = busy_role_->stages.front();
  const double links = first.near_links + first.far_links;
  const double room = capacity(first);
  // With so many packets per link on average, the fullest of all links has a full buffer.
  const double z = std::sqrt(2 * std::log(std::max(links, 2.0)));
  const double root = (std::sqrt(z * z + 4 * room) - z) / 2;
  const double in_round = std::max(1.0, root * root) * links;
  const double rounds = std::max(1.0, std::ceil(items_ / in_round)) + 1;
  double work = 0;
  double waits = (rounds + 1) * collective(agreed_bytes);
  for (std::size_t s = 0; s < stages(); ++s) {
    const stage_traffic& t = *most_of_[s];
    const stage_work w = work_of(t, t.near_items * items_, t.far_items * items_,
                                 rounds * t.near_links, rounds * t.far_links);
    const double carried = std::max(wish_.pes_per_node * w.adapter, links_busy(s, w.bytes));
    work += w.fill + w.pull + w.take + std::max(w.send, carried);
    waits += rounds * latency(s);
  }
  p.limit = waits > work ? plan_limit::rounds : plan_limit::core;
  p.ending_seconds = waits;
  p.seconds = 2 * collective(agreed_bytes) + work + waits;
}

}  // namespace boxcar::detail
