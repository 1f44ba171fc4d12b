#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "benchmark.hpp"
#include "overlap_figures.hpp"
#include "text.hpp"

namespace boxcar::bench {
namespace {

// The quantity of a panel, for a measured contender.
struct quantity {
  const char* label;
  double (*of)(const contender_result& c);
  bool logarithmic;
};

constexpr double million = 1e6;
constexpr double hundred = 100;

const std::vector<quantity>& quantities_of(const description& what) {
  static const quantity alone{"latency (µs)",
                              [](const contender_result& c) { return million * latency(c); }, true};
  static const std::vector<quantity> of_runs{alone};
  static const std::vector<quantity> of_overlap{
      alone,
      {"overlap (%)", [](const contender_result& c) { return hundred * overlap(c); }, false},
      {"part that does not overlap (µs)",
       [](const contender_result& c) { return million * rest(c); }, true}};
  return what.overlaps ? of_overlap : of_runs;
}

// Three digits at least.
std::string number_text(double value) {
  constexpr double many = 1000;
  if (value >= many) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
  int decimals = value == 0 ? 0 : 2 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  std::string text = decimal(value, std::max(decimals, 0));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string size_text(double value) {
  return bytes_text(static_cast<std::uint64_t>(std::llround(value)));
}

std::string name_of(const contender_result& c) {
  switch (c.role) {
    case role::boxcar:
      return "Boxcar, " + c.name;
    case role::baseline:
      return "MPI, " + c.name;
    case role::limit:
      break;
  }
  return c.name;
}

std::string place_of(const setting_result& r) {
  const setting& s = r.how;
  return std::to_string(s.pes) + (s.pes == 1 ? " PE on " : " PEs on ") + std::to_string(s.nodes) +
         (s.nodes == 1 ? " node" : " nodes") + ", substrate " + r.substrate;
}

// Results with different sizes only, and the title of their panels.
struct group {
  std::string title;
  std::vector<const setting_result*> results;
};

std::vector<group> groups_of(const std::vector<setting_result>& results, bool one_place) {
  std::vector<group> all;
  for (const setting_result& r : results) {
    const std::string title = r.how.problem_class + (one_place ? "" : ": " + place_of(r));
    auto found = std::ranges::find(all, title, &group::title);
    if (found == all.end()) found = all.insert(all.end(), {title, {}});
    found->results.push_back(&r);
  }
  return all;
}

std::vector<line> lines_of(const group& g, const quantity& q) {
  std::vector<line> lines;
  for (const setting_result* r : g.results) {
    for (const contender_result& c : r->contenders) {
      if (!c.measured() || (q.logarithmic && q.of(c) <= 0)) continue;
      const std::string name = name_of(c);
      auto found = std::ranges::find(lines, name, &line::name);
      if (found == lines.end()) found = lines.insert(lines.end(), {name, {}});
      found->points.push_back({static_cast<double>(r->how.item_bytes), q.of(c)});
    }
  }
  for (line& l : lines) std::ranges::stable_sort(l.points, {}, &point::x);
  return lines;
}

// The range from the least value to the greatest; any valid range if there are none.
std::pair<double, double> range_of(const std::vector<line>& lines, double point::*coordinate) {
  double least = std::numeric_limits<double>::max();
  double most = 0;
  for (const line& l : lines) {
    for (const point& p : l.points) {
      least = std::min(least, p.*coordinate);
      most = std::max(most, p.*coordinate);
    }
  }
  return most == 0 ? std::pair(1.0, 1.0) : std::pair(least, most);
}

panel panel_of(const group& g, const quantity& q) {
  std::vector<line> lines = lines_of(g, q);
  const auto [left, right] = range_of(lines, &point::x);
  const auto [low, high] = range_of(lines, &point::y);
  return {.title = g.title,
          .x = {"bytes of a block", scale::by_twos(left, right), size_text},
          .y = {q.label, q.logarithmic ? scale::by_tens(low, high) : scale::linear(0, hundred),
                number_text},
          .lines = std::move(lines)};
}

}  // namespace

void check_picture(const request& wanted) {
  if (wanted.plot.empty()) return;
  if (!benchmark_of(wanted.benchmark).has_picture) {
    std::string others;
    for (const description& d : benchmarks()) {
      if (d.has_picture) others += (others.empty() ? "" : " and ") + std::string(d.name);
    }
    throw argument_error(wanted.benchmark + " has no picture, " + others +
                         " have: leave --plot out, or give --json a file");
  }
  if (wanted.plot == wanted.json) {
    throw argument_error("--json and --plot both name " + wanted.plot +
                         ": give each a file of its own");
  }
}

plot picture_of(const request& wanted, const std::vector<setting_result>& results) {
  constexpr std::size_t panels_in_a_row = 3;
  const std::vector<quantity>& quantities = quantities_of(benchmark_of(wanted.benchmark));
  const std::string place = results.empty() ? "" : place_of(results.front());
  const bool one_place =
      std::ranges::all_of(results, [&](const auto& r) { return place_of(r) == place; });
  plot p{.title = wanted.benchmark + (one_place && !place.empty() ? ": " + place : ""), .rows = {}};
  for (const group& g : groups_of(results, one_place)) {
    for (const quantity& q : quantities) {
      if (p.rows.empty() || p.rows.back().size() == panels_in_a_row) p.rows.emplace_back();
      p.rows.back().push_back(panel_of(g, q));
    }
  }
  return p;
}

}  // namespace boxcar::bench
