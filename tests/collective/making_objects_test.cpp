// Windows, counters, append buffers, adapters and collectives are made in at most four
// synchronisations of all PEs, and share memory maps. If a PE cannot have the memory, all PEs get
// the same error, and objects can be made afterwards.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/append_buffer.hpp>
#include <boxcar/collective.hpp>
#include <boxcar/collective_options.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/error.hpp>
#include <boxcar/window.hpp>

#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"
#include "support/by_name.hpp"
#include "support/few_descriptors.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/sanitizers.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::making_objects_test {
namespace {

constexpr std::size_t elements = 1000;

struct object_kind {
  const char* name;
  std::function<std::shared_ptr<void>(world&)> make;
};
std::string name_of(const object_kind& k) {
  return k.name;
}

// A collective with the memory that it refers to.
struct made_all_reduce {
  made_all_reduce(world& w, topology over)
      : made(collectives(w).all_reduce(std::span(std::as_const(in)), std::span(out), std::plus<>{},
                                       {.over = over})) {}
  std::vector<double> in = std::vector<double>(elements);
  std::vector<double> out = std::vector<double>(elements);
  collective made;
};

object_kind all_reduce_over(const char* name, topology over) {
  return {name, [over](world& w) { return std::make_shared<made_all_reduce>(w, over); }};
}

std::vector<object_kind> all_kinds() {
  return {
      {"window", [](world& w) { return std::make_shared<window<std::uint64_t>>(w, elements); }},
      {"window_of_unequal_parts",
       [](world& w) {
         return std::make_shared<window<int>>(w, static_cast<std::size_t>(w.rank()));
       }},
      {"counter", [](world& w) { return std::make_shared<counter>(w); }},
      {"append_buffer", [](world& w) { return std::make_shared<append_buffer<int>>(w, elements); }},
      {"adapter", [](world& w) { return std::make_shared<adapter>(w); }},
      all_reduce_over("shared_memory", topology::shared_memory),
      all_reduce_over("butterfly", topology::butterfly),
      all_reduce_over("chain", topology::chain),
  };
}

std::vector<world_shape> shapes_with_nodes(bool one) {
  std::vector<world_shape> shapes = small_shapes();
  std::erase_if(shapes, [one](const world_shape& s) { return (s.nodes == 1) != one; });
  return shapes;
}

// --- Synchronisations ----------------------------------------------------------------------------

class making_an_object : public testing::TestWithParam<shaped<object_kind>> {};

TEST_P(making_an_object, takes_at_most_four_synchronisations) {
  run_on(GetParam().shape, [](world& w) {
    detail::substrate& s = *w.substrate();
    const detail::pe_watch& watch = detail::progress::of_this_pe().watch();
    const auto moves_of = [&watch](const std::function<void()>& action) {
      const std::uint64_t before = watch.moves();
      action();
      return watch.moves() - before;
    };
    const std::uint64_t of_a_barrier = moves_of([&s] { s.barrier(); });
    ASSERT_GT(of_a_barrier, 0U);
    std::vector<std::shared_ptr<void>> all;  // what is dropped costs another one
    for (int i = 0; i < 3; ++i) {
      // The program's calls count as moves, too; a synchronisation counts more than once.
      const std::uint64_t of_making = moves_of([&] { all.push_back(GetParam().detail.make(w)); });
      if (i == 0) continue;  // the first object may need what all objects share
      EXPECT_LT(of_making, 5 * of_a_barrier);
      EXPECT_GE(of_making, 2 * of_a_barrier);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(all, making_an_object,
                         testing::ValuesIn(on_shapes(shapes_with_nodes(true), all_kinds())),
                         by_name{});

// --- Maps ----------------------------------------------------------------------------------------

std::ptrdiff_t maps_of_this_process() {
  std::ifstream maps("/proc/self/maps");
  return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
}

TEST_P(making_an_object, takes_few_maps) {
  if (with_address_sanitizer) GTEST_SKIP() << "there each object has its own map";
  constexpr int objects = 300;
  run_on(GetParam().shape, [](world& w) {
    const std::ptrdiff_t before = maps_of_this_process();
    std::vector<std::shared_ptr<void>> all;
    for (int i = 0; i < objects; ++i) all.push_back(GetParam().detail.make(w));
    w.barrier();
    EXPECT_LT(maps_of_this_process() - before, objects / 5);
    w.barrier();
  });
}

// --- Shortage ------------------------------------------------------------------------------------

class an_object_without_memory : public testing::TestWithParam<shaped<object_kind>> {};

TEST_P(an_object_without_memory, fails_on_all_pes_and_can_be_made_later) {
  if (with_address_sanitizer) GTEST_SKIP() << "the sanitizer needs a descriptor to check memory";
  run_on(GetParam().shape, [](world& w) {
    for (const int short_of_files : {w.size() - 1, 0}) {
      // The first object of a world needs a file.
      world part = w.split(0, w.rank()).value();
      std::optional<few_descriptors> none;
      if (w.rank() == short_of_files) none.emplace(0);
      const std::string text = thrown_by<system_error>([&] { GetParam().detail.make(part); });
      expect_mentions(text, {"PE " + std::to_string(short_of_files), "ulimit -n"});
      none.reset();
      GetParam().detail.make(part);
    }
    GetParam().detail.make(w);
    window<int> made(w, 1);
    made.local()[0] = w.rank();
    w.barrier();
    EXPECT_EQ(made.get(w.size() - 1, 0), w.size() - 1);
    w.barrier();
  });
}

std::vector<world_shape> processes() {
  std::vector<world_shape> shapes = with_at_least(2, small_shapes());
  std::erase_if(shapes, [](const world_shape& s) {
    return s.substrate != substrate_kind::processes || s.nodes == s.pes;
  });
  return shapes;
}

std::vector<shaped<object_kind>> cases_without_memory() {
  std::vector<shaped<object_kind>> all = on_all_shapes(processes(), all_kinds());
  // Collectives over shared memory are for one node.
  std::erase_if(all, [](const shaped<object_kind>& c) {
    return c.shape.nodes != 1 && std::string(c.detail.name) == "shared_memory";
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(all, an_object_without_memory, testing::ValuesIn(cases_without_memory()),
                         by_name{});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(an_object_without_memory);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(making_an_object);

}  // namespace
}  // namespace boxcar::test::making_objects_test
