#include "support/ledger.hpp"

#include <algorithm>

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

std::string ledger::find_other(const std::vector<int>& pes, std::initializer_list<stage> allowed) {
  for (const int pe : pes) {
    const stage s = stage_of(pe).load();
    if (std::find(allowed.begin(), allowed.end(), s) != allowed.end()) continue;
    return std::string("PE ").append(std::to_string(pe)).append(" is ").append(name_of(s));
  }
  return {};
}

}  // namespace boxcar::test
