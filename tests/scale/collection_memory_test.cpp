// What a PE holds of a collection with many objects that have moved once: the bytes in
// docs/collections.md, for any number of PEs.
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include <boxcar/collection.hpp>
#include <boxcar/run.hpp>

#include "memory/allocation_meter.hpp"
#include "scale/scale_cases.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::collection_memory_test {
namespace {

constexpr std::int64_t objects_here = 100'000;

// The bytes of docs/collections.md, by object.
constexpr std::size_t of_an_object = 80;    // with a value of 8 bytes
constexpr std::size_t of_a_record = 64;     // where the object has its home
constexpr std::size_t of_an_arrival = 144;  // where the object is, away from its home
constexpr std::size_t of_a_session =
    16;  // the index of an object that moved, until the next session

using numbers = collection<std::int64_t>;

std::size_t grown_since(std::size_t before) {
  const std::size_t now = allocated_bytes();
  return now < before ? 0 : now - before;
}

// All objects of the PE leave, in a world where the other PEs are pretended.
void expect_bounded(int pes, int pes_per_node) {
  SCOPED_TRACE(std::to_string(pes) + " PEs");
  auto rest = std::make_unique<pretended_world>(pes, pes_per_node, scale_rank(pes_per_node));
  pretended_world& others = *rest;
  const world w(std::move(rest));
  // Everything that does not belong to an object: streams with their links.
  constexpr std::size_t of_streams = 400'000;

  std::size_t before = allocated_bytes();
  collection_options options;
  options.stream.way = route::balanced(pes, 3, pes_per_node);
  // Larger than the messages of termination detectors, which pretended links answer.
  options.stream.buffer_bytes = 16 * scale_buffer_bytes;
  numbers c(
      w, pes * objects_here, [](std::int64_t i) { return i; }, options);
  ASSERT_EQ(c.local_size(), static_cast<std::size_t>(objects_here));
  EXPECT_LE(grown_since(before), objects_here * of_an_object + of_streams);

  before = allocated_bytes();
  restart_peak();
  {
    const session scope = c.begin();
    const std::int64_t first = objects_here * w.rank();
    // On another node: pretended PEs of this node free no buffers.
    const int elsewhere = (w.rank() + pes_per_node) % pes;
    for (std::int64_t i = 0; i != objects_here; ++i) c.migrate(first + i, elsewhere);
    others.answer();
    c.finish();
  }
  EXPECT_EQ(c.local_size(), 0U);
  EXPECT_EQ(c.statistics().migrations, static_cast<std::uint64_t>(objects_here));
  EXPECT_LE(peak_bytes() - before, objects_here * (of_a_record + of_a_session) + of_streams);
  // The objects are gone, and the records are left.
  EXPECT_LE(c.memory_bytes(), objects_here * (of_a_record + of_a_session) + of_streams);
  EXPECT_EQ(others.gathered_bytes(), 0U);
}

TEST(collection_memory, of_objects_that_left_does_not_grow_with_the_number_of_pes) {
  for (const auto& [pes, per_node] : {std::pair{64, 8}, {100'000, 50}}) {
    expect_bounded(pes, per_node);
  }
}

// All objects go to the next PE.
TEST(collection_memory, of_objects_that_arrived_is_bounded) {
  run_on({substrate_kind::threads, 2, 1}, [](world& w) {
    const allocation_meter meter(w);
    numbers c(w, objects_here * w.size(), [](std::int64_t i) { return i; });
    {
      const session scope = c.begin();
      const std::int64_t first = objects_here * w.rank();
      for (std::int64_t i = 0; i != objects_here; ++i) c.migrate(first + i, 1 - w.rank());
      c.finish();
    }
    const session scope = c.begin();  // forgets what belonged to the first session
    c.finish();
    EXPECT_EQ(c.local_size(), static_cast<std::size_t>(objects_here));
    constexpr std::int64_t of_streams = 2'000'000;
    EXPECT_LE(
        meter.held_per_pe(),
        objects_here * static_cast<std::int64_t>(8 + of_a_record + of_an_arrival) + of_streams);
  });
}

}  // namespace
}  // namespace boxcar::test::collection_memory_test
