// Objects that are kept beyond `run`, whose PEs are threads: one thread destroys the objects of all
// PEs, PE by PE. (tests/tool/kept_objects_test.cpp has PEs that are processes.)
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/error.hpp>
#include <boxcar/run.hpp>
#include <boxcar/window.hpp>

namespace boxcar::test::kept_objects_test {
namespace {

struct kept_objects_of_pe {
  explicit kept_objects_of_pe(world& w)
      : part(*w.split(0)), of_whole(w, 10), of_part(part, 10), barrier(part.barrier_async()) {}

  world part;
  window<long> of_whole;
  window<long> of_part;
  collective_run barrier;
};

TEST(kept_objects, wait_for_nobody) {
  constexpr int pes = 4;
  for (const int nodes : {1, 2}) {
    std::vector<std::unique_ptr<kept_objects_of_pe>> all(pes);
    run(pes,
        [&](world& w) {
          all[static_cast<std::size_t>(w.rank())] = std::make_unique<kept_objects_of_pe>(w);
        },
        {.nodes = nodes});
    for (const auto& kept : all) EXPECT_THROW(kept->part.barrier(), contract_error);
    all.clear();
  }
}

}  // namespace
}  // namespace boxcar::test::kept_objects_test
