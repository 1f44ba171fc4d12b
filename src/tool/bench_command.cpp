#include "bench_command.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "baseline.hpp"
#include "bench_invocation.hpp"
#include "bench_launch.hpp"
#include "benchmark.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "measure.hpp"
#include "table.hpp"
#include "world/join.hpp"

namespace boxcar::tool {
namespace {

using bench::setting;
using bench::setting_result;

// What is reported to whom, on the one process that does.
class reporter {
 public:
  reporter(const bench::request& wanted, const bench::invocation& start,
           const std::vector<setting>& settings)
      : wanted_(wanted), start_(start), table_(std::cout, wanted, settings) {
    if (wanted.json.empty()) return;
    // Now, not after all the work.
    file_.open(wanted.json);
    check_file();
  }

  void add(const setting_result& result) {
    table_.add(result);
    for (const bench::contender_result& c : result.contenders) all_right_ &= c.failure.empty();
    results_.push_back(result);
  }

  // Returns the exit status.
  int finish() {
    if (!wanted_.json.empty()) {
      file_ << bench::json_report(wanted_, start_, results_) << std::flush;
      check_file();
    }
    return all_right_ ? 0 : 1;
  }

 private:
  void check_file() const {
    if (file_) return;
    throw system_error("cannot write " + wanted_.json + ": " + std::strerror(errno) +
                       "; give --json a file that can be written");
  }

  const bench::request& wanted_;
  const bench::invocation& start_;
  bench::table table_;
  std::ofstream file_;
  std::vector<setting_result> results_;
  bool all_right_ = true;
};

std::vector<setting> completed(const bench::description& what, const bench::request& wanted) {
  std::vector<setting> all = bench::settings_of(wanted.values);
  for (setting& s : all) s = bench::completed(what, s);
  return all;
}

// --- In the world of a launcher ------------------------------------------------------------------

template <typename Value>
void must_be(std::vector<Value>& values, const Value& open, const Value& actual,
             const std::string& option, const std::string& what) {
  for (const Value& value : values) {
    if (value == open || value == actual) continue;
    throw argument_error(option + " asks for another " + what +
                         " than that of the launcher that this was started by: leave it out, or "
                         "start boxcar bench by itself");
  }
  values = {actual};
}

int measure_here(const bench::description& what, bench::request wanted,
                 const bench::invocation& start) {
  int status = 0;
  const int failure = run([&](world& w) {
    bench::sweep& v = wanted.values;
    must_be(v.substrates, std::string(), std::string(w.substrate_name()), "--substrate",
            "substrate");
    must_be(v.pes, 0, w.size(), "--pes", "number of PEs");
    must_be(v.nodes, 1, w.nodes(), "--nodes", "number of nodes");
    const std::vector<setting> settings = completed(what, wanted);
    std::optional<reporter> report;
    if (w.rank() == 0) report.emplace(wanted, start, settings);
    bench::place_in_sweep place{.all = settings.size()};
    for (const setting& s : settings) {
      const setting_result result = bench::measure(w, s, wanted, place);
      if (report) report->add(result);
      ++place.before;
    }
    status = w.broadcast(report ? report->finish() : 0);  // or a launcher thinks that one failed
  });
  return failure != 0 ? failure : status;
}

// --- On PEs that this starts ---------------------------------------------------------------------

void fill_in(bench::sweep& v) {
  std::ranges::replace(v.substrates, std::string(), std::string("threads"));
  std::ranges::replace(v.pes, 0, bench::usable_cores());
}

}  // namespace

int bench_command(const bench::request& wanted, const std::vector<std::string>& command) {
  const bench::description& what = bench::benchmark_of(wanted.benchmark);
  bench::check_baselines(wanted);
  const bench::invocation start = invocation_of(command);
  if (detail::has_launcher()) return measure_here(what, wanted, start);
  bench::request filled = wanted;
  fill_in(filled.values);
  const std::vector<setting> settings = completed(what, filled);
  for (const setting& s : settings) check_can_launch(s);
  reporter report(filled, start, settings);
  bench::place_in_sweep place{.all = settings.size()};
  for (const setting& s : settings) {
    const auto result = measure_launched(s, filled, place);
    if (!result) return 1;
    report.add(*result);
    ++place.before;
  }
  return report.finish();
}

}  // namespace boxcar::tool
