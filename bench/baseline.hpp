// Baselines: other means to do the job of a benchmark, measured in turns with Boxcar.
//
// Baselines on MPI or OpenSHMEM are in libraries of their own, since neither the core nor the tool
// links to MPI or OpenSHMEM: a library is opened when the world runs on its substrate. The library
// exports one function of the type `make_baselines` under the name `name_of_make_baselines`, and
// one function that names the MPI or OpenSHMEM. The library needs no symbols of Boxcar, only the
// virtual functions of the objects that it is given.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

#include "contender.hpp"
#include "job.hpp"
#include "request.hpp"

namespace boxcar::bench {

class baseline : public contender {
 public:
  [[nodiscard]] bench::role role() const final { return bench::role::baseline; }
};

using baselines = std::vector<std::unique_ptr<baseline>>;

// Collective. Appends the baselines that can do the job. `small` is the same job with fewer items,
// for baselines that would take too long. Baselines that work in rounds send `items_of_a_round`
// items of each PE per round. An exception on any PE leaves no other PE waiting.
using make_baselines = void (*)(job& work, job& small, std::uint64_t items_of_a_round,
                                baselines& all);
inline constexpr const char* name_of_make_baselines = "boxcar_bench_baselines";

// Writes name and version of the library's MPI or OpenSHMEM, in one line.
using tell_library = void (*)(std::string& name_and_version);
inline constexpr const char* name_of_tell_library = "boxcar_bench_library";

// Returns whether the request selects the baseline.
[[nodiscard]] bool wants(const request& wanted, const std::string& name);
// Returns the names accepted by --baselines, with commas in between.
[[nodiscard]] std::string names_of_baselines();
// Throws argument_error for unknown names, and for "all" or "none" beside other names.
void check_baselines(const request& wanted);
// Throws argument_error if a baseline that is requested by name is missing in `all`.
void check_that_there_are(const world& w, const baselines& all, const request& wanted);
// Collective. Returns the requested baselines that the world supports, without the limit.
[[nodiscard]] baselines baselines_of(world& w, job& work, job& small, const setting& how,
                                     const request& wanted);

}  // namespace boxcar::bench
