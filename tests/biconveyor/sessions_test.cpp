// Tests of successive sessions, empty sessions, several biconveyors at once, biconveyors over
// subworlds, and memory held only during sessions.
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <optional>

#include <boxcar/biconveyor.hpp>
#include <boxcar/elastic_biconveyor.hpp>
#include <boxcar/error.hpp>

#include "biconveyor/checked_biconveyor.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::sessions_test {
namespace {

void ask_some(checked_biconveyor& c) {
  c.in_session([&] {
    int left = 30 * c.size();
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left % c.size())) --left;
      c.pull_all();
    }
  });
}

class biconveyor_sessions : public testing::TestWithParam<biconveyor_setup> {};

TEST_P(biconveyor_sessions, follow_one_another) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
    for (int i = 0; i < 4; ++i) ask_some(c);
  });
}

TEST_P(biconveyor_sessions, may_be_empty) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, GetParam().options, book);
    for (int i = 0; i < 3; ++i) {
      c.in_session([&] {
        c.finish();
        EXPECT_FALSE(c.pull());
      });
      if (i == 0) ask_some(c);
    }
  });
}

TEST_P(biconveyor_sessions, of_several_biconveyors_may_overlap) {
  ledger first_book(GetParam().shape.pes, 1);
  ledger second_book(GetParam().shape.pes, 2);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor first(w, GetParam().sizes, GetParam().options, first_book);
    checked_biconveyor second(w, GetParam().sizes, GetParam().options, second_book);
    first.in_session([&] {
      second.in_session([&] {
        int left = 40 * w.size();
        bool more = true;
        while (more) {
          more = static_cast<bool>(first.advance(left == 0));
          more |= static_cast<bool>(second.advance(left == 0));
          while (left > 0 && (left % 2 == 0 ? first : second).push(left % w.size())) --left;
          first.pull_all();
          second.pull_all();
        }
      });
    });
  });
}

TEST_P(biconveyor_sessions, may_be_of_parts_of_a_world) {
  ledger even(GetParam().shape.pes, 1);
  ledger odd(GetParam().shape.pes, 2);
  run_on(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(w.rank() % 2, -w.rank());
    const conveyor_options options = for_size(part->size(), GetParam().options);
    checked_biconveyor c(*part, GetParam().sizes, options, w.rank() % 2 == 0 ? even : odd);
    for (int i = 0; i < 2; ++i) ask_some(c);
  });
}

TEST_P(biconveyor_sessions, hold_the_memory_if_it_is_dynamic) {
  conveyor_options options = GetParam().options;
  constexpr std::size_t buffer = 16384;
  options.buffer_bytes = buffer;
  options.dynamic_memory = true;
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_biconveyor c(w, GetParam().sizes, options, book);
    const auto held = [&] {
      return c.unchecked().query_statistics().memory_bytes +
             c.unchecked().reply_statistics().memory_bytes;
    };
    for (int i = 0; i < 2; ++i) {
      EXPECT_LT(held(), buffer);
      c.in_session([&] {
        EXPECT_GT(held(), 2 * buffer);
        c.finish();
      });
    }
    EXPECT_LT(held(), buffer);
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, biconveyor_sessions,
                         testing::ValuesIn(varied_biconveyor_setups(small_shapes())), by_name{});

// Gives a number of blocks, and then no more: it returns nullptr, or throws.
class limited_allocator final : public allocator {
 public:
  [[nodiscard]] void* grab(std::size_t bytes, const char*) override {
    if (left_ == 0 && throws_) throw std::bad_alloc();
    if (left_ == 0) return nullptr;
    --left_;
    ++held_;
    return std::malloc(bytes);
  }
  void free(void* memory) noexcept override {
    --held_;
    std::free(memory);
  }

  void give(int blocks) { left_ = blocks; }
  void throw_from_now_on() { throws_ = true; }
  [[nodiscard]] int held() const { return held_; }

 private:
  int left_ = 0;
  int held_ = 0;
  bool throws_ = false;
};

class biconveyor_out_of_memory : public testing::TestWithParam<biconveyor_setup> {
 protected:
  static conveyor_options options(allocator& memory) {
    conveyor_options options = GetParam().options;
    options.dynamic_memory = true;
    options.memory = &memory;
    return options;
  }

  // Begins with ever more memory until it is enough, and then runs a session.
  template <typename Biconveyor, typename Begin>
  static void begin_with_more_and_more(limited_allocator& memory, Biconveyor& c,
                                       const Begin& begin) {
    int in_vain = 0;
    for (bool enough = false; !enough; ++in_vain) {
      EXPECT_EQ(memory.held(), 0);
      memory.give(in_vain);
      try {
        const session s = begin();
        enough = true;
        while (c.advance(true)) {
        }
      } catch (const system_error&) {
        EXPECT_EQ(c.state(), conveyor_state::dormant);
      }
    }
    EXPECT_GT(in_vain, 2);
    EXPECT_EQ(memory.held(), 0);
  }
};

// A biconveyor begins both of its conveyors, or none.
TEST_P(biconveyor_out_of_memory, can_begin_later) {
  run_on(GetParam().shape, [](world& w) {
    limited_allocator memory;
    biconveyor<long, long> c(w, options(memory));
    begin_with_more_and_more(memory, c, [&] { return c.begin([](long n) { return n; }); });
  });
}

// The other PEs have memory.
TEST_P(biconveyor_out_of_memory, of_a_pe_whose_allocator_throws_can_begin_later) {
  run_on(GetParam().shape, [](world& w) {
    limited_allocator memory;
    if (w.rank() == 0) {
      memory.throw_from_now_on();
    } else {
      memory.give(1000);
    }
    biconveyor<long, long> c(w, options(memory));
    const auto begin = [&] { return c.begin([](long n) { return n; }); };
    const auto text = thrown_by<system_error>([&] { static_cast<void>(begin()); });
    expect_mentions(text, {"the allocator of PE 0"});
    EXPECT_EQ(memory.held(), 0);
    memory.give(1000);
    const session s = begin();
    while (c.advance(true)) {
    }
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, biconveyor_out_of_memory,
                         testing::ValuesIn(plain_biconveyor_setups(small_shapes())), by_name{});

using elastic_biconveyor_out_of_memory = biconveyor_out_of_memory;

TEST_P(elastic_biconveyor_out_of_memory, can_begin_later) {
  run_on(GetParam().shape, [](world& w) {
    limited_allocator memory;
    elastic_biconveyor c(w, 100, 100, options(memory));
    begin_with_more_and_more(memory, c, [&] {
      return c.begin([](std::span<const std::byte>, std::vector<std::byte>&) {});
    });
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, elastic_biconveyor_out_of_memory,
                         testing::ValuesIn(plain_biconveyor_setups(small_shapes(),
                                                                   is_asynchronous)),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::sessions_test
