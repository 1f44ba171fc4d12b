#include "table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <iterator>
#include <optional>
#include <ostream>
#include <utility>

#include "baseline.hpp"
#include "benchmark.hpp"
#include "overlap_figures.hpp"
#include "text.hpp"

namespace boxcar::bench {
namespace {

constexpr const char* unknown = "-";
constexpr std::size_t name_width = 18;

std::string chosen_or(std::uint64_t number) {
  return number == 0 ? "auto" : std::to_string(number);
}

std::string percent(double part) {
  return decimal(100 * part, 0) + " %";
}

// Returns whether a baseline that would need too long does fewer items.
bool does_less(const setting_result& all, const contender_result& c) {
  const contender_result& ours = all.contenders.front();
  return c.role == role::baseline && c.measured() &&
         c.items * static_cast<std::uint64_t>(ours.workers) <
             ours.items * static_cast<std::uint64_t>(c.workers);
}

constexpr double million = 1e6;
constexpr double giga = 1e9;

// Prints a number with `decimals` decimals, or as many as show three digits of a small number, but
// at most 6.
std::string rate(double number, int decimals) {
  constexpr int most = 6;
  if (number > 0) {
    const int of_three_digits = 2 - static_cast<int>(std::floor(std::log10(number)));
    decimals = std::clamp(of_three_digits, decimals, most);
  }
  return decimal(number, decimals);
}

std::string item_rate(const setting_result&, const contender_result& c) {
  return rate(items_per_second_and_pe(c) / million, 1);
}

std::string byte_rate(const setting_result& all, const contender_result& c) {
  const double bytes = items_per_second_and_pe(c) * static_cast<double>(all.how.item_bytes);
  return rate(bytes / giga, 3);
}

std::string time_of_session(const setting_result&, const contender_result& c) {
  return seconds_text(median(c.seconds));
}

std::string spread_of_rounds(const setting_result&, const contender_result& c) {
  return percent(spread(c.seconds));
}

std::string fill(const setting_result&, const contender_result& c) {
  return c.traffic ? percent(c.traffic->fill()) : unknown;
}

std::string memory(const setting_result&, const contender_result& c) {
  return c.traffic ? bytes_text(c.traffic->memory_bytes) : unknown;
}

std::string share_of_limit(const setting_result& all, const contender_result& c) {
  const contender_result* limit = all.limit();
  return limit == nullptr ? unknown : percent(ratio(all, c, *limit));
}

// The lead of Boxcar's first form over a baseline, the purpose of a baseline.
std::string lead_of_ours(const setting_result& all, const contender_result& c) {
  const contender_result& ours = all.contenders.front();
  if (c.role != role::baseline || !ours.measured()) return unknown;
  return decimal(ratio(all, ours, c), 2) + " x";
}

// The time of a run, in microseconds.
template <double (*Figure)(const contender_result& c)>
std::string microseconds(const setting_result&, const contender_result& c) {
  return decimal(Figure(c) * million, 2);
}

std::string overlap_of_run(const setting_result&, const contender_result& c) {
  return percent(overlap(c));
}

std::string rest_to_best(const setting_result& all, const contender_result& c) {
  const std::optional<double> ratio = rest_to_best_baseline(all, c);
  return ratio ? decimal(*ratio, 2) + " x" : unknown;
}

}  // namespace

std::span<const table::figure> table::usual_figures() {
  static constexpr std::array all{
      figure{"M items/s/PE", 14, item_rate},
      figure{"GB/s/PE", 9, byte_rate},
      figure{"session", 10, time_of_session},
      figure{"spread", 8, spread_of_rounds},
      figure{"full", 7, fill},
      figure{"memory", 10, memory},
      figure{"of limit", 10, share_of_limit},
      figure{"Boxcar is", 11, lead_of_ours},
  };
  return all;
}

std::span<const table::figure> table::figures_of_overlap() {
  static constexpr std::array all{
      figure{"latency us", 12, microseconds<latency>},
      figure{"loop us", 11, microseconds<computing_time>},
      figure{"both us", 11, microseconds<time_of_both>},
      figure{"overlap", 9, overlap_of_run},
      figure{"rest us", 11, microseconds<rest>},
      figure{"of best MPI", 13, rest_to_best},
      figure{"spread", 10, spread_of_rounds},
  };
  return all;
}

table::table(std::ostream& out, const request& wanted, const std::vector<setting>& settings)
    : out_(out),
      figures_(benchmark_of(wanted.benchmark).overlaps ? figures_of_overlap() : usual_figures()) {
  const std::array<column, 18> columns{{
      {"substrate", [](const setting& s) { return s.substrate; }},
      {"PEs", [](const setting& s) { return std::to_string(s.pes); }},
      {"nodes", [](const setting& s) { return std::to_string(s.nodes); }},
      {"kind", [](const setting& s) { return std::string(name_of(s.kind)); }},
      {"hops", [](const setting& s) { return chosen_or(static_cast<std::uint64_t>(s.hops)); }},
      {"group",
       [](const setting& s) { return s.group == 0 ? std::string() : std::to_string(s.group); }},
      {"item bytes", [](const setting& s) { return std::to_string(s.item_bytes); }},
      {"buffer bytes", [](const setting& s) { return chosen_or(s.buffer_bytes); }},
      {"buffers", [](const setting& s) { return std::to_string(s.buffers); }},
      {"items of a PE",
       [](const setting& s) { return s.items == 0 ? std::string() : with_commas(s.items); }},
      {"table of a PE",
       [](const setting& s) {
         return s.table_bytes == 0 ? std::string() : bytes_text(s.table_bytes);
       }},
      {"file", [](const setting& s) { return s.file; }},
      {"class", [](const setting& s) { return s.problem_class; }},
      {"columns",
       [](const setting& s) { return s.columns == 0 ? std::string() : with_commas(s.columns); }},
      {"scaling", [](const setting& s) { return s.scaling; }},
      {"variants", [](const setting& s) { return s.variants; }},
      {"message bytes",
       [](const setting& s) {
         return s.message_bytes == 0 ? std::string() : std::to_string(s.message_bytes);
       }},
      {"items of a round",
       [in_rounds =
            wants(wanted, "alltoallv") || wants(wanted, "shared_rounds")](const setting& s) {
         return in_rounds ? with_commas(static_cast<std::uint64_t>(s.round_items)) : std::string();
       }},
  }};
  heading_ = wanted.benchmark;
  for (const column& c : columns) {
    std::size_t width = c.name.size();
    bool varies = false;
    for (const setting& s : settings) {
      const std::string value = c.value(s);
      width = std::max(width, value.size());
      varies |= value != c.value(settings.front());
    }
    if (varies) {
      varying_.push_back(c);
      widths_.push_back(width);
    } else if (const std::string value = c.value(settings.front()); !value.empty()) {
      heading_ += ", " + c.name + " " + value;
    }
  }
  heading_ += "; " + std::to_string(wanted.rounds) + (wanted.rounds == 1 ? " round" : " rounds");
}

void table::begin(const setting_result& first) {
  out_ << heading_ << '\n';
  if (varying_.empty()) {
    // A table of a single setting has room to explain the choice of the conveyors.
    for (const contender_result& c : first.contenders) {
      if (c.explanation.empty()) continue;
      out_ << c.explanation;
      break;
    }
  }
  out_ << '\n';
  for (std::size_t i = 0; i < varying_.size(); ++i) {
    out_ << std::setw(static_cast<int>(widths_[i])) << varying_[i].name << "  ";
  }
  out_ << std::left << std::setw(name_width) << "" << std::right;
  for (const figure& f : figures_) out_ << std::setw(static_cast<int>(f.width)) << f.name;
  out_ << '\n';
}

void table::add(const setting_result& result) {
  if (!std::exchange(begun_, true)) begin(result);
  for (const contender_result& c : result.contenders) add_row(result, c);
  if (!result.failure.empty()) {
    begin_row(result);
    out_ << "FAILED: " << result.failure << '\n';
  }
  out_ << std::flush;
}

void table::end() {
  if (least_items_ != 0) {
    out_ << "* sessions of " << with_commas(least_items_) << " items of a PE\n";
  }
  out_ << std::flush;
}

void table::begin_row(const setting_result& result) {
  for (std::size_t i = 0; i < varying_.size(); ++i) {
    out_ << std::setw(static_cast<int>(widths_[i])) << varying_[i].value(result.how) << "  ";
  }
}

void table::add_row(const setting_result& result, const contender_result& c) {
  begin_row(result);
  const bool less = does_less(result, c);
  if (less) least_items_ = c.items / static_cast<std::uint64_t>(c.workers);
  out_ << std::left << std::setw(name_width) << c.name + (less ? " *" : "") << std::right;
  if (c.measured()) {
    for (const figure& f : figures_) {
      out_ << std::setw(static_cast<int>(f.width)) << f.text(result, c);
    }
  } else {
    out_ << "  FAILED: " << c.failure;
  }
  out_ << '\n';
}

}  // namespace boxcar::bench
