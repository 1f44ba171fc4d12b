#include "support/ledger.hpp"

#include <algorithm>

#include "support/broken_contract.hpp"

namespace boxcar::test {
namespace {

const char* name_of(stage s) {
  switch (s) {
    case stage::dormant:
      return "dormant";
    case stage::beginning:
      return "beginning";
    case stage::working:
      return "working";
    case stage::declared:
      return "in the endgame";
    case stage::over:
      return "in cleanup or complete";
    case stage::resetting:
      return "resetting";
  }
  return "?";
}

}  // namespace

void ledger::require_stages(const std::vector<int>& pes, std::initializer_list<stage> allowed,
                            const char* when) {
  for (const int pe : pes) {
    const stage s = stage_of(pe).load();
    if (std::find(allowed.begin(), allowed.end(), s) != allowed.end()) continue;
    throw broken_contract("PE " + std::to_string(pe) + " is " + name_of(s) + " " + when);
  }
}

}  // namespace boxcar::test
