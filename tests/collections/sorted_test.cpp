// Tests of sorting over all PEs against std::sort: the values stay, PE follows PE in order, and the
// shares are balanced, also with many equal values.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/bag.hpp>
#include <boxcar/error.hpp>
#include <boxcar/sorted.hpp>
#include <boxcar/stream.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::sorted_test {

// A value that is not plain, without a default, which can be moved only.
struct titled {
  explicit titled(std::string t) : title(std::move(t)) {}
  titled(titled&&) noexcept = default;
  titled& operator=(titled&&) noexcept = default;
  std::string title;
};

}  // namespace boxcar::test::sorted_test

template <>
struct boxcar::serializer<boxcar::test::sorted_test::titled> {
  static void write(byte_writer& out, const test::sorted_test::titled& t) { out.put(t.title); }
  static test::sorted_test::titled read(byte_reader& in) {
    return test::sorted_test::titled(in.get<std::string>());
  }
};

namespace boxcar::test::sorted_test {
namespace {

std::string text_of(int n) {
  return std::string(static_cast<std::size_t>(n % 9), 'a') + std::to_string(n);
}

// Collective. Returns the values of all PEs, in the order of the PEs.
std::vector<int> all_of(world& w, const std::vector<int>& mine) {
  std::vector<int> all;
  for (const auto& of_pe : w.all_gather(mine)) all.insert(all.end(), of_pe.begin(), of_pe.end());
  return all;
}

void expect_balance(world& w, std::size_t mine) {
  const auto pes = static_cast<double>(w.size());
  const double mean = static_cast<double>(w.reduce(std::uint64_t{mine})) / pes;
  EXPECT_LE(std::abs(static_cast<double>(mine) - mean), mean / 25 + 1);
}

// Collective. Sorts, and compares with a serial sort.
void check(world& w, const std::vector<int>& mine) {
  std::vector<int> expected = all_of(w, mine);
  std::ranges::sort(expected);
  const std::vector<int> share = sorted(w, mine);
  expect_balance(w, share.size());
  EXPECT_EQ(all_of(w, share), expected);

  const int turn = 7;
  const auto downwards = [&](int a, int b) { return a + turn > b + turn; };
  std::ranges::reverse(expected);
  EXPECT_EQ(all_of(w, sorted(w, mine, downwards)), expected);
}

class sorting : public testing::TestWithParam<world_shape> {};

// Numbers of many kinds: the values of PE `rank`, of `pes` PEs.
std::vector<std::vector<int>> inputs_of(const world& w) {
  const int rank = w.rank();
  const int pes = w.size();
  dice d(program_seed(static_cast<std::uint64_t>(rank)));
  std::vector<std::vector<int>> inputs(10);
  for (int i = d.below(4000 / pes); i > 0; --i) inputs[0].push_back(d.below(1 << 30));
  for (int i = 0; i != 2000 / pes; ++i) inputs[1].push_back(5);           // all equal
  for (int i = 0; i != 2000 / pes; ++i) inputs[2].push_back(d.below(3));  // few different
  if (rank == pes - 1) {
    for (int i = 0; i != 3000; ++i) inputs[3].push_back(d.below(1000));  // all on one PE
  }
  for (int i = 0; i != 500; ++i) inputs[4].push_back(rank * 500 + i);          // in order already
  for (int i = 0; i != 500; ++i) inputs[5].push_back((pes - rank) * 500 - i);  // the other way
  if (rank == pes / 2) inputs[6] = {3};
  inputs[7] = {rank % 2};
  // One value in half of the places, and skewed ones in the others.
  for (int i = 0; i != 1000 / pes; ++i) {
    inputs[8].push_back(d.chance(50) ? 17 : 1 << d.below(20));
  }
  return inputs;  // the last input is empty
}

TEST_P(sorting, of_numbers) {
  run_on(GetParam(), [](world& w) {
    const std::vector<std::vector<int>> inputs = inputs_of(w);
    for (const std::vector<int>& mine : inputs) check(w, mine);
  });
}

TEST_P(sorting, of_values_of_any_size) {
  run_on(GetParam(), [](world& w) {
    std::vector<std::string> texts;
    std::vector<titled> things;
    const std::vector<int> numbers = inputs_of(w)[0];
    for (const int n : numbers) {
      texts.push_back(text_of(n));
      things.emplace_back(texts.back());
    }
    const auto join = [&](const std::vector<std::string>& mine) {
      std::string joined;
      for (const std::string& text : mine) joined += text + "\n";
      std::string all;
      for (const std::string& of_pe : w.all_gather(joined)) all += of_pe;
      return all;
    };
    std::vector<std::string> expected;
    const std::string all = join(texts);
    for (std::size_t from = 0; from != all.size();) {
      const std::size_t to = all.find('\n', from);
      expected.push_back(all.substr(from, to - from));
      from = to + 1;
    }
    std::ranges::sort(expected);
    const std::vector<std::string> share = sorted(w, texts);
    expect_balance(w, share.size());
    std::string right;
    for (const std::string& text : expected) right += text + "\n";
    EXPECT_EQ(join(share), right);

    const auto by_title = [](const titled& a, const titled& b) { return a.title < b.title; };
    std::vector<std::string> titles;
    for (const titled& t : sorted(w, std::move(things), by_title)) titles.push_back(t.title);
    EXPECT_EQ(join(titles), right);
  });
}

TEST_P(sorting, of_bags) {
  run_on(GetParam(), [](world& w) {
    bag<int> b(w);
    const std::vector<int> numbers = inputs_of(w)[2];
    for (const int n : numbers) b.add(n);
    std::vector<int> expected = all_of(w, {b.local().begin(), b.local().end()});
    std::ranges::sort(expected);
    sort(w, b);
    EXPECT_EQ(all_of(w, {b.local().begin(), b.local().end()}), expected);
    expect_balance(w, b.local_size());
    const session scope = b.begin();
    expect_mentions(thrown_by<contract_error>([&] { sort(w, b); }),
                    {"sort", "has a session", "call finish first"});
    b.finish();
  });
}

// Values without an order are in any order; nothing is lost, and nothing hangs.
TEST_P(sorting, of_what_is_no_number_ends) {
  run_on(GetParam(), [](world& w) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    std::vector<double> mine;
    for (int i = 0; i != 500; ++i) {
      mine.push_back(d.chance(30) ? std::numeric_limits<double>::quiet_NaN() : d.below(50));
    }
    const auto share = sorted(w, mine);
    EXPECT_EQ(w.reduce(std::uint64_t{share.size()}), w.reduce(std::uint64_t{mine.size()}));
  });
}

TEST_P(sorting, that_is_refused_leaves_the_values_in_the_bag) {
  run_on(GetParam(), [](world& w) {
    bag<int> b(w);
    for (int i = 0; i != 100; ++i) b.add(i * 7 % 13);
    stream<int> s(w, [&](int) {
      expect_mentions(thrown_by<contract_error>([&] { sort(w, b); }), {"handler"});
    });
    {
      const session scope = s.begin();
      s.send(1, (w.rank() + 1) % w.size());
      s.finish();
    }
    EXPECT_EQ(b.local_size(), 100U);
    const auto refuse = [](int, int) -> bool { throw std::runtime_error("no order"); };
    expect_mentions(thrown_by<std::runtime_error>([&] { sort(w, b, refuse); }), {"no order"});
    EXPECT_EQ(b.local_size(), 100U);
  });
}

TEST_P(sorting, of_different_types_is_an_error_on_all_pes) {
  run_on(GetParam(), [](world& w) {
    if (w.size() == 1) return;
    const auto sort_all = [&] {
      if (w.rank() == 0) {
        (void)sorted(w, std::vector<int>{1, 2});
      } else {
        (void)sorted(w, std::vector<float>{1, 2});
      }
    };
    expect_mentions(thrown_by<argument_error>(sort_all),
                    {"type of the values to sort", "int", "float"});
    w.barrier();  // the world goes on
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, sorting, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::sorted_test
