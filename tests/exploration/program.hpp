// Small programs whose results do not depend on the order in which things happen. They throw
// wrong_result if one is wrong.
#pragma once

#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

namespace boxcar::test {

struct program {
  const char* name;
  int pes;
  int pes_per_node;
  void (*run)(world&);
  std::uint64_t weight = 1;  // of the program's share of the schedules
};

inline std::string name_of(const program& p) {
  return p.name;
}
inline void PrintTo(const program& p, std::ostream* out) {
  *out << p.name;
}

class wrong_result : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

template <typename T, typename U>
void require_equal(const T& found, const U& expected, const char* what) {
  if (found == expected) return;
  throw wrong_result(std::string(what) + ": " + std::to_string(found) + " instead of " +
                     std::to_string(expected));
}

std::vector<program> collection_programs();
std::vector<program> conveyor_programs();
std::vector<program> stream_programs();
std::vector<program> one_sided_programs();
std::vector<program> trigger_programs();

}  // namespace boxcar::test
