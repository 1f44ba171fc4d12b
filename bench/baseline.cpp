#include "baseline.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>

#include <boxcar/error.hpp>

#include "baseline_library.hpp"
#include "failed_baseline.hpp"
#include "shared_blocks.hpp"
#include "shared_rounds.hpp"

namespace boxcar::bench {
namespace {

// The names accepted by --baselines.
constexpr std::array<std::string_view, 13> baseline_names{
    "limit", "shared_rounds", "alltoallv", "isend",    "accumulate",  "atomic",    "get",
    "put",   "send",          "put_flag",  "blocking", "nonblocking", "persistent"};

bool needs_library(const std::string& wish) {
  return wish != "none" && wish != "limit" && wish != "shared_rounds";
}

// The baselines from the library of the substrate.
struct from_library {
  baselines made;
  bool failed = false;             // on any PE
  std::optional<std::string> why;  // set if the error is on this PE
};

// Collective.
from_library make_by_library(world& w, job& work, job& small, std::uint64_t items_of_a_round) {
  from_library result;
  const auto attempt = [&](const auto& action) {
    result.why = failure_of(action);
    result.failed = w.reduce(result.why ? 1 : 0) != 0;
  };
  make_baselines make = nullptr;
  attempt([&] { make = open_baseline_library(w.substrate_name()); });
  if (result.failed || make == nullptr) return result;
  attempt([&] { make(work, small, items_of_a_round, result.made); });
  return result;
}

// Collective. If the library cannot be opened, its baselines are reported as failed: each that was
// requested by name, or all as one.
void add_from_library(world& w, job& work, job& small, std::uint64_t items_of_a_round,
                      const request& wanted, baselines& all) {
  from_library result = make_by_library(w, work, small, items_of_a_round);
  if (!result.failed) {
    std::ranges::move(result.made, std::back_inserter(all));
    return;
  }
  for (const std::string& wish : wanted.baselines) {
    if (!needs_library(wish)) continue;
    const std::string name = wish == "all" ? "all baselines" : wish;
    all.push_back(std::make_unique<failed_baseline>(name, result.why, work));
  }
}

}  // namespace

bool wants(const request& wanted, const std::string& name) {
  return std::ranges::any_of(
      wanted.baselines, [&](const std::string& wish) { return wish == "all" || wish == name; });
}

std::string names_of_baselines() {
  std::string text;
  for (const std::string_view name : baseline_names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

void check_baselines(const request& wanted) {
  for (const std::string& wish : wanted.baselines) {
    if (wish == "all" || wish == "none") {
      if (wanted.baselines.size() == 1) continue;
      throw argument_error("--baselines has \"" + wish + "\" and others: give it alone, or names");
    }
    if (std::ranges::find(baseline_names, wish) != baseline_names.end()) continue;
    throw argument_error("there is no baseline \"" + wish +
                         "\": give --baselines all, none, or some of " + names_of_baselines());
  }
}

void check_that_there_are(const world& w, const baselines& all, const request& wanted) {
  for (const std::string& wish : wanted.baselines) {
    if (wish == "all" || wish == "none" || wish == "limit") continue;
    if (std::ranges::any_of(all, [&](const auto& b) { return b->name() == wish; })) continue;
    throw argument_error("the benchmark " + wanted.benchmark + " has no baseline " + wish +
                         " on the substrate " + std::string(w.substrate_name()) +
                         ": leave it out of --baselines");
  }
}

baselines baselines_of(world& w, job& work, job& small, const setting& how, const request& wanted) {
  baselines all;
  const auto items_of_a_round = static_cast<std::uint64_t>(how.round_items);
  if (can_share_blocks(w)) make_shared_rounds(w, work, items_of_a_round, all);
  if (std::ranges::any_of(wanted.baselines, needs_library)) {
    add_from_library(w, work, small, items_of_a_round, wanted, all);
  }
  check_that_there_are(w, all, wanted);
  std::erase_if(all, [&](const auto& b) { return !wants(wanted, b->name()); });
  return all;
}

}  // namespace boxcar::bench
