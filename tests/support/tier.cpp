#include "support/tier.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace boxcar::test {
namespace {

tier tier_in_environment() {
  const char* name = std::getenv("BOXCAR_TEST_TIER");
  if (name == nullptr) return tier::gate;
  try {
    return tier_of(name);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "BOXCAR_TEST_TIER: %s\n", error.what());
    std::exit(2);
  }
}

}  // namespace

tier tier_of(std::string_view name) {
  if (name == "gate") return tier::gate;
  if (name == "nightly") return tier::nightly;
  if (name == "weekly") return tier::weekly;
  throw std::invalid_argument("there is no tier '" + std::string(name) +
                              "': the tiers are gate, nightly and weekly");
}

tier test_tier() {
  static const tier of_this_run = tier_in_environment();
  return of_this_run;
}

}  // namespace boxcar::test
