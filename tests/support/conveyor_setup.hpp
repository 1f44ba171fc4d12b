// The conveyors that the tests run on. A new line of `conveyor_variants` adds a sort of conveyor to
// the tests.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include <boxcar/conveyor_options.hpp>

#include "support/world_shape.hpp"

namespace boxcar::test {

struct conveyor_variant {
  std::string name;  // letters and digits
  conveyor_options options;
  bool elastic = false;
};

// Every sort of conveyor that works on the shape.
std::vector<conveyor_variant> conveyor_variants(const world_shape& shape);

// Returns whether `advance` synchronises all PEs until the end is near, or never blocks; the
// contract leaves the choice to the conveyor (conveyors-2019, section 3.3).
bool advance_synchronises(const conveyor_options& options);

// The sizes of items, in bytes. 3 and 13 divide no line of the cache and need no alignment; 24 and
// 1000 are multiples of 8 only; 65536 is the largest.
inline constexpr std::array<std::size_t, 7> item_sizes{1, 3, 8, 13, 24, 1000, 65536};

// The parameters of a test case: a conveyor on a world.
struct conveyor_setup {
  world_shape shape;
  std::string variant;
  conveyor_options options;
  std::size_t item_bytes =
      8;  // one of item_sizes; of an elastic conveyor, the usual size (item_content.hpp)
  bool elastic = false;
};

// The options, or the setup, for a world of another size: the conveyor chooses its groups, and a
// grid replaces a route.
conveyor_options for_size(int pes, conveyor_options options);
conveyor_setup for_size(int pes, conveyor_setup setup);

// The number of items of each PE: `most`, or fewer if the items are large, the PEs many, or the
// buffers so small that every item has to wait for the item before.
int items_for(const conveyor_setup& setup, int most);

// The name of a setup within the name of a test, like "processes_p4_n2_tensor3_i24_b72_x2_steady".
std::string name_of(const conveyor_setup& setup);
void PrintTo(const conveyor_setup& setup, std::ostream* out);

// Selects the setups of a suite.
using setup_filter = bool (*)(const conveyor_setup&);
bool any_setup(const conveyor_setup& setup);
// Accept the setups for tests that use conveyor<T> itself, or elastic_conveyor.
bool is_fixed_size(const conveyor_setup& setup);
bool is_elastic(const conveyor_setup& setup);

// Every variant on each of the shapes, with items of 8 bytes and otherwise default options.
std::vector<conveyor_setup> all_plain_setups(const std::vector<world_shape>& shapes);

// The following lists depend on the tier of the run: in the gate they are covering arrays over the
// parameters of the shape, the variant and the options, and later all setups. Items are unaligned,
// whole words or large in pairs; each of their sizes occurs at least once.
//
// The plain setups that pass the filter.
std::vector<conveyor_setup> plain_setups(const std::vector<world_shape>& shapes,
                                         setup_filter filter = any_setup);
// The plain setups, but steady.
std::vector<conveyor_setup> steady_setups(const std::vector<world_shape>& shapes);
// Every variant on each of the shapes that passes the filter, each with another combination of item
// size, buffer size, buffers per link, and steady or dynamic or not, so that all of them occur
// often. Another GTEST_RANDOM_SEED gives other combinations.
std::vector<conveyor_setup> varied_setups(const std::vector<world_shape>& shapes,
                                          setup_filter filter = any_setup);
// The covering array of a list of setups in the gate, and later the list.
std::vector<conveyor_setup> tier_setups(std::vector<conveyor_setup> setups);

}  // namespace boxcar::test
