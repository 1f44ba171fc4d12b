// The problem classes of the NAS integer sort, NPB 3.4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace boxcar::bench {

struct integer_sort_class {
  // A key with a known rank at first; in each iteration the rank grows, or shrinks, by the number
  // of the iteration, added to `shift`.
  struct tested_key {
    std::uint64_t position;  // among the keys of all PEs
    std::int64_t rank;
    std::int64_t shift;
    bool grows;

    [[nodiscard]] std::int64_t rank_in(int iteration) const {
      const std::int64_t by = iteration + shift;
      return grows ? rank + by : rank - by;
    }
  };

  std::string_view name;
  int keys_bits;     // 2^keys_bits keys
  int range_bits;    // less than 2^range_bits
  int buckets_bits;  // number of high bits of a key that select the bucket
  std::array<tested_key, 5> tested;
};

// The smallest first.
[[nodiscard]] std::vector<std::string_view> integer_sort_class_names();
// Precondition: `name` is the name of a class.
[[nodiscard]] const integer_sort_class& integer_sort_class_of(std::string_view name);

}  // namespace boxcar::bench
