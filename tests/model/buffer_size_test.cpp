// The default size of buffers follows from the number of links, the cache, the items and the bound,
// and the conveyor tells from which.
#include "model/buffer_size.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/run.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail::buffer_size_test {
namespace {

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t cache = 1024 * kibibyte;

constexpr buffer_place own_core{.cache_bytes = cache};
constexpr buffer_place shared_core{.cache_bytes = cache, .cores_shared = true};

TEST(buffer_size, is_such_that_all_fill_the_cache_twice) {
  EXPECT_EQ(choose_buffer_size(4, 8, own_core).bytes, 256 * kibibyte);
  EXPECT_EQ(choose_buffer_size(8, 8, own_core).bytes, 128 * kibibyte);
  EXPECT_EQ(choose_buffer_size(4, 8, {.cache_bytes = cache / 2}).bytes, 128 * kibibyte);
  EXPECT_EQ(choose_buffer_size(5, 8, own_core).bytes, 128 * kibibyte) << "a power of two";
  EXPECT_NE(choose_buffer_size(8, 8, own_core).why.find("1048576"), std::string::npos);
}

TEST(buffer_size, is_larger_for_large_items) {
  EXPECT_EQ(choose_buffer_size(2, 64, own_core).bytes, 1024 * kibibyte);
  EXPECT_EQ(choose_buffer_size(2, 63, own_core).bytes, 512 * kibibyte);
  EXPECT_EQ(choose_buffer_size(2, 64, {.cache_bytes = 64 * cache}).bytes, 1024 * kibibyte);
  EXPECT_EQ(choose_buffer_size(4, 64, own_core).bytes, 512 * kibibyte);
  EXPECT_NE(choose_buffer_size(4, 64, own_core).why.find("items are large"), std::string::npos);
  for (const std::size_t caches : {2U, 4U}) {
    EXPECT_EQ(choose_buffer_size(4, 64, {.cache_bytes = caches * cache}).bytes, 512 * kibibyte)
        << "4 MiB in all";
  }
  EXPECT_EQ(choose_buffer_size(1, 64, own_core).bytes, choose_buffer_size(1, 8, own_core).bytes);
  for (const std::size_t bytes : {cache, 4 * cache, 64 * cache}) {
    for (const bool cores_shared : {false, true}) {
      const buffer_place place{bytes, cores_shared, cores_shared ? 1U : 2U, cores_shared};
      for (const std::size_t links : {1U, 2U, 4U, 8U}) {
        EXPECT_EQ(choose_buffer_size(links, 64, place, true).bytes,
                  choose_buffer_size(links, 8, place, true).bytes)
            << "where cores are shared, or two conveyors work together";
      }
    }
  }
}

TEST(buffer_size, is_such_that_all_fit_in_the_cache_of_a_core_that_is_shared) {
  EXPECT_EQ(choose_buffer_size(4, 8, shared_core).bytes, 128 * kibibyte);
  EXPECT_EQ(choose_buffer_size(8, 8, shared_core).bytes, 64 * kibibyte);
  EXPECT_NE(choose_buffer_size(8, 8, shared_core).why.find("share cores"), std::string::npos);
}

TEST(buffer_size, is_neither_tiny_nor_huge) {
  EXPECT_EQ(choose_buffer_size(1, 8, own_core).bytes, 256 * kibibyte);
  EXPECT_EQ(choose_buffer_size(2, 8, own_core).bytes, 512 * kibibyte);
  EXPECT_EQ(choose_buffer_size(2, 8, {.cache_bytes = 64 * cache}).bytes, 512 * kibibyte);
  EXPECT_EQ(choose_buffer_size(32, 8, own_core).bytes, 64 * kibibyte);
  EXPECT_EQ(choose_buffer_size(64, 8, shared_core).bytes, 32 * kibibyte) << "4 MiB in all";
  EXPECT_EQ(choose_buffer_size(1000, 8, own_core).bytes, 2 * kibibyte);
  EXPECT_EQ(choose_buffer_size(100'000, 8, own_core).bytes, 2 * kibibyte);
  EXPECT_NE(choose_buffer_size(1, 8, own_core).why, choose_buffer_size(8, 8, own_core).why);
  EXPECT_NE(choose_buffer_size(100, 8, own_core).why, choose_buffer_size(8, 8, own_core).why);
}

TEST(buffer_size, is_larger_between_nodes) {
  constexpr buffer_place nodes{.cache_bytes = cache, .several_nodes = true};
  EXPECT_EQ(choose_buffer_size(2, 8, nodes).bytes, 512 * kibibyte);
  EXPECT_EQ(choose_buffer_size(8, 8, nodes).bytes, 256 * kibibyte);
  EXPECT_EQ(choose_buffer_size(16, 8, nodes).bytes, 128 * kibibyte) << "4 MiB in all";
  EXPECT_NE(choose_buffer_size(8, 8, nodes).why.find("between nodes"), std::string::npos);
  constexpr buffer_place two_conveyors{.conveyors = 2, .several_nodes = true};
  EXPECT_EQ(choose_buffer_size(1, 8, two_conveyors).bytes, 128 * kibibyte);
}

TEST(buffer_size, is_larger_still_over_several_hops_of_pes_that_share_cores) {
  constexpr buffer_place nodes{.cache_bytes = cache, .cores_shared = true, .several_nodes = true};
  EXPECT_EQ(choose_buffer_size(8, 8, nodes, true).bytes, 512 * kibibyte);
  EXPECT_EQ(choose_buffer_size(9, 8, nodes, true).bytes, 256 * kibibyte) << "8 MiB in all";
  EXPECT_NE(choose_buffer_size(8, 8, nodes, true).why.find("share cores"), std::string::npos);
  EXPECT_EQ(choose_buffer_size(8, 8, nodes, false).bytes, 256 * kibibyte);
  for (bool buffer_place::*part : {&buffer_place::cores_shared, &buffer_place::several_nodes}) {
    buffer_place other = nodes;
    other.*part = false;
    EXPECT_LE(choose_buffer_size(8, 8, other, true).bytes, 256 * kibibyte);
  }
}

TEST(buffer_size, has_room_for_some_items) {
  const buffer_size chosen = choose_buffer_size(1024, 1001, own_core);
  EXPECT_EQ(chosen.bytes, 4032U) << "4 times 1001, to the next cache line";
  EXPECT_NE(chosen.why.find("4 items of 1001 bytes"), std::string::npos) << chosen.why;
}

TEST(buffer_size, is_shared_with_conveyors_that_work_together) {
  constexpr buffer_place two{.cache_bytes = cache, .conveyors = 2};
  EXPECT_EQ(choose_buffer_size(4, 8, two).bytes, 64 * kibibyte);
  EXPECT_EQ(choose_buffer_size(2, 8, two).bytes, 128 * kibibyte);
  EXPECT_EQ(choose_buffer_size(64, 8, two).bytes, 16 * kibibyte);
  EXPECT_NE(choose_buffer_size(2, 8, two).why.find("2 conveyors"), std::string::npos);
}

// PEs take the largest of each number.
TEST(buffer_size, is_one_that_suits_all_pes) {
  const auto with = [](const buffer_place& a, const buffer_place& b) {
    buffer_place::numbers all = a.to_numbers();
    const buffer_place::numbers others = b.to_numbers();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], others[i]);
    return buffer_place::from(all);
  };
  const buffer_place small{
      .cache_bytes = cache / 2, .several_nodes = true, .memory_bytes = usual_memory_bytes / 2};
  for (const buffer_place& both : {with(small, shared_core), with(shared_core, small)}) {
    EXPECT_EQ(both.cache_bytes, cache / 2);
    EXPECT_TRUE(both.cores_shared);
    EXPECT_TRUE(both.several_nodes);
    EXPECT_EQ(both.memory_bytes, usual_memory_bytes / 2);
  }
  EXPECT_FALSE(with(small, own_core).cores_shared);
}

TEST(buffer_size, knows_whether_there_are_several_nodes) {
  for (const int nodes : {1, 2}) {
    boxcar::run(4,
                [&](world& w) { EXPECT_EQ(place_here(*w.substrate()).several_nodes, nodes > 1); },
                {.nodes = nodes});
  }
}

TEST(buffer_size, follows_from_a_cache_that_there_is) {
  EXPECT_GE(cache_bytes_here(), 16 * kibibyte);
}

TEST(buffer_size, follows_from_memory_that_there_is) {
  EXPECT_GE(machine_bytes_here(), std::size_t{1} << 26);
  boxcar::run(4, [](world& w) {
    EXPECT_EQ(place_here(*w.substrate()).memory_bytes, machine_bytes_here() / 4);
  });
}

TEST(buffer_size, is_explained) {
  boxcar::run(2, [](world& w) {
    const auto text = [&](const conveyor_options& options) {
      return conveyor<int>(w, options).explain();
    };
    const buffer_place here = place_here(*w.substrate());
    EXPECT_NE(text({}).find(choose_buffer_size(2, sizeof(int), here).why), std::string::npos)
        << text({});
    EXPECT_NE(text({.buffer_bytes = 512}).find("512 bytes, as asked for"), std::string::npos);
    EXPECT_NE(text({.max_bytes = 40'000}).find("halved until all fit in 40000 bytes"),
              std::string::npos)
        << text({.max_bytes = 40'000});
    const std::string of_any_size = elastic_conveyor(w, 100).explain();
    EXPECT_NE(of_any_size.find(choose_buffer_size(2, 8, here).why), std::string::npos)
        << of_any_size;
    const std::string of_two = biconveyor<double, double>(w).explain();
    const buffer_size chosen =
        choose_buffer_size(2, sizeof(double), {here.cache_bytes, here.cores_shared, 2});
    EXPECT_NE(of_two.find(std::to_string(chosen.bytes) + " bytes: " + chosen.why),
              std::string::npos)
        << of_two;
  });
}

}  // namespace
}  // namespace boxcar::detail::buffer_size_test
