// Tests of a random program on every kind of conveyor: the result is always the same, and equal to
// the result of serial code.
//
// The items of a PE depend on the items received before. The result after some sessions is a number
// for each PE; the number changes if a single item is lost, doubled, changed, delivered to another
// PE or out of order.
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <span>
#include <vector>

#include <boxcar/exchange.hpp>

#include "support/any_conveyor.hpp"
#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::same_result_test {
namespace {

using item = std::uint64_t;
constexpr int sessions = 4;

// A digest of the items from one PE, in their order.
struct stream {
  std::uint64_t digest = 0;
  void add(item i) { digest = scramble_all({digest, i}); }
};

// The items of one PE in a session, derived from the PE's knowledge.
class sender {
 public:
  sender(std::uint64_t knowledge, int pes)
      : dice_(knowledge), pes_(pes), left_(dice_.below(120)), favourite_(dice_.below(pes)) {
    advance();
  }

  [[nodiscard]] bool done() const { return left_ < 0; }
  [[nodiscard]] item content() const { return content_; }
  [[nodiscard]] int to() const { return to_; }
  void advance() {
    --left_;
    content_ = dice_.next();
    to_ = dice_.chance(30) ? favourite_ : dice_.below(pes_);
  }

 private:
  dice dice_;
  int pes_;
  int left_;
  int favourite_;
  item content_ = 0;
  int to_ = 0;
};

std::uint64_t first_knowledge(int rank) {
  return scramble_all({program_seed(5), static_cast<std::uint64_t>(rank)});
}

std::uint64_t next_knowledge(std::uint64_t knowledge, const std::vector<stream>& received) {
  for (const stream& s : received) knowledge = scramble_all({knowledge, s.digest});
  return knowledge;
}

// The results of all PEs, computed serially.
std::vector<std::uint64_t> expected_results(int pes) {
  std::vector<std::uint64_t> knowledge;
  for (int pe = 0; pe < pes; ++pe) knowledge.push_back(first_knowledge(pe));
  const auto n = static_cast<std::size_t>(pes);
  for (int session = 0; session < sessions; ++session) {
    std::vector<std::vector<stream>> received(n, std::vector<stream>(n));
    for (std::size_t from = 0; from < n; ++from) {
      for (sender s(knowledge[from], pes); !s.done(); s.advance()) {
        received[static_cast<std::size_t>(s.to())][from].add(s.content());
      }
    }
    for (std::size_t pe = 0; pe < n; ++pe) {
      knowledge[pe] = next_knowledge(knowledge[pe], received[pe]);
    }
  }
  return knowledge;
}

// Runs a session on a conveyor of any kind; pushes and pulls in portions that differ from run to
// run.
void carry(any_conveyor& c, sender s, std::vector<stream>& received, dice& portions) {
  c.in_session([&] {
    while (c.advance(s.done())) {
      for (int n = portions.below(40); n > 0 && !s.done(); --n, s.advance()) {
        const item content = s.content();
        if (!c.push(std::as_bytes(std::span(&content, 1)), s.to())) break;
      }
      int from = -1;
      for (int n = portions.below(40); n > 0; --n) {
        const pulled_item arrived = c.pull(pull_way::copy_with_source, from);
        if (arrived.data == nullptr) break;
        if (portions.chance(10)) {
          EXPECT_TRUE(c.unpull());
          continue;
        }
        ASSERT_EQ(arrived.bytes, sizeof(item));
        item content;
        std::memcpy(&content, arrived.data, sizeof content);
        received[static_cast<std::size_t>(from)].add(content);
      }
    }
  });
}

class same_result : public testing::TestWithParam<world_shape> {};

TEST_P(same_result, on_every_kind) {
  run_on(GetParam(), [](world& w) {
    const std::vector<std::uint64_t> expected = expected_results(w.size());
    const auto result = [&](const auto& session) {
      std::uint64_t knowledge = first_knowledge(w.rank());
      for (int i = 0; i < sessions; ++i) {
        std::vector<stream> received(static_cast<std::size_t>(w.size()));
        session(sender(knowledge, w.size()), received);
        knowledge = next_knowledge(knowledge, received);
      }
      return knowledge;
    };
    dice portions(scramble_all({program_seed(6), static_cast<std::uint64_t>(w.rank())}));
    for (conveyor_setup setup : all_plain_setups({GetParam()})) {
      setup.options.buffer_bytes = 96;
      const auto c = make_conveyor(w, setup);
      EXPECT_EQ(w.all_gather(result([&](const sender& s, std::vector<stream>& received) {
        carry(*c, s, received, portions);
      })),
                expected)
          << setup.variant;
    }
    EXPECT_EQ(w.all_gather(result([&](sender s, std::vector<stream>& received) {
      exchange<item>(
          w,
          [&](auto& out) {
            for (; !s.done(); s.advance()) out.push(s.content(), s.to());
          },
          [&](item i, int from) { received[static_cast<std::size_t>(from)].add(i); });
    })),
              expected)
        << "exchange";
  });
}

INSTANTIATE_TEST_SUITE_P(contract, same_result, testing::ValuesIn(all_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::same_result_test
