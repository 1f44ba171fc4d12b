#include "baseline.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <boxcar/error.hpp>

#include "baseline_library.hpp"
#include "shared_rounds.hpp"

namespace boxcar::bench {
namespace {

// As --baselines takes them.
constexpr std::array<std::string_view, 7> names{"limit",      "shared_rounds", "alltoallv", "isend",
                                                "accumulate", "atomic",        "put"};

}  // namespace

bool wants(const request& wanted, const std::string& name) {
  return std::ranges::any_of(
      wanted.baselines, [&](const std::string& wish) { return wish == "all" || wish == name; });
}

void check_baselines(const request& wanted) {
  for (const std::string& wish : wanted.baselines) {
    if (wish == "all" || wish == "none" || std::ranges::find(names, wish) != names.end()) continue;
    std::string known = "all, none";
    for (const std::string_view name : names) known += ", " + std::string(name);
    throw argument_error("there is no baseline \"" + wish + "\": give --baselines some of " +
                         known);
  }
}

baselines baselines_of(world& w, job& work, const request& wanted) {
  baselines all;
  if (w.substrate_name() == "threads") make_shared_rounds(w, work, all);
  if (const make_baselines make = open_baseline_library(w.substrate_name())) make(work, all);
  std::erase_if(all, [&](const auto& b) { return !wants(wanted, b->name()); });
  return all;
}

}  // namespace boxcar::bench
