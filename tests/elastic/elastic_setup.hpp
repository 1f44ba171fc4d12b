// The elastic conveyors that the tests run on.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/elastic_conveyor.hpp>

#include "support/world_shape.hpp"

namespace boxcar::test {

// The least size of a buffer of an elastic conveyor: room for a ticket with its tag and descriptor.
inline constexpr std::size_t min_elastic_buffer = 32;

struct elastic_setup {
  world_shape shape;
  conveyor_options options;
};

// The name of a setup within the name of a test, like "processes_p4_n2_h3_g2_b32_x2_steady".
std::string name_of(const elastic_setup& setup);
void PrintTo(const elastic_setup& setup, std::ostream* out);

// The following lists depend on the tier of the run: in the gate they are covering arrays, and
// later all setups.
//
// 1, 2 and 3 hops with buffers of the least size, of a few items, and of the automatic size, on
// each of the shapes, and each with another combination of the other options.
std::vector<elastic_setup> varied_elastic_setups(const std::vector<world_shape>& shapes);
// 1, 2 and 3 hops, small buffers, no other option.
std::vector<elastic_setup> plain_elastic_setups(const std::vector<world_shape>& shapes);

// The sizes of packets (conveyors-2019, section 4.4), for the computation of capacities and
// traffic.
struct packet_sizes {
  std::size_t tag_bytes;
  std::size_t buffer_bytes;

  packet_sizes(const elastic_conveyor& c, const conveyor_options& options)
      : tag_bytes(options.hops > 1 ? 4 : 0), buffer_bytes(c.buffer_bytes()) {}

  // The size of the largest item that is no monster.
  [[nodiscard]] std::size_t largest_small_item() const {
    return (buffer_bytes - tag_bytes - 4) / 4 * 4;
  }
  [[nodiscard]] std::size_t packet(std::size_t item_bytes) const {
    constexpr std::size_t ticket_bytes = 24;
    const std::size_t payload = item_bytes > largest_small_item() ? ticket_bytes : item_bytes;
    return tag_bytes + 4 + (payload + 3) / 4 * 4;
  }
};

}  // namespace boxcar::test
