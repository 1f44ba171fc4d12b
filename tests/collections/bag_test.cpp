// Tests of bags: values that are added and moved are in the bag once, parts become even, and files
// can be loaded by other numbers of PEs.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/bag.hpp>

#include "collections/scratch_folder.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::bag_test {

// A value that is not plain, and can be moved only.
struct text_record {
  explicit text_record(std::vector<std::string> t) : texts(std::move(t)) {}
  std::vector<std::string> texts;
};

// A value without copies.
struct unique_text {
  explicit unique_text(std::string t) : text(std::move(t)) {}
  unique_text(unique_text&&) noexcept = default;
  unique_text& operator=(unique_text&&) noexcept = default;
  std::string text;
};

// A value whose serializer writes nothing.
struct token {
  token() = default;
  token(const token&) {}
  token& operator=(const token&) { return *this; }
};

}  // namespace boxcar::test::bag_test

template <>
struct boxcar::serializer<boxcar::test::bag_test::text_record> {
  static void write(byte_writer& out, const test::bag_test::text_record& p) { out.put(p.texts); }
  static test::bag_test::text_record read(byte_reader& in) {
    return test::bag_test::text_record(in.get<std::vector<std::string>>());
  }
};
template <>
struct boxcar::serializer<boxcar::test::bag_test::unique_text> {
  static void write(byte_writer& out, const test::bag_test::unique_text& t) { out.put(t.text); }
  static test::bag_test::unique_text read(byte_reader& in) {
    return test::bag_test::unique_text(in.get<std::string>());
  }
};
template <>
struct boxcar::serializer<boxcar::test::bag_test::token> {
  static void write(byte_writer&, const test::bag_test::token&) {}
  static test::bag_test::token read(byte_reader&) { return {}; }
};

namespace boxcar::test::bag_test {
namespace {

struct large {
  std::int32_t number = 0;
  char rest[70'000] = {};  // too large for an item
};

// The n-th value of a type, and the number of a value.
template <typename T>
T value_of(std::int32_t n) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::string(static_cast<std::size_t>(n % 50), 'x') + std::to_string(n);
  } else if constexpr (std::is_same_v<T, text_record>) {
    return text_record({"", std::to_string(n)});
  } else if constexpr (std::is_same_v<T, large>) {
    large l;
    l.number = n;
    l.rest[69'999] = static_cast<char>(n % 128);
    return l;
  } else {
    return n;
  }
}
template <typename T>
std::int32_t number_of(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::stoi(value.substr(value.find_first_not_of('x')));
  } else if constexpr (std::is_same_v<T, text_record>) {
    return std::stoi(value.texts.at(1));
  } else if constexpr (std::is_same_v<T, large>) {
    EXPECT_EQ(value.rest[69'999], static_cast<char>(value.number % 128));
    return value.number;
  } else {
    return value;
  }
}

// Collective. Expects the bag to hold the values of all numbers that the PEs have added.
template <typename T>
void expect_values(world& w, bag<T>& b, const std::vector<std::int32_t>& added) {
  std::vector<std::int32_t> expected;
  for (const auto& part : w.all_gather(added)) {
    expected.insert(expected.end(), part.begin(), part.end());
  }
  EXPECT_EQ(b.size(), expected.size());
  const int root = w.size() / 2;
  std::vector<std::int32_t> found;
  for (const T& value : b.gather(root)) found.push_back(number_of(value));
  std::ranges::sort(found);
  std::ranges::sort(expected);
  EXPECT_EQ(found, w.rank() == root ? expected : std::vector<std::int32_t>());
}

// Collective. Rebalances, and expects even parts and no more transfers than must be.
template <typename T>
void rebalance_and_check(world& w, bag<T>& b) {
  const auto before = w.all_gather(std::uint64_t{b.local_size()});
  const auto pes = static_cast<std::uint64_t>(w.size());
  const std::uint64_t total = std::accumulate(before.begin(), before.end(), std::uint64_t{0});
  std::uint64_t must_move = 0;
  std::uint64_t may_keep = total % pes;  // PEs that may keep one more than the quotient
  for (const std::uint64_t n : before) {
    if (n <= total / pes) continue;
    must_move += n - total / pes - (may_keep != 0 ? 1 : 0);
    if (may_keep != 0) --may_keep;
  }
  EXPECT_EQ(w.reduce(b.rebalance()), must_move);
  EXPECT_GE(b.local_size(), total / pes);
  EXPECT_LE(b.local_size(), (total + pes - 1) / pes);
  EXPECT_EQ(b.size(), total);
}

template <typename T>
void use_bag(world& w, int most) {
  const scratch_folder files(w);
  stream_options options;
  options.buffer_bytes = 512;
  bag<T> b(w, options);
  std::vector<std::int32_t> added;
  dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
  const auto next = [&] {
    added.push_back(static_cast<std::int32_t>(added.size()) * w.size() + w.rank());
    return value_of<T>(added.back());
  };
  expect_values(w, b, added);
  rebalance_and_check(w, b);
  for (int round = 0; round < 4; ++round) {
    if (d.chance(50)) {
      for (int i = d.below(most); i > 0; --i) b.add(next());
    }
    {
      const session scope = b.begin();
      if (!d.chance(30)) {
        // Mostly to one PE, so that the parts become uneven.
        for (int i = d.below(most); i > 0; --i) b.add(next(), d.chance(70) ? 0 : d.below(w.size()));
      }
      b.finish();
    }
    expect_values(w, b, added);
    b.save(files.file("bag"));
    auto loaded = bag<T>::load(w, files.file("bag"));
    expect_values(w, loaded, added);
    EXPECT_EQ(w.reduce(loaded.rebalance()), 0U);  // loaded in even parts
    rebalance_and_check(w, b);
    expect_values(w, b, added);
  }
}

class bags : public testing::TestWithParam<world_shape> {};

TEST_P(bags, of_numbers_hold_what_was_added) {
  run_on(GetParam(), [](world& w) { use_bag<std::int32_t>(w, 300); });
}
TEST_P(bags, of_strings_hold_what_was_added) {
  run_on(GetParam(), [](world& w) { use_bag<std::string>(w, 300); });
}
TEST_P(bags, of_values_with_a_serializer_hold_what_was_added) {
  run_on(GetParam(), [](world& w) { use_bag<text_record>(w, 50); });
}
TEST_P(bags, of_large_values_hold_what_was_added) {
  run_on(GetParam(), [](world& w) { use_bag<large>(w, 4); });
}

TEST_P(bags, are_rebalanced_from_any_sizes) {
  run_on(GetParam(), [](world& w) {
    const auto rank = static_cast<std::uint64_t>(w.rank());
    const auto pes = static_cast<std::uint64_t>(w.size());
    dice d(program_seed(rank + 99));
    const std::vector<std::function<std::uint64_t()>> sizes{
        [&] { return std::uint64_t{0}; },
        [&] { return std::uint64_t{1}; },
        [&] { return std::uint64_t{rank == pes - 1 ? 1U : 0U}; },
        [&] { return rank == 0 ? pes * 100 + 1 : 0; },
        [&] { return rank == pes - 1 ? pes - 1 : 0; },
        [&] { return rank % 2 == 0 ? std::uint64_t{7} : std::uint64_t{8}; },
        [&] { return rank; },
        [&] { return pes - rank; },
        [&] { return rank == pes / 2 ? std::uint64_t{0} : pes; },
        [&] { return static_cast<std::uint64_t>(d.below(100)); },
    };
    for (const auto& size : sizes) {
      bag<std::uint16_t> b(w);
      for (std::uint64_t n = size(); n != 0; --n) b.add(1);
      rebalance_and_check(w, b);
      rebalance_and_check(w, b);
    }
  });
}

TEST_P(bags, give_their_values_to_loops) {
  run_on(GetParam(), [](world& w) {
    bag<int> b(w);
    for (int i = 0; i < 5; ++i) b.add(i);
    b.for_each_local([&](int& value) {
      value += 10;
      b.add(1);
    });
    EXPECT_EQ(b.local_size(), 10U);
    int sum = 0;
    for (const int value : std::as_const(b).local()) sum += value;
    EXPECT_EQ(sum, 65);
    EXPECT_THROW(b.for_each_local([](int) { throw error("stop"); }), error);
    EXPECT_EQ(b.local_size(), 10U);
    EXPECT_EQ(b.take_local().size(), 10U);
    EXPECT_EQ(b.local_size(), 0U);
    b.add(1);
    b.clear();
    EXPECT_EQ(b.size(), 0U);
  });
}

// Work that makes more work: values are added to other PEs by a loop over the part.
TEST_P(bags, are_filled_while_a_pe_works_on_its_part) {
  run_on(GetParam(), [](world& w) {
    bag<int> b(w);
    if (w.rank() == 0) b.add(6);
    for (int generation = 6; generation > 0; --generation) {
      const session scope = b.begin();
      for (const int value : b.take_local()) {
        for (int i = 0; i < 2; ++i) b.add(value - 1, (w.rank() + i * value) % w.size());
      }
      b.finish();
    }
    EXPECT_EQ(b.size(), 64U);
    b.for_each_local([](int value) { EXPECT_EQ(value, 0); });
  });
}

TEST_P(bags, move_and_are_many) {
  run_on(GetParam(), [](world& w) {
    std::vector<bag<std::string>> several;
    for (int i = 0; i < 3; ++i) several.emplace_back(w);
    const session first = several[0].begin();
    const session second = several[1].begin();
    several[0].add("a", 0);
    several[1].add("bc", w.size() - 1);
    bag<std::string> moved = std::move(several[0]);
    moved.add("d", 0);
    moved.finish();
    several[1].finish();
    EXPECT_EQ(moved.local_size(), w.rank() == 0 ? static_cast<std::size_t>(2 * w.size()) : 0U);
    EXPECT_EQ(several[1].size(), static_cast<std::uint64_t>(w.size()));
  });
}

TEST_P(bags, of_values_that_can_be_moved_only) {
  run_on(GetParam(), [](world& w) {
    bag<unique_text> b(w);
    const session scope = b.begin();
    for (int pe = 0; pe != w.size(); ++pe) b.add(unique_text(std::to_string(pe)), pe);
    b.finish();
    EXPECT_EQ(b.local_size(), static_cast<std::size_t>(w.size()));
    for (const unique_text& t : b.local()) EXPECT_EQ(t.text, std::to_string(w.rank()));
  });
}

TEST_P(bags, of_values_without_bytes_in_files) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    bag<token> b(w);
    for (int i = 0; i != 1000; ++i) b.add(token());
    b.save(files.file("tokens"));
    const auto loaded = bag<token>::load(w, files.file("tokens"));
    EXPECT_EQ(loaded.size(), 1000U * static_cast<unsigned>(w.size()));
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, bags, testing::ValuesIn(several_shapes()), by_name{});

class bag_misuse : public testing::TestWithParam<world_shape> {};

TEST_P(bag_misuse, is_an_error) {
  run_on(GetParam(), [](world& w) {
    bag<int> b(w);
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { b.add(1, 0); }, [&] { b.finish(); }, [&] { static_cast<void>(b.poll()); }}) {
      expect_mentions(thrown_by<contract_error>(call),
                      {"the bag has no session", "call begin first"});
    }
    expect_mentions(
        thrown_by<argument_error>([&] { static_cast<void>(b.gather(w.size())); }),
        {"gather of a bag", "there is no PE " + std::to_string(w.size()), "numbered from 0"});
    if (w.size() > 1) {
      expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(b.gather(w.rank() % 2)); }),
                      {"bag", "root"});
    }
    {
      const session scope = b.begin();
      expect_mentions(thrown_by<argument_error>([&] { b.add(1, -1); }), {"-1"});
      for (const auto& call : std::vector<std::function<void()>>{
               [&] { const session s = b.begin(); }, [&] { b.rebalance(); },
               [&] { static_cast<void>(b.gather()); }, [&] { b.save("x"); }}) {
        expect_mentions(thrown_by<contract_error>(call),
                        {"the bag has a session", "call finish first"});
      }
      b.finish();
    }
    EXPECT_EQ(b.size(), 0U);
    expect_mentions(thrown_by<contract_error>([&] { b.add(1, 0); }), {"begin"});
  });
}

TEST_P(bag_misuse, of_types_is_an_error_on_all_pes) {
  run_on(GetParam(), [](world& w) {
    if (w.size() == 1) return;
    const auto make = [&] {
      if (w.rank() == 0) {
        bag<int> b(w);
      } else {
        bag<std::string> b(w);
      }
    };
    expect_mentions(thrown_by<argument_error>(make), {"bag", "type", "int", "string"});
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, bag_misuse, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::bag_test
