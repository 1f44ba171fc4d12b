#include "planner/plan_text.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>
#include <utility>

#include <boxcar/detail/item_count.hpp>

namespace boxcar::planner {
namespace {

// A plan without a bound on memory that takes more than this on a PE gets a warning.
constexpr std::size_t much_memory = std::size_t{256} << 20;

std::string three_digits(double value) {
  std::ostringstream out;
  out << std::setprecision(3) << value;
  return out.str();
}

std::string with_unit(double value, const char* unit) {
  constexpr std::array<std::pair<double, const char*>, 4> scales{
      {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1, " "}}};
  for (const auto& [scale, letter] : scales) {
    if (value >= scale) return three_digits(value / scale) + letter + unit;
  }
  return three_digits(value) + ' ' + unit;
}

std::string size_text(std::size_t bytes) {
  constexpr std::array<std::pair<std::size_t, const char*>, 3> scales{
      {{std::size_t{1} << 30, " GiB"}, {std::size_t{1} << 20, " MiB"}, {1024, " KiB"}}};
  for (const auto& [scale, unit] : scales) {
    if (bytes >= scale)
      return three_digits(static_cast<double>(bytes) / static_cast<double>(scale)) + unit;
  }
  return std::to_string(bytes) + " bytes";
}

std::string time_text(double seconds) {
  if (seconds >= 1) return three_digits(seconds) + " s";
  if (seconds >= 1e-3) return three_digits(seconds * 1e3) + " ms";
  return three_digits(seconds * 1e6) + " us";
}

std::string buffers_text(const planned_setting& s) {
  return std::to_string(s.options.buffers_per_link) +
         (s.options.buffers_per_link == 1 ? " buffer of " : " buffers of ") +
         std::to_string(s.options.buffer_bytes) + " bytes per link";
}

std::string percent(double part) {
  return three_digits(100 * part) + " %";
}

void add_tried(std::ostream& out, const plan& p) {
  if (p.tried.empty()) return;
  const auto seconds = [](const tried_setting& t) { return t.seconds; };
  const tried_setting& best = *std::ranges::min_element(p.tried, {}, seconds);
  out << "\nsimulated: " << p.tried.size() << " settings, the best by the model first";
  if (p.ruled_out != 0) {
    out << "; " << p.ruled_out << " others must take longer than the best of these";
  }
  out << "\n  simulated     model   setting\n";
  for (const tried_setting& t : p.tried) {
    out << "  " << std::setw(9) << time_text(t.seconds) << ' ' << std::setw(9)
        << time_text(t.setting.seconds) << "   " << t.setting.way << ", " << buffers_text(t.setting)
        << (&t == &best ? "   <- shortest" : "") << '\n';
  }
  out << "the plan takes " << percent(p.tried.front().seconds / best.seconds - 1)
      << " longer than the shortest of these\n";
}

}  // namespace

double items_per_second(const plan_request& wish, const planned_setting& p) {
  const double items = detail::item_count(wish.items_per_pe);
  return items / p.seconds;
}

double bytes_per_second(const planned_setting& p) {
  return p.injected_bytes / p.seconds;
}

std::string limit_text(const planned_setting& p) {
  const auto part = [&p](double seconds) {
    return percent(std::min(1.0, seconds / p.seconds)) + " of the time";
  };
  switch (p.limit) {
    case plan_limit::core:
      return "the cores, busy " + part(p.core_seconds);
    case plan_limit::adapter:
      return "the adapter of a node, busy " + part(p.adapter_seconds);
    case plan_limit::links:
      return "the links between adapters, busy " + part(p.link_seconds);
    case plan_limit::credit:
      return "all buffers of a link are under way before word comes back";
    case plan_limit::ending:
      return "the end of the session, " + part(p.ending_seconds) + ": buffers leave " +
             percent(p.fill) + " full, one hop after the other";
    case plan_limit::rounds:
      return "rounds, " + part(p.ending_seconds) + ": all PEs agree, and wait for one another";
  }
  return "";
}

std::string reason_against(const plan_request& wish, const runner_up& other,
                           const planned_setting& best) {
  const planned_setting& s = other.setting;
  if (!other.fits) {
    return "takes at least " + size_text(s.memory_bytes) + " on a PE, for " +
           std::to_string(s.links) + " links, of the " + size_text(wish.max_bytes) +
           " that there are";
  }
  const std::string less_full =
      s.fill < 0.9 * best.fill ? ", as buffers leave only " + percent(s.fill) + " full" : "";
  const std::string more_hops =
      s.hops > best.hops ? ", as every item is copied on " + std::to_string(s.hops) + " hops" : "";
  switch (s.limit) {
    case plan_limit::core: {
      const std::string small = s.options.buffer_bytes < best.options.buffer_bytes
                                    ? ", as each of the small buffers costs them something"
                                    : "";
      const std::string why = !less_full.empty()  ? less_full
                              : more_hops.empty() ? small
                                                  : more_hops;
      return "the cores are busy for " + time_text(s.core_seconds) + why;
    }
    case plan_limit::adapter:
      return "the adapter of a node is busy for " + time_text(s.adapter_seconds) +
             (less_full.empty() ? "" : less_full);
    case plan_limit::links:
      return "the links between adapters are busy for " + time_text(s.link_seconds);
    case plan_limit::credit:
      return "all buffers of a link are under way before word comes back";
    case plan_limit::ending:
      return "the end of the session takes " + time_text(s.ending_seconds) + ", over " +
             std::to_string(s.links) + " links of buffers that are " + percent(s.fill) + " full" +
             more_hops;
    case plan_limit::rounds:
      return "all PEs agree, and wait for one another, for " + time_text(s.ending_seconds);
  }
  return "";
}

std::string memory_warning(const plan& p) {
  const std::size_t of_pe = p.best().memory_bytes;
  if (p.wish.max_bytes != 0 || of_pe <= much_memory) return "";
  return "the buffers take " + size_text(of_pe) + " on a PE and " +
         size_text(of_pe * static_cast<std::size_t>(p.wish.pes_per_node)) +
         " on a node: bound them by --memory";
}

std::string text_of(const plan& p) {
  const planned_setting& best = p.best();
  std::ostringstream out;
  out << p.wish.nodes << " nodes of " << p.wish.pes_per_node << " PEs"
      << (p.network.empty() ? ", the usual network" : ", " + p.network) << "; items of "
      << p.wish.item_bytes << " bytes, "
      << (p.wish.items_per_pe == 0 ? "very many" : std::to_string(p.wish.items_per_pe))
      << " from each PE to PEs drawn at random; "
      << (p.wish.max_bytes == 0 ? "no bound on memory"
                                : "at most " + size_text(p.wish.max_bytes) + " on a PE")
      << "\n\n"
      << best.way << ", " << buffers_text(best) << "\n\n    " << best.code << "\n\n"
      << "memory   " << size_text(best.memory_bytes) << " on a PE, for " << best.links << " links\n"
      << "rate     " << with_unit(items_per_second(p.wish, best), "items/s per PE, ")
      << with_unit(bytes_per_second(best), "B/s from each node");
  if (p.wish.items_per_pe != 0) out << "; " << time_text(best.seconds) << " for a session";
  out << "\nlimit    " << limit_text(best) << '\n';
  if (const std::string warning = memory_warning(p); !warning.empty()) {
    out << "warning  " << warning << '\n';
  }
  out << '\n'
      << p.settings.size() << " settings compared; the best of other ways, and of other buffers:\n";
  for (const runner_up& r : p.runners_up) {
    if (r.fits) {
      out << "  " << std::fixed << std::setprecision(2) << std::setw(5)
          << r.setting.seconds / best.seconds << std::defaultfloat << " x  ";
    } else {
      out << "   none    ";
    }
    out << r.setting.way << ", " << buffers_text(r.setting) << ": "
        << reason_against(p.wish, r, best) << '\n';
  }
  add_tried(out, p);
  return out.str();
}

}  // namespace boxcar::planner
