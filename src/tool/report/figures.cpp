#include "report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

#include <boxcar/model.hpp>

namespace boxcar::tool {
namespace {

constexpr double microseconds = 1e6;
constexpr std::size_t max_wait_kinds = 6;

// The groups of PEs in the figures of a report. There are at most `max_groups`, however many PEs a
// trace claims.
struct grouping {
  std::string what;
  std::vector<std::string> names;
  std::vector<int> node_of_pe;  // empty unless groups are nodes
  int block = 1;                // the number of PEs of a group that is no node

  [[nodiscard]] std::size_t of(int pe) const {
    return static_cast<std::size_t>(node_of_pe.empty() ? pe / block
                                                       : node_of_pe[static_cast<std::size_t>(pe)]);
  }
};

grouping group(const traced_job& job) {
  grouping g;
  const int most = job_figures::max_groups;
  if (job.pes <= most) {
    g.what = "PE";
    for (int pe = 0; pe < job.pes; ++pe) g.names.push_back(std::to_string(pe));
    return g;
  }
  const bool knows_all = job.parts.size() == static_cast<std::size_t>(job.pes);
  if (job.nodes > 1 && job.nodes <= most && knows_all) {
    g.what = "node";
    for (const part_of_pe& p : job.parts) g.node_of_pe.push_back(p.node);  // parts are in PE order
    for (int node = 0; node < job.nodes; ++node) g.names.push_back(std::to_string(node));
    return g;
  }
  g.block = (job.pes - 1) / most + 1;
  g.what = "block of " + std::to_string(g.block) + " PEs";
  for (std::int64_t pe = 0; pe < job.pes; pe += g.block) {
    g.names.push_back(std::to_string(pe) + "–" +
                      std::to_string(std::min<std::int64_t>(pe + g.block, job.pes) - 1));
  }
  return g;
}

// Returns the kind of wait for each name of a call.
std::vector<std::size_t> choose_wait_kinds(const traced_job& job, job_figures& f) {
  std::vector<double> time(job.calls.size());
  for (const part_of_pe& p : job.parts) {
    for (const traced_span& w : p.waits) time[w.name] += w.length;
  }
  std::vector<std::size_t> order(job.calls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return time[i]; });
  std::erase_if(order, [&](std::size_t i) { return time[i] == 0; });
  std::vector<std::size_t> kinds(job.calls.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_other = i + 1 >= max_wait_kinds && order.size() > max_wait_kinds;
    kinds[order[i]] = is_other ? max_wait_kinds - 1 : i;
    if (f.wait_kinds.size() <= kinds[order[i]]) {
      f.wait_kinds.push_back(is_other ? "elsewhere" : job.calls[order[i]]);
    }
  }
  return kinds;
}

// Adds a span to all overlapping steps of time, in microseconds.
void spread(const traced_span& span, const job_figures& f, std::vector<double>& steps) {
  const double step = (f.end - f.begin) / job_figures::time_steps;
  if (step <= 0) return;
  const double end = span.begin + span.length;
  const double first =
      std::clamp((span.begin - f.begin) / step, 0.0, job_figures::time_steps - 1.0);
  for (auto i = static_cast<std::size_t>(first); i < steps.size(); ++i) {
    const double from = f.begin + static_cast<double>(i) * step;
    if (from >= end) return;
    steps[i] += std::max(std::min(end, from + step) - std::max(span.begin, from), 0.0);
  }
}

// Returns the processor time of a message at both ends.
double seconds_of_message(const model::link_costs& link) {
  return link.send_seconds + link.receive_seconds;
}

void add_sent(const part_of_pe& p, const grouping& groups, std::size_t mine, job_figures& f) {
  const model::machine machine = model::ordinary_machine();
  const double local_seconds = seconds_of_message(machine.within_node);
  const double far_seconds = seconds_of_message(machine.between_nodes);
  for (const sent_buffer& b : p.sent) {
    const std::size_t to = groups.of(b.to);
    f.bytes_between[mine * f.groups.size() + to] += b.bytes;
    f.groups[mine].sent_bytes += b.bytes;
    ++f.groups[mine].sent_buffers;
    if (!b.is_local) f.between_nodes += b.bytes;
    object_figures& o = f.objects[b.object];
    ++o.buffers;
    o.bytes += b.bytes;
    if (b.filled == 0) {
      ++f.empty_buffers;
      continue;
    }
    o.filled += b.filled;
    o.capacity += b.capacity;
    ++o.messages;
    o.message_seconds += b.is_local ? local_seconds : far_seconds;
    const double fill =
        b.capacity == 0 ? 1 : static_cast<double>(b.filled) / static_cast<double>(b.capacity);
    const auto step = std::min<std::size_t>(
        static_cast<std::size_t>(fill * job_figures::fill_steps), job_figures::fill_steps - 1);
    ++f.fills[step];
    if (b.is_last) ++f.last_fills[step];
  }
}

}  // namespace

double object_figures::seconds_saved() const {
  if (messages == 0 || filled == 0) return 0;
  const double all = static_cast<double>(messages);
  // A trace that was changed may have fuller buffers than there can be.
  const double fuller = static_cast<double>(capacity) / static_cast<double>(filled);
  return model::processor_seconds_saved({.send_seconds = message_seconds / all,
                                         .items_per_buffer = std::max(1.0, fuller),
                                         .items = all});
}

std::vector<object_figures> job_figures::costly_objects() const {
  constexpr double least_share = 0.02;
  std::vector<object_figures> costly;
  std::ranges::copy_if(objects, std::back_inserter(costly), [&](const object_figures& o) {
    return o.message_seconds > least_share * seconds;
  });
  std::ranges::stable_sort(costly, std::greater(), &object_figures::message_seconds);
  return costly;
}

double group_figures::waited() const {
  return std::accumulate(waits.begin(), waits.end(), 0.0);
}
double group_figures::computed() const {
  return std::max(seconds - waited() - handlers, 0.0);
}

job_figures figures_of(const traced_job& job) {
  job_figures f;
  const grouping groups = group(job);
  f.groups_are = groups.what;
  f.groups.resize(groups.names.size());
  f.bytes_between.resize(groups.names.size() * groups.names.size());
  f.fills.resize(job_figures::fill_steps);
  f.last_fills.resize(job_figures::fill_steps);
  for (const traced_object& o : job.objects) {
    object_figures& mine = f.objects.emplace_back();
    mine.name = o.name;
    mine.about = o.about;
    mine.sessions = o.sessions;
  }
  const std::vector<std::size_t> kinds = choose_wait_kinds(job, f);

  f.begin = job.parts.front().begin;
  f.end = job.parts.front().end;
  for (const part_of_pe& p : job.parts) {
    f.begin = std::min(f.begin, p.begin);
    f.end = std::max(f.end, p.end);
  }
  const std::vector<double> nothing(job_figures::time_steps);
  std::vector<std::vector<double>> waiting(f.groups.size(), nothing);
  std::vector<std::vector<double>> there(f.groups.size(), nothing);
  for (std::size_t i = 0; i < f.groups.size(); ++i) {
    f.groups[i].name = groups.names[i];
    f.groups[i].waits.resize(f.wait_kinds.size());
  }
  for (const part_of_pe& p : job.parts) {
    const std::size_t mine = groups.of(p.pe);
    group_figures& g = f.groups[mine];
    ++g.pes;
    g.seconds += (p.end - p.begin) / microseconds;
    f.seconds += (p.end - p.begin) / microseconds;
    g.received_buffers += p.received_buffers;
    g.received_bytes += p.received_bytes;
    for (const traced_span& w : p.waits) {
      g.waits[kinds[w.name]] += w.length / microseconds;
      spread(w, f, waiting[mine]);
    }
    for (const traced_span& h : p.handlers) g.handlers += h.length / microseconds;
    spread({p.begin, p.end - p.begin, 0}, f, there[mine]);
    add_sent(p, groups, mine, f);
  }
  for (std::size_t i = 0; i < f.groups.size(); ++i) {
    for (std::size_t t = 0; t < nothing.size(); ++t) {
      f.groups[i].timeline.push_back(there[i][t] > 0 ? std::min(waiting[i][t] / there[i][t], 1.0)
                                                     : -1);
    }
  }
  std::ranges::stable_sort(f.objects, std::greater(), &object_figures::bytes);
  return f;
}

}  // namespace boxcar::tool
