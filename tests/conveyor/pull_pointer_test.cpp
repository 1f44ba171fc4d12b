// Tests of pulling without a copy: the pointer is aligned for the item's type, and the item stays
// valid until the next pull.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>

#include <boxcar/conveyor.hpp>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/simple_loops.hpp"

namespace boxcar::test::pull_pointer_test {
namespace {

class alignment : public testing::TestWithParam<conveyor_setup> {
 protected:
  template <std::size_t Alignment, std::size_t Multiple>
  void check() {
    struct alignas(Alignment) aligned {
      std::array<unsigned char, Alignment * Multiple> bytes;
    };
    conveyor_options options = GetParam().options;
    if (options.buffer_bytes != 0) options.buffer_bytes = 2 * sizeof(aligned);
    run_on(GetParam().shape, [&](world& w) {
      conveyor<aligned> c(w, options);
      const session s = c.begin();
      int left = 20 * w.size();
      while (c.advance(left == 0)) {
        while (left > 0 && c.push(aligned{}, left % w.size())) --left;
        while (const aligned* item = c.pull_pointer()) {
          ASSERT_EQ(reinterpret_cast<std::uintptr_t>(item) % Alignment, 0U);
        }
      }
    });
  }
};

TEST_P(alignment, is_that_of_the_type) {
  check<1, 1>();
  check<1, 7>();
  check<2, 3>();
  check<4, 3>();
  check<8, 5>();
  check<16, 1>();
  check<16, 3>();
  check<32, 1>();
  check<64, 1>();
  check<64, 3>();
}

INSTANTIATE_TEST_SUITE_P(contract, alignment,
                         testing::ValuesIn(varied_setups(small_shapes(), is_fixed_size)),
                         by_name{});

class pull_pointer : public testing::TestWithParam<conveyor_setup> {};

// The pointers are followed only after everything else has happened (see checked_conveyor).
TEST_P(pull_pointer, is_good_while_items_are_pushed_and_moved) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_conveyor c(w, GetParam(), book);
    c.in_session([&] {
      int left = items_for(GetParam(), 300);
      while (c.advance(left == 0)) {
        while (left > 0 && c.push(left % c.size())) --left;
        if (c.pull(pull_way::pointer)) {
          while (left > 0 && c.push(left % c.size())) --left;
        }
      }
    });
  });
}

TEST_P(pull_pointer, is_good_after_the_end) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_conveyor c(w, GetParam(), book);
    c.in_session([&] {
      push_to_all(c);
      while (c.advance(true)) {
        for (int i = 0; i < c.size(); ++i) c.pull(pull_way::pointer_with_source);
      }
      c.advance(true);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(contract, pull_pointer, testing::ValuesIn(varied_setups(small_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::pull_pointer_test
