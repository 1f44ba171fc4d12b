// Tests of the functions of aml.h within worlds made by `boxcar::run`: PEs are threads, processes,
// or PEs of a cluster's job. Handlers have no argument for their state: the state is thread-local.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/aml-c/aml.h>
#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::aml_test {
namespace {

struct handled {
  std::vector<std::vector<std::int32_t>> by_source;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  int running = 0;
  int most_running = 0;
};
thread_local handled seen;

void forget_seen() {
  seen = {};
  seen.by_source.resize(static_cast<std::size_t>(aml_n_pes()));
}

class running_scope {
 public:
  running_scope() { seen.most_running = std::max(seen.most_running, ++seen.running); }
  running_scope(const running_scope&) = delete;
  running_scope& operator=(const running_scope&) = delete;
  ~running_scope() { --seen.running; }
};

std::int32_t first_number(const void* data) {
  std::int32_t number = 0;
  std::memcpy(&number, data, sizeof number);
  return number;
}

void list_number(int from, void* data, int length) {
  const running_scope scope;
  EXPECT_EQ(length, static_cast<int>(sizeof(std::int32_t)));
  seen.by_source.at(static_cast<std::size_t>(from)).push_back(first_number(data));
}

void count_bytes(int, void* data, int length) {
  const running_scope scope;
  ++seen.messages;
  seen.bytes += length;
  for (int i = 0; i < length; ++i) {
    ASSERT_EQ(static_cast<char*>(data)[i], static_cast<char>(i % 127));
  }
  // The memory belongs to the handler until the handler returns.
  if (length != 0) std::memset(data, 0, static_cast<std::size_t>(length));
}

void send_number(std::int32_t number, int type, int pe) {
  aml_send(&number, type, sizeof number, pe);
}

class aml : public testing::TestWithParam<world_shape> {};

TEST_P(aml, knows_the_world) {
  run_on(GetParam(), [](world& w) {
    int argc = 0;
    char** argv = nullptr;
    EXPECT_EQ(aml_init(&argc, &argv), 0);
    EXPECT_EQ(aml_my_pe(), w.rank());
    EXPECT_EQ(aml_n_pes(), w.size());
    const double start = aml_time();
    EXPECT_GE(aml_time(), start);
    aml_finalize();
    EXPECT_EQ(aml_init(nullptr, nullptr), 0);  // once more in the same world
    aml_finalize();
  });
}

TEST_P(aml, reductions) {
  run_on(GetParam(), [](world& w) {
    aml_init(nullptr, nullptr);
    long long sum = w.rank() - 5;
    std::int64_t least = w.rank() - 5;
    long most = w.rank() - 5;
    EXPECT_EQ(aml_long_allsum(&sum), 0);
    EXPECT_EQ(aml_long_allmin(&least), 0);
    EXPECT_EQ(aml_long_allmax(&most), 0);
    EXPECT_EQ(sum, w.size() * (w.size() - 1) / 2 - 5 * w.size());
    EXPECT_EQ(least, -5);
    EXPECT_EQ(most, w.size() - 6);
    aml_finalize();
  });
}

// Every PE sends numbers to all PEs; the numbers of a source arrive once and in order.
TEST_P(aml, messages_arrive_once_and_in_order) {
  run_on(GetParam(), [](world& w) {
    constexpr int rounds = 4;
    constexpr int per_pe = 3000;  // more than a batch
    aml_init(nullptr, nullptr);
    forget_seen();
    aml_register_handler(list_number, 255);
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < per_pe; ++i) {
        for (int pe = 0; pe < w.size(); ++pe) send_number(round * per_pe + i, 255, pe);
      }
      aml_barrier();
      for (const auto& numbers : seen.by_source) {
        EXPECT_EQ(numbers.size(), static_cast<std::size_t>((round + 1) * per_pe));
      }
    }
    std::vector<std::int32_t> expected(rounds * per_pe);
    std::iota(expected.begin(), expected.end(), 0);
    for (const auto& numbers : seen.by_source) EXPECT_EQ(numbers, expected);
    aml_finalize();
  });
}

// Lengths that change all the time, none to larger than any buffer, to handlers that change.
TEST_P(aml, messages_of_all_lengths) {
  run_on(GetParam(), [](world& w) {
    const std::vector<int> lengths = {0, 1, 0, 0, 7, 8, 9, 12, 12, 500, 8168, 8169, 65535, 300'000};
    aml_init(nullptr, nullptr);
    forget_seen();
    aml_register_handler(count_bytes, 0);
    aml_register_handler(count_bytes, 3);
    std::vector<char> data(300'000);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i % 127);
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      bytes += lengths[i];
      for (int pe = 0; pe < w.size(); ++pe) {
        std::vector<char> copy(data.begin(), data.begin() + lengths[i]);
        aml_send(copy.data(), i % 3 == 0 ? 3 : 0, lengths[i], pe);
      }
    }
    aml_send(nullptr, 0, 0, w.rank());
    aml_barrier();
    EXPECT_EQ(seen.messages, static_cast<std::int64_t>(lengths.size()) * w.size() + 1);
    EXPECT_EQ(seen.bytes, bytes * w.size());
    aml_finalize();
  });
}

// A number travels on from PE to PE until it is 0, within one barrier; 0 goes to the PE itself,
// from within a handler.
void send_on(int, void* data, int) {
  const running_scope scope;
  const std::int32_t left = first_number(data);
  ++seen.messages;
  if (left > 0) send_number(left - 1, 2, left == 1 ? aml_my_pe() : (aml_my_pe() + 1) % aml_n_pes());
}

TEST_P(aml, handlers_send) {
  run_on(GetParam(), [](world& w) {
    constexpr int hops = 200;
    aml_init(nullptr, nullptr);
    forget_seen();
    aml_register_handler(send_on, 2);
    for (int round = 1; round <= 3; ++round) {
      for (int i = 0; i < 10; ++i) send_number(hops, 2, (w.rank() + i) % w.size());
      aml_barrier();
      long long all = seen.messages;
      aml_long_allsum(&all);
      EXPECT_EQ(all, round * 10LL * (hops + 1) * w.size());
      EXPECT_EQ(seen.most_running, 1);
    }
    aml_finalize();
  });
}

// Each message makes a reply to its sender; there are far more than buffers hold.
void reply(int from, void* data, int length) {
  const running_scope scope;
  const std::int32_t number = first_number(data);
  for (int i = 0; i < 3; ++i) send_number(number, 5, from);
  EXPECT_EQ(length, 4);
}

TEST_P(aml, handlers_send_more_than_arrives) {
  run_on(GetParam(), [](world& w) {
    constexpr int per_pe = 5000;
    aml_init(nullptr, nullptr);
    forget_seen();
    aml_register_handler(reply, 4);
    aml_register_handler(list_number, 5);
    for (int i = 0; i < per_pe; ++i) send_number(i, 4, i % w.size());
    aml_barrier();
    std::size_t replies = 0;
    for (const auto& numbers : seen.by_source) {
      EXPECT_TRUE(std::ranges::is_sorted(numbers));
      replies += numbers.size();
    }
    EXPECT_EQ(replies, std::size_t{3} * per_pe);
    EXPECT_EQ(seen.most_running, 1);
    aml_finalize();
  });
}

// No handler runs between a barrier and the next send or barrier, although other PEs send already.
TEST_P(aml, no_handler_runs_outside_of_its_functions) {
  run_on(GetParam(), [](world& w) {
    constexpr int messages = 20'000;
    aml_init(nullptr, nullptr);
    forget_seen();
    aml_register_handler(send_on, 2);
    const bool waits = w.rank() % 2 == 0;
    const bool gets_some = waits && w.rank() + 1 < w.size();
    if (waits) {
      w.sleep(std::chrono::milliseconds(5));
      EXPECT_EQ(seen.messages, 0);
    } else {
      for (int i = 0; i < messages; ++i) send_number(0, 2, w.rank() - 1);
    }
    long long sum = 1;
    aml_long_allsum(&sum);
    EXPECT_EQ(seen.messages, 0);
    aml_barrier();
    EXPECT_EQ(seen.messages, gets_some ? messages : 0);
    aml_finalize();
  });
}

// What a handler sends to its own PE is handled before what the program sends later.
void list_and_add_one(int from, void* data, int length) {
  list_number(from, data, length);
  if (first_number(data) == 10) send_number(11, 6, aml_my_pe());
}

TEST_P(aml, own_messages_stay_in_order) {
  run_on(GetParam(), [](world& w) {
    aml_init(nullptr, nullptr);
    forget_seen();
    aml_register_handler(list_and_add_one, 6);
    for (const std::int32_t number : {9, 10, 12}) send_number(number, 6, w.rank());
    aml_barrier();
    send_number(13, 6, w.rank());
    const std::vector<std::int32_t> expected = {9, 10, 11, 12, 13};
    EXPECT_EQ(seen.by_source[static_cast<std::size_t>(w.rank())], expected);
    aml_finalize();
  });
}

TEST_P(aml, many_empty_barriers) {
  run_on(GetParam(), [](world&) {
    aml_init(nullptr, nullptr);
    for (int i = 0; i < 300; ++i) aml_barrier();
    aml_finalize();
  });
}

// A handler of the same number changes between barriers.
TEST_P(aml, handlers_change) {
  run_on(GetParam(), [](world& w) {
    aml_init(nullptr, nullptr);
    forget_seen();
    for (int round = 1; round <= 10; ++round) {
      aml_register_handler(list_number, 1);
      send_number(round, 1, (w.rank() + 1) % w.size());
      aml_register_handler(send_on, 1);
      send_number(0, 1, (w.rank() + 1) % w.size());
    }
    aml_barrier();
    EXPECT_EQ(seen.messages, 10);
    EXPECT_EQ(
        seen.by_source.at(static_cast<std::size_t>((w.rank() + w.size() - 1) % w.size())).size(),
        10U);
    aml_finalize();
  });
}

TEST_P(aml, mistakes_are_thrown) {
  run_on(GetParam(), [](world& w) {
    expect_mentions(thrown_by<contract_error>([] { static_cast<void>(aml_my_pe()); }),
                    {"aml_my_pe", "aml_init"});
    expect_mentions(thrown_by<contract_error>([] { send_number(1, 1, 0); }),
                    {"aml_send", "aml_init"});
    expect_mentions(thrown_by<contract_error>([] { aml_barrier(); }), {"aml_barrier", "aml_init"});
    aml_init(nullptr, nullptr);
    forget_seen();
    expect_mentions(thrown_by<contract_error>([] { aml_init(nullptr, nullptr); }),
                    {"aml_init", "called already"});
    for (const int pe : {-1, w.size()}) {
      expect_mentions(thrown_by<argument_error>([&] { send_number(1, 1, pe); }),
                      {"aml_send", "PE " + std::to_string(pe)});
    }
    for (const int type : {-1, 256}) {
      expect_mentions(thrown_by<argument_error>([&] { send_number(1, type, w.rank()); }),
                      {"aml_send", "handler " + std::to_string(type)});
      expect_mentions(thrown_by<argument_error>([&] { aml_register_handler(send_on, type); }),
                      {"aml_register_handler", "handler " + std::to_string(type)});
    }
    int number = 0;
    expect_mentions(thrown_by<argument_error>([&] { aml_send(&number, 1, -1, w.rank()); }),
                    {"aml_send", "-1 bytes"});
    // All goes on.
    aml_register_handler(list_number, 1);
    send_number(1, 1, (w.rank() + 1) % w.size());
    aml_barrier();
    EXPECT_EQ(seen.by_source[static_cast<std::size_t>((w.rank() + w.size() - 1) % w.size())].size(),
              1U);
    aml_finalize();
  });
}

// A handler that calls a barrier, and a message without a handler, fail the world.
void call_barrier(int, void*, int) {
  aml_barrier();
}

TEST_P(aml, mistakes_in_handlers) {
  const world_report barrier = observe(GetParam(), [](world& w) {
    aml_init(nullptr, nullptr);
    aml_register_handler(call_barrier, 1);
    send_number(1, 1, (w.rank() + 1) % w.size());
    aml_barrier();
  });
  EXPECT_TRUE(barrier.failed);
  const world_report nobody = observe(GetParam(), [](world& w) {
    aml_init(nullptr, nullptr);
    send_number(1, 1, (w.rank() + 1) % w.size());
    aml_barrier();
  });
  EXPECT_TRUE(nobody.failed);
  for (const pe_report& pe : nobody.pes) {
    if (pe.end == ending::contract_error) {
      expect_mentions(pe.what, {"no handler", "aml_register_handler"});
    }
  }
}

// The PEs of a simulated machine are fibers of a thread, and AML has one PE in a thread.
class aml_of_fibers : public testing::TestWithParam<world_shape> {};

TEST_P(aml_of_fibers, is_refused) {
  run_on(GetParam(), [](world&) {
    expect_mentions(thrown_by<contract_error>([] { aml_init(nullptr, nullptr); }),
                    {"aml_init", "simulated machine"});
  });
}

std::vector<world_shape> shapes(bool are_simulated) {
  std::vector<world_shape> all = several_shapes();
  std::erase_if(all, [are_simulated](const world_shape& shape) {
    return (shape.substrate == substrate_kind::simulated) != are_simulated;
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(worlds, aml, testing::ValuesIn(shapes(false)), by_name{});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(aml_of_fibers);
INSTANTIATE_TEST_SUITE_P(worlds, aml_of_fibers, testing::ValuesIn(shapes(true)), by_name{});

}  // namespace
}  // namespace boxcar::test::aml_test
