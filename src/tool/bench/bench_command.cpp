#include "bench/bench_command.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "baseline.hpp"
#include "bench/bench_invocation.hpp"
#include "bench/bench_launch.hpp"
#include "benchmark.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "measure.hpp"
#include "picture.hpp"
#include "plot.hpp"
#include "report_file.hpp"
#include "table.hpp"
#include "world/join.hpp"

namespace boxcar::tool {
namespace {

using bench::setting;
using bench::setting_result;

// The reports of a benchmark, on the one process that reports.
class reporter {
 public:
  reporter(const bench::request& wanted, const bench::invocation& start,
           const std::vector<setting>& settings)
      : wanted_(wanted),
        start_(start),
        settings_(settings.size()),
        table_(std::cout, wanted, settings) {
    if (!wanted.json.empty()) file_.emplace(wanted.json, "--json");
    if (!wanted.plot.empty()) picture_.emplace(wanted.plot, "--plot");
  }

  void add(const setting_result& result) {
    all_measured_ &= result.all_measured();
    results_.push_back(result);
    table_.add(result);
    // The files are written after each result: whatever ends a sweep, earlier results are in the
    // files.
    const bool complete = results_.size() == settings_;
    if (file_) file_->write(bench::json_report(wanted_, start_, results_, complete), complete);
    if (picture_) picture_->write(svg_of(bench::picture_of(wanted_, results_)), complete);
  }

  // Returns the exit status.
  int finish() {
    table_.end();
    return all_measured_ ? 0 : 1;
  }

 private:
  const bench::request& wanted_;
  const bench::invocation& start_;
  std::size_t settings_;
  bench::table table_;
  std::optional<report_file> file_;
  std::optional<report_file> picture_;
  std::vector<setting_result> results_;
  bool all_measured_ = true;
};

// The settings of a sweep, in order, and the obstacle to each setting: empty, or the reason why the
// setting is impossible.
struct plan {
  std::vector<setting> settings;
  std::vector<std::string> obstacles;
};

// Returns the plan of a sweep. Throws argument_error, like `check`, if no setting is possible.
template <typename Check>
plan plan_of(const bench::description& what, const bench::sweep& values, const Check& check) {
  plan p;
  std::optional<argument_error> first;
  bool any_left = false;
  for (setting s : bench::settings_of(bench::with_usual_values(what, values))) {
    s = bench::completed(what, s);
    std::string obstacle;
    try {
      bench::check(what, s);
      check(s);
      any_left = true;
    } catch (const argument_error& e) {
      if (!first) first = e;
      obstacle = e.what();
    }
    p.settings.push_back(s);
    p.obstacles.push_back(obstacle);
  }
  if (!any_left) throw *first;
  return p;
}

// Returns the result of `report`, or 1 if `measure` failed. `measure` returns nothing if it failed
// and has printed the reason. Throws argument_error if the only setting is impossible.
template <typename Measure, typename Report>
int measure_all(const plan& p, const Measure& measure, Report& report) {
  bench::place_in_sweep place{.all = p.settings.size()};
  for (; place.before < place.all; ++place.before) {
    const setting& s = p.settings[place.before];
    const std::string& obstacle = p.obstacles[place.before];
    std::optional<setting_result> result;
    if (obstacle.empty()) {
      result = measure(s, place);
    } else {
      result = {
          .how = s, .substrate = s.substrate, .cores = bench::usable_cores(), .failure = obstacle};
    }
    if (!result) {
      report.finish();
      return 1;
    }
    if (place.all == 1 && !result->failure.empty()) throw argument_error(result->failure);
    report.add(*result);
  }
  return report.finish();
}

// --- In the world of a launcher ------------------------------------------------------------------

template <typename Value>
std::string text_of(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return value;
  } else {
    return std::to_string(value);
  }
}

// Throws argument_error unless the option allows `actual`, the value that the launcher gave to all
// PEs.
template <typename Value>
void must_be(std::vector<Value>& values, const Value& actual, const std::string& option,
             const std::string& how_else) {
  for (const Value& value : values) {
    if (value == Value() || value == actual) continue;
    throw argument_error(option + " asks for " + text_of(value) +
                         ", but the launcher that this was started by gave " + text_of(actual) +
                         ": leave it out, or " + how_else);
  }
  values = {actual};
}

// The report of a benchmark on all PEs of a world: only PE 0 reports.
class report_of_pe_0 {
 public:
  report_of_pe_0(world& w, const bench::request& wanted, const bench::invocation& start,
                 const std::vector<setting>& settings)
      : world_(w) {
    if (w.rank() == 0) report_.emplace(wanted, start, settings);
  }
  void add(const setting_result& result) {
    if (report_) report_->add(result);
  }
  // Returns the same status on all PEs: otherwise a launcher would assume that a PE failed.
  int finish() { return world_.broadcast(report_ ? report_->finish() : 0); }

 private:
  world& world_;
  std::optional<reporter> report_;
};

int measure_here(const bench::description& what, bench::request wanted,
                 const bench::invocation& start) {
  int status = 0;
  std::optional<argument_error> wrong;  // equal on all PEs
  const int failure = run([&](world& w) {
    try {
      bench::sweep& v = wanted.values;
      const std::string alone = "start boxcar bench by itself";
      must_be(v.substrates, std::string(w.substrate_name()), "--substrate", alone);
      must_be(v.pes, w.size(), "--pes", "give the launcher that number");
      must_be(v.nodes, w.nodes(), "--nodes", "set BOXCAR_NODES to have nodes pretended");
      const plan p = plan_of(what, v, [](const setting&) {});
      report_of_pe_0 report(w, wanted, start, p.settings);
      const auto measure = [&](const setting& s, const bench::place_in_sweep& place) {
        return std::optional(bench::measure(w, s, wanted, place));
      };
      status = measure_all(p, measure, report);
    } catch (const argument_error& e) {
      wrong = e;
    }
  });
  if (wrong) throw argument_error(*wrong);
  return failure != 0 ? failure : status;
}

// --- On PEs that this starts ---------------------------------------------------------------------

void fill_in(bench::sweep& v) {
  std::ranges::replace(v.substrates, std::string(), std::string("threads"));
  std::ranges::replace(v.pes, 0, bench::usable_cores());
  std::ranges::replace(v.nodes, 0, 1);
}

}  // namespace

int bench_command(const bench::request& wanted, const std::vector<std::string>& command) {
  const bench::description& what = bench::benchmark_of(wanted.benchmark);
  bench::check_baselines(wanted);
  bench::check_picture(wanted);
  const bench::invocation start = invocation_of(command);
  if (detail::has_launcher()) return measure_here(what, wanted, start);
  bench::request filled = wanted;
  fill_in(filled.values);
  const plan p = plan_of(what, filled.values, check_can_launch);
  reporter report(filled, start, p.settings);
  const auto measure = [&](const setting& s, const bench::place_in_sweep& place) {
    return measure_launched(s, filled, place);
  };
  return measure_all(p, measure, report);
}

}  // namespace boxcar::tool
