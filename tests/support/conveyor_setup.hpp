// The conveyors that the tests run on. To have a further sort of conveyor tested, add a line to
// `conveyor_variants`.
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

// Every sort of conveyor that works on this shape.
std::vector<conveyor_variant> conveyor_variants(const world_shape& shape);

// The contract leaves it to the conveyor whether `advance` synchronises all PEs until the end is
// near, or never blocks (conveyors-2019, section 3.3).
bool advance_synchronises(const conveyor_options& options);

// The sizes of items, in bytes. 3 and 13 divide no line of the cache and need no alignment; 24 and
// 1000 are multiples of 8 only; 65536 is the largest.
inline constexpr std::array<std::size_t, 7> item_sizes{1, 3, 8, 13, 24, 1000, 65536};

// A conveyor on a world: what a test case is given.
struct conveyor_setup {
  world_shape shape;
  std::string variant;
  conveyor_options options;
  std::size_t item_bytes =
      8;  // one of item_sizes; of an elastic conveyor, usually (item_content.hpp)
  bool elastic = false;
};

// The same for a world of another size: which groups a conveyor forms is left to it, and a route is
// replaced by a grid.
conveyor_options for_size(int pes, conveyor_options options);
conveyor_setup for_size(int pes, conveyor_setup setup);

// How many items each PE should send: `most`, or fewer if they are large, the PEs many, or the
// buffers so small that every item has to wait for the one before it.
int items_for(const conveyor_setup& setup, int most);

// For the name of a test, like "processes_p4_n2_tensor3_i24_b72_x2_steady".
std::string name_of(const conveyor_setup& setup);
void PrintTo(const conveyor_setup& setup, std::ostream* out);

// Every variant on each of the shapes, with items of 8 bytes and otherwise default options.
std::vector<conveyor_setup> plain_setups(const std::vector<world_shape>& shapes);
// The same but steady.
std::vector<conveyor_setup> steady_setups(const std::vector<world_shape>& shapes);
// Every variant on each of the shapes, each with another combination of item size, buffer size,
// buffers per link, and steady or dynamic or not, so that all of these occur often. Another
// GTEST_RANDOM_SEED gives others.
std::vector<conveyor_setup> varied_setups(const std::vector<world_shape>& shapes);

// About a third of them: where each shape and each variant has to occur, but not each with each, as
// it does in the contract suite's random programs. Of two shapes half, in which each variant
// occurs; of one shape all.
std::vector<conveyor_setup> a_third_of(const std::vector<conveyor_setup>& setups);

// For tests that use conveyor<T> itself.
std::vector<conveyor_setup> fixed_size_only(std::vector<conveyor_setup> setups);

}  // namespace boxcar::test
