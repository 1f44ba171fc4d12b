// The exchange without replies.
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>

#include "exchange/exchange_setup.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"

namespace boxcar::test::exchange_test {
namespace {

// An item with its source, its destination, and its number.
struct letter {
  int from;
  int to;
  int number;
};

// Takes the arrivals of one PE; each letter must be the next letter of its sender.
class letter_box {
 public:
  explicit letter_box(world& w) : rank_(w.rank()), arrived_(static_cast<std::size_t>(w.size())) {}

  void take(const letter& l, int from) {
    ASSERT_EQ(l.from, from);
    ASSERT_EQ(l.to, rank_);
    ASSERT_EQ(l.number, arrived_[static_cast<std::size_t>(from)]++);
  }
  [[nodiscard]] const std::vector<int>& arrived() const { return arrived_; }  // from each PE

 private:
  int rank_;
  std::vector<int> arrived_;
};

class exchange : public test_of_exchange {
 protected:
  // Every PE pushes a letter to each PE of its list; all letters must arrive.
  static void send(world& w, const std::vector<int>& destinations) {
    std::vector<int> sent(static_cast<std::size_t>(w.size()));
    letter_box box(w);
    const auto produce = [&](auto& out) {
      for (const int to : destinations) {
        out.push({w.rank(), to, sent[static_cast<std::size_t>(to)]++}, to);
      }
    };
    const auto consume = [&](const letter& l, int from) { box.take(l, from); };
    const statistics did =
        boxcar::exchange<letter>(w, produce, consume, options_for(sizeof(letter)));
    EXPECT_EQ(did.pushes, destinations.size());
    EXPECT_EQ(did.pulls, std::accumulate(box.arrived().begin(), box.arrived().end(), 0U));
    EXPECT_EQ(did.begins, 1U);
    EXPECT_GT(did.memory_bytes, 0U);
    for (int to = 0; to < w.size(); ++to) {
      const std::vector<int> expected = w.gather(sent[static_cast<std::size_t>(to)], to);
      if (w.rank() == to) {
        EXPECT_EQ(box.arrived(), expected);
      }
    }
  }
};

TEST_P(exchange, brings_everything_in_order) {
  run_on(GetParam().shape, [](world& w) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    std::vector<int> destinations(w.size() > 8 ? 100 : 500);
    for (int& to : destinations) to = d.below(w.size());
    send(w, destinations);
  });
}

TEST_P(exchange, may_be_uneven) {
  run_on(GetParam().shape, [](world& w) {
    const std::vector<int> to_last(200, w.size() - 1);
    send(w, to_last);
    send(w, w.rank() == 0 ? to_last : std::vector<int>());
    send(w, std::vector<int>(200, w.rank()));
  });
}

TEST_P(exchange, may_be_empty) {
  run_on(GetParam().shape, [](world& w) {
    send(w, {});
    boxcar::exchange<char>(
        w, [](auto&) {}, [](char) { FAIL(); }, options_for(1));
  });
}

TEST_P(exchange, works_on_parts_of_the_world) {
  run_on(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(w.rank() % 3);
    const conveyor_options options = for_size(part->size(), options_for(sizeof(int)));
    int sum = 0;
    boxcar::exchange<int>(
        *part,
        [&](auto& out) {
          for (int pe = 0; pe < part->size(); ++pe) out.push(w.rank(), pe);
        },
        [&](int rank) {
          EXPECT_EQ(rank % 3, w.rank() % 3);
          ++sum;
        },
        options);
    EXPECT_EQ(sum, part->size());
  });
}

INSTANTIATE_TEST_SUITE_P(exchange, exchange, testing::ValuesIn(exchange_setups()), by_name{});

// The types of functions for `exchange`.
class exchange_functions : public test_of_exchange {};

int taken_by_function = 0;
void take_by_function(const int& value) {
  taken_by_function += value;
}

TEST_P(exchange_functions, may_be_of_any_kind) {
  run_on({substrate_kind::threads, 1, 1}, [](world& w) {
    const auto produce = [](auto& out) { out.push(1, 0); };
    const auto run = [&](auto&& consume) {
      boxcar::exchange<int>(w, produce, std::forward<decltype(consume)>(consume),
                            options_for(sizeof(int)));
    };
    int taken = 0;
    run([&taken](int) { ++taken; });
    run([&taken](const int&, int) { ++taken; });
    run([&taken, own = std::make_unique<int>(1)](int value) { taken += value * *own; });
    run([&taken, calls = 0](int) mutable { taken += ++calls; });
    run(std::function<void(int, int)>([&taken](int, int) { ++taken; }));
    const std::function<void(int)> named = [&taken](int) { ++taken; };
    run(named);
    run(take_by_function);
    run(&take_by_function);
    EXPECT_EQ(taken, 6);
    EXPECT_EQ(taken_by_function, 2);
  });
  taken_by_function = 0;
}

INSTANTIATE_TEST_SUITE_P(exchange, exchange_functions,
                         testing::ValuesIn(plain_setups({{substrate_kind::threads, 1, 1}})),
                         by_name{});

class failing_exchange : public test_of_exchange {};

TEST_P(failing_exchange, because_of_its_producer) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    boxcar::exchange<int>(
        w,
        [&](auto& out) {
          out.push(1, 0);
          if (w.rank() == 0) throw std::runtime_error("out of ideas");
        },
        [](int) {}, options_for(sizeof(int)));
  });
  expect_failure_of_first(report, ending::other_exception, {"out of ideas"});
}

TEST_P(failing_exchange, because_of_its_consumer) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    boxcar::exchange<int>(
        w, [&](auto& out) { out.push(1, 0); }, [](int) { throw std::runtime_error("no thanks"); },
        options_for(sizeof(int)));
    w.barrier();
  });
  expect_failure_of_first(report, ending::other_exception, {"no thanks"});
}

TEST_P(failing_exchange, because_of_a_destination_that_there_is_not) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    const int to = w.rank() == 0 ? w.size() : 0;
    boxcar::exchange<int>(
        w, [&](auto& out) { out.push(1, to); }, [](int) {}, options_for(sizeof(int)));
    w.barrier();
  });
  expect_failure_of_first(
      report, ending::argument_error,
      {"push to PE " + std::to_string(GetParam().shape.pes), "numbered from 0"});
}

// A producer may catch the error, and go on.
TEST_P(failing_exchange, not_because_of_a_destination_that_its_producer_corrects) {
  run_on(GetParam().shape, [](world& w) {
    int arrived = 0;
    boxcar::exchange<int>(
        w,
        [&](auto& out) {
          for (const int nowhere : {w.size(), -1}) {
            EXPECT_THROW(out.push(1, nowhere), argument_error);
            out.push(2, w.rank());
          }
        },
        [&](int item) { arrived += item; }, options_for(sizeof(int)));
    EXPECT_EQ(arrived, 4);
  });
}

// A consumer with pushes would need room, and there may be none before the consumer returns.
TEST_P(failing_exchange, because_its_consumer_pushes) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    std::function<void()> push_more;
    boxcar::exchange<int>(
        w,
        [&](auto& out) {
          push_more = [&out] { out.push(2, 0); };
          out.push(1, 0);
        },
        [&](int) { push_more(); }, options_for(sizeof(int)));
    w.barrier();
  });
  expect_failure_of_first(report, ending::contract_error, {"push", "handler"});
}

INSTANTIATE_TEST_SUITE_P(exchange, failing_exchange, testing::ValuesIn(few_exchange_setups()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::exchange_test
