// A job on one machine has no socket with an address visible to other machines, although a network
// connects the nodes of the job.
#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "ofi/listening_sockets.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::listening_test {
namespace {

bool is_loopback(const std::string& address) {
  std::uint32_t v4 = 0;
  if (address.size() == 8 && std::sscanf(address.c_str(), "%8X", &v4) == 1) {
    return (v4 & 0xff) == 127;  // network byte order, on a little-endian machine
  }
  return address == "00000000000000000000000001000000";
}

std::vector<world_shape> on_two_nodes() {
  std::vector<world_shape> shapes = all_shapes();
  std::erase_if(shapes, [](const world_shape& shape) { return shape.nodes != 2; });
  return shapes;
}

class listening : public testing::TestWithParam<world_shape> {};

TEST_P(listening, is_on_loopback_if_all_pes_are_on_one_machine) {
  run_on(GetParam(), [](world& w) {
    window<std::uint64_t> numbers(w, 4);
    numbers.put(7, (w.rank() + 1) % w.size(), 0);
    numbers.flush();
    w.barrier();
    const std::vector<listening_socket> all = sockets_that_listen();
    EXPECT_FALSE(all.empty());  // the endpoint, at least
    for (const listening_socket& s : all) EXPECT_TRUE(is_loopback(s.address)) << s.address;
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(on, listening, testing::ValuesIn(on_two_nodes()), by_name{});

}  // namespace
}  // namespace boxcar::test::listening_test
