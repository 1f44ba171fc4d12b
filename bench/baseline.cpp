#include "baseline.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <boxcar/error.hpp>

#include "baseline_library.hpp"
#include "shared_rounds.hpp"

namespace boxcar::bench {
namespace {

// As --baselines takes them.
constexpr std::array<std::string_view, 8> names{"limit",      "shared_rounds", "alltoallv", "isend",
                                                "accumulate", "atomic",        "get",       "put"};

bool needs_library(const std::string& wish) {
  return wish != "none" && wish != "limit" && wish != "shared_rounds";
}

// Stands in for baselines that could not be had, so that this is reported like any other failure.
class missing final : public baseline {
 public:
  missing(std::string why, bench::job& work) : why_(std::move(why)), job_(work) {}
  [[nodiscard]] std::string name() const override { return "all baselines"; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override { throw system_error(why_); }

 private:
  std::string why_;
  bench::job& job_;
};

void add_from_library(std::string_view substrate, job& work, job& small,
                      std::uint64_t items_of_a_round, baselines& all) {
  try {
    if (const make_baselines make = open_baseline_library(substrate)) {
      make(work, small, items_of_a_round, all);
    }
  } catch (const system_error& e) {
    all.push_back(std::make_unique<missing>(e.what(), work));
  }
}

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

baselines baselines_of(world& w, job& work, job& small, const setting& how, const request& wanted) {
  baselines all;
  const auto items_of_a_round = static_cast<std::uint64_t>(how.round_items);
  if (w.substrate_name() == "threads") make_shared_rounds(w, work, items_of_a_round, all);
  if (std::ranges::any_of(wanted.baselines, needs_library)) {
    add_from_library(w.substrate_name(), work, small, items_of_a_round, all);
  }
  for (const std::string& wish : wanted.baselines) {
    if (wish == "all" || wish == "none" || wish == "limit") continue;
    if (std::ranges::any_of(all, [&](const auto& b) { return b->name() == wish; })) continue;
    throw argument_error("this benchmark has no baseline " + wish + " on the substrate " +
                         std::string(w.substrate_name()) + ": leave it out of --baselines");
  }
  std::erase_if(all, [&](const auto& b) { return !wants(wanted, b->name()); });
  return all;
}

}  // namespace boxcar::bench
