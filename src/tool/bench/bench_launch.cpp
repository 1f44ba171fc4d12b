#include "bench/bench_launch.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "json.hpp"
#include "launcher/guard.hpp"
#include "launcher/job.hpp"
#include "launcher/result_file.hpp"

namespace boxcar::tool {
namespace {

using bench::setting;
using bench::setting_result;

launcher::job_options job_of(const setting& s) {
  launcher::job_options job;
  job.pes = s.pes;
  job.nodes = s.nodes;
  return job;
}

std::optional<setting_result> measure_on_threads(const setting& s, const bench::request& wanted,
                                                 const bench::place_in_sweep& place) {
  std::optional<setting_result> result;
  run(s.pes,
      [&](world& w) {
        setting_result mine = bench::measure(w, s, wanted, place);
        if (w.rank() == 0) result = std::move(mine);
      },
      {.nodes = s.nodes});
  return result;
}

std::optional<setting_result> measure_on_processes(const setting& s, const bench::request& wanted,
                                                   const bench::place_in_sweep& place) {
  const launcher::result_file file;
  const auto be_pe = [&](int) {
    return run([&](world& w) {
      const setting_result result = bench::measure(w, s, wanted, place);
      if (w.rank() == 0) file.write(bench::json_line(result));
    });
  };
  const int status = launcher::run_guarded([&] { return launcher::run_job(job_of(s), be_pe); });
  if (status != 0) return std::nullopt;
  return bench::result_from_json_line(file.read());
}

}  // namespace

void check_can_launch(const setting& s) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> own_launchers{
      {{"mpi", "mpirun"}, {"shmem", "oshrun"}, {"ofi", "BOXCAR_SUBSTRATE=ofi boxcar run"}}};
  for (const auto& [substrate, launcher] : own_launchers) {
    if (s.substrate != substrate) continue;
    throw argument_error("PEs of the substrate " + s.substrate +
                         " are started by their launcher: " + launcher + " -n " +
                         std::to_string(s.pes) + " boxcar bench ...");
  }
  launcher::check(job_of(s));
}

std::optional<setting_result> measure_launched(const setting& s, const bench::request& wanted,
                                               const bench::place_in_sweep& place) {
  return s.substrate == "processes" ? measure_on_processes(s, wanted, place)
                                    : measure_on_threads(s, wanted, place);
}

}  // namespace boxcar::tool
