// Tests of the exchange of items of any size: strings, arrays, and types with a serializer.
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/serializer.hpp>

#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::exchange_any_size_test {

struct letter {
  int from = 0;
  std::string text;
  std::vector<double> numbers;
  std::vector<std::pair<std::string, int>> more;

  friend bool operator==(const letter&, const letter&) = default;
};

// A type whose serializer reads less, or more, than it has written.
struct misread {
  bool too_much = false;
  std::string text{};
};

struct large {
  std::uint64_t values[10'000];
};

}  // namespace boxcar::test::exchange_any_size_test

template <>
struct boxcar::serializer<boxcar::test::exchange_any_size_test::letter> {
  static void write(byte_writer& out, const test::exchange_any_size_test::letter& l) {
    out.put(l.from);
    out.put(l.text);
    out.put(l.numbers);
    out.put(l.more);
  }
  static test::exchange_any_size_test::letter read(byte_reader& in) {
    return {in.get<int>(), in.get<std::string>(), in.get<std::vector<double>>(),
            in.get<std::vector<std::pair<std::string, int>>>()};
  }
};

template <>
struct boxcar::serializer<boxcar::test::exchange_any_size_test::misread> {
  static void write(byte_writer& out, const test::exchange_any_size_test::misread& m) {
    out.put(m.too_much);
    out.put(7);
  }
  static test::exchange_any_size_test::misread read(byte_reader& in) {
    if (in.get<bool>()) return {true, in.get<std::string>()};
    return {};
  }
};

namespace boxcar::test::exchange_any_size_test {
namespace {

struct way {
  std::string name;
  conveyor_options options;
};

std::string name_of(const way& w) {
  return w.name;
}

class any_size : public testing::TestWithParam<shaped<way>> {
 protected:
  [[nodiscard]] const conveyor_options& options() const { return GetParam().detail.options; }
};

// Lengths from none to far more than any of the buffers has room for.
constexpr std::size_t lengths[] = {0, 1, 3, 4, 20, 61, 1000, 0, 70'000, 2};

// A text with its sender, its place in the order, and its length.
std::string text_of(int from, int to, std::size_t i) {
  const std::size_t length =
      lengths[(i + static_cast<std::size_t>(from + to)) % std::size(lengths)];
  std::string text(length, static_cast<char>('a' + (from + static_cast<int>(i)) % 26));
  if (!text.empty()) text.back() = static_cast<char>('0' + to % 10);
  return text;
}

TEST_P(any_size, carries_strings) {
  run_on(GetParam().shape, [&](world& w) {
    std::vector<std::size_t> arrived(static_cast<std::size_t>(w.size()));
    const statistics did = boxcar::exchange<std::string>(
        w,
        [&](auto& out) {
          for (std::size_t i = 0; i < std::size(lengths); ++i) {
            for (int to = 0; to < w.size(); ++to) out.push(text_of(w.rank(), to, i), to);
          }
        },
        [&](std::string_view text, int from) {
          const std::size_t i = arrived[static_cast<std::size_t>(from)]++;
          ASSERT_EQ(text, text_of(from, w.rank(), i));
        },
        options());
    for (const std::size_t texts : arrived) EXPECT_EQ(texts, std::size(lengths));
    EXPECT_EQ(did.pushes, std::size(lengths) * arrived.size());
    EXPECT_EQ(did.pulls, did.pushes);
  });
}

TEST_P(any_size, carries_arrays_where_they_may_be_read) {
  run_on(GetParam().shape, [&](world& w) {
    std::size_t arrived = 0;
    boxcar::exchange<std::vector<double>>(
        w,
        [&](auto& out) {
          std::vector<double> numbers;
          for (const std::size_t length : lengths) {
            numbers.resize(length / 8);
            std::iota(numbers.begin(), numbers.end(), w.rank());
            out.push(numbers, static_cast<int>(length) % w.size());
            out.push(std::span(numbers).first(numbers.size() / 2), w.rank());
          }
        },
        [&](std::span<const double> numbers, int from) {
          ++arrived;
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(double), 0U);
          for (std::size_t i = 0; i < numbers.size(); ++i) {
            ASSERT_EQ(numbers[i], from + static_cast<double>(i));
          }
        },
        options());
    EXPECT_EQ(w.reduce(arrived), 2 * std::size(lengths) * static_cast<std::size_t>(w.size()));
  });
}

TEST_P(any_size, carries_what_has_a_serializer) {
  run_on(GetParam().shape, [&](world& w) {
    const auto letter_of = [](int from, int to) {
      letter l{from,
               std::string(static_cast<std::size_t>(to) * 9, 'x'),
               std::vector<double>(static_cast<std::size_t>(from), to),
               {}};
      for (int i = 0; i < to; ++i)
        l.more.emplace_back(std::string(static_cast<std::size_t>(i), 'y'), i);
      return l;
    };
    int arrived = 0;
    boxcar::exchange<letter>(
        w,
        [&](auto& out) {
          for (int to = 0; to < w.size(); ++to) out.push(letter_of(w.rank(), to), to);
        },
        [&](const letter& l, int from) {
          ++arrived;
          ASSERT_EQ(l, letter_of(from, w.rank()));
        },
        options());
    EXPECT_EQ(arrived, w.size());

    using several = std::tuple<std::vector<bool>, std::vector<std::string>, char>;
    const several sent{{true, false, true}, {"", "two"}, 'c'};
    boxcar::exchange<several>(
        w, [&](auto& out) { out.push(sent, 0); }, [&](const several& all) { EXPECT_EQ(all, sent); },
        options());
  });
}

TEST_P(any_size, carries_what_is_larger_than_items_are) {
  run_on(GetParam().shape, [&](world& w) {
    int arrived = 0;
    boxcar::exchange<large>(
        w,
        [&](auto& out) {
          large l{};
          l.values[9999] = static_cast<std::uint64_t>(w.rank());
          out.push(l, (w.rank() + 1) % w.size());
        },
        [&](const large& l, int from) {
          EXPECT_EQ(l.values[9999], static_cast<std::uint64_t>(from));
          ++arrived;
        },
        options());
    EXPECT_EQ(arrived, 1);
  });
}

TEST_P(any_size, does_not_send_from_handlers) {
  run_on(GetParam().shape, [&](world& w) {
    std::function<void()> push_again;
    std::string text;
    boxcar::exchange<std::string>(
        w,
        [&](auto& out) {
          push_again = [&out] { out.push("again", 0); };
          out.push("once", w.rank());
        },
        [&](std::string_view) { text = thrown_by<contract_error>(push_again); }, options());
    expect_mentions(text, {"handler"});
  });
}

class failing : public any_size {
 protected:
  // PE 0 fails; the other PEs get an error.
  void expect_failure(const std::function<void(world&)>& body, ending end,
                      std::initializer_list<std::string_view> mentions) {
    const world_report report = observe(GetParam().shape, body);
    EXPECT_TRUE(report.failed);
    EXPECT_EQ(report.pes[0].end, end);
    expect_mentions(report.pes[0].what, mentions);
    for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
      if (report.pes[pe].end == ending::unknown) continue;
      EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
    }
  }
};

TEST_P(failing, by_a_handler_that_throws) {
  expect_failure(
      [&](world& w) {
        boxcar::exchange<std::string>(
            w, [&](auto& out) { out.push(std::string(100'000, 'x'), 0); },
            [&](std::string_view) { throw std::runtime_error("unreadable"); }, options());
      },
      ending::other_exception, {"unreadable"});
}

TEST_P(failing, by_a_serializer_that_reads_too_much) {
  expect_failure(
      [&](world& w) {
        boxcar::exchange<misread>(
            w, [&](auto& out) { out.push({true}, 0); }, [](const misread&) {}, options());
      },
      ending::other_exception,
      {"serializer of boxcar::test::exchange_any_size_test::misread", "read", "write"});
}

TEST_P(failing, by_a_serializer_that_reads_too_little) {
  expect_failure(
      [&](world& w) {
        boxcar::exchange<misread>(
            w, [&](auto& out) { out.push({false}, 0); }, [](const misread&) {}, options());
      },
      ending::other_exception, {"misread", "leaves 4 bytes unread"});
}

TEST_P(failing, where_types_differ) {
  if (GetParam().shape.pes < 2) return;
  run_on(GetParam().shape, [&](world& w) {
    const auto text = thrown_by<argument_error>([&] {
      const auto nothing = [](auto&) {};
      if (w.rank() == 1) {
        boxcar::exchange<std::vector<char>>(
            w, nothing, [](std::span<const char>) {}, options());
      } else {
        boxcar::exchange<std::string>(
            w, nothing, [](std::string_view) {}, options());
      }
    });
    expect_mentions(text, {"PE 0 gives std::basic_string<char", "PE 1 gives std::vector<char"});
  });
}

const std::vector<way> ways{{"chosen", {}},
                            {"least_buffers", {.buffer_bytes = 32, .buffers_per_link = 1}},
                            {"two_hops", {.hops = 2, .buffer_bytes = 96}},
                            {"three_hops", {.hops = 3, .buffer_bytes = 1024}}};

INSTANTIATE_TEST_SUITE_P(exchange, any_size, testing::ValuesIn(on_shapes(several_shapes(), ways)),
                         by_name{});
INSTANTIATE_TEST_SUITE_P(exchange, failing, testing::ValuesIn(on_shapes(small_shapes(), ways)),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::exchange_any_size_test
