// The values given for each option of a benchmark, and the resulting settings: every value with
// every other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "setting.hpp"

namespace boxcar::bench {

struct sweep {
  std::vector<std::string> substrates{""};
  std::vector<int> pes{0};
  std::vector<int> nodes{0};
  std::vector<carrier> kinds{carrier::automatic};
  std::vector<int> hops{0};
  std::vector<int> groups{0};
  std::vector<std::size_t> item_bytes{0};
  std::vector<std::size_t> buffer_bytes{0};
  std::vector<int> buffers{2};
  std::vector<std::uint64_t> items{0};
  std::vector<std::size_t> table_bytes{0};
  std::vector<std::string> files{""};
  std::vector<std::string> classes{""};
  std::vector<std::uint64_t> columns{0};
  std::vector<std::string> scalings{""};
  std::vector<std::string> variants{""};
  std::vector<std::size_t> message_bytes{0};
  std::vector<int> round_items{setting().round_items};
};

// The options named first change slowest, so that PEs are started as seldom as possible.
[[nodiscard]] std::vector<setting> settings_of(const sweep& values);

}  // namespace boxcar::bench
