// Baselines: other ways to do the job of a benchmark, measured in turns with Boxcar.
//
// Those that use MPI or OpenSHMEM are in libraries of their own, since neither the core nor the
// tool is linked with these: a library is opened when the world runs on that substrate. It exports
// one function of the type `make_baselines` under the name `name_of_make_baselines`, and one that
// says what it is linked with; and needs nothing of Boxcar but what the objects that it is given
// can do.
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

// Collective. Appends those that can do the job. `small` is the same with fewer items, for those
// that would take too long. Those that work in rounds send so many items of each PE in one.
// If it throws on any PE, it leaves no other PE waiting.
using make_baselines = void (*)(job& work, job& small, std::uint64_t items_of_a_round,
                                baselines& all);
inline constexpr const char* name_of_make_baselines = "boxcar_bench_baselines";

// Name and version of the MPI or OpenSHMEM that it is linked with, in one line.
using tell_library = void (*)(std::string& name_and_version);
inline constexpr const char* name_of_tell_library = "boxcar_bench_library";

// Whether it was asked for.
[[nodiscard]] bool wants(const request& wanted, const std::string& name);
// As they are given, with commas in between.
[[nodiscard]] std::string names_of_baselines();
// Throws argument_error for names that are none, and for "all" or "none" beside others.
void check_baselines(const request& wanted);
// Throws argument_error if one that is asked for by name is not among these.
void check_that_there_are(const world& w, const baselines& all, const request& wanted);
// Collective. Those that are asked for and that this world can have, but for the limit.
[[nodiscard]] baselines baselines_of(world& w, job& work, job& small, const setting& how,
                                     const request& wanted);

}  // namespace boxcar::bench
