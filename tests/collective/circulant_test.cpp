// Tests of the schedules of round-optimal broadcasts: their conditions for any number of pieces,
// and broadcasts of some.
#include "collective/circulant.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "support/dice.hpp"

namespace boxcar::test::circulant_test {
namespace {

using detail::circulant;

int rounded_up_log2(int pes) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(pes) - 1));
}

// In a phase a PE gets its own piece, and the pieces owned by other PEs in the phase before.
bool gets_what_it_lacks(const circulant& c, int pe, std::vector<int> received) {
  const int q = c.phase();
  std::vector<int> right;
  for (int piece = -q; piece < 0; ++piece) {
    if (piece != c.own_piece(pe) - q) right.push_back(piece);
  }
  right.push_back(c.own_piece(pe));
  std::ranges::sort(received);
  return received == right;
}

// A PE sends in each round a piece of its own stock.
bool has_what_it_sends(const circulant& c, int pe, const std::vector<int>& received, int round,
                       int sent) {
  if (pe == 0) return sent == round;
  const auto last = received.begin() + round;
  return sent == c.own_piece(pe) - c.phase() || std::find(received.begin(), last, sent) != last;
}

void check_schedule(const circulant& c, int pe, const std::vector<int>& received,
                    const std::vector<int>& sent, int pes) {
  ASSERT_TRUE(pe == 0 || gets_what_it_lacks(c, pe, received)) << "PE " << pe << " of " << pes;
  for (int k = 0; k < c.phase(); ++k) {
    // No PE sends to the root.
    if ((pe + static_cast<std::int64_t>(c.distance(k))) % pes == 0) continue;
    ASSERT_TRUE(has_what_it_sends(c, pe, received, k, sent[static_cast<std::size_t>(k)]))
        << "PE " << pe << " of " << pes << ", round " << k;
  }
}

TEST(circulants, have_rounds_as_few_as_can_be) {
  for (const int pes : {1, 2, 3, 4, 5, 8, 9, 1000, 1024, 1025, std::numeric_limits<int>::max()}) {
    const circulant c(pes);
    ASSERT_EQ(c.phase(), rounded_up_log2(pes));
    for (int k = 0; k < c.phase(); ++k) {
      const std::int64_t next = k + 1 == c.phase() ? pes : c.distance(k + 1);
      EXPECT_EQ(c.distance(k), (next + 1) / 2);
    }
  }
}

TEST(circulants, send_what_has_been_received) {
  for (int pes = 1; pes <= 1500 && !testing::Test::HasFatalFailure(); ++pes) {
    const circulant c(pes);
    std::vector<std::vector<int>> received;
    for (int pe = 0; pe < pes; ++pe) received.push_back(c.received_by(pe));
    for (int pe = 0; pe < pes; ++pe) {
      std::vector<int> sent;
      for (int k = 0; k < c.phase(); ++k) {
        const int to = (pe + c.distance(k)) % pes;
        sent.push_back(received[static_cast<std::size_t>(to)][static_cast<std::size_t>(k)]);
      }
      if (pes <= 100) {
        ASSERT_EQ(c.sent_by(pe), sent);
      }
      check_schedule(c, pe, received[static_cast<std::size_t>(pe)], sent, pes);
    }
  }
}

TEST(circulants, of_many_pes) {
  dice d(program_seed(0));
  const int most = std::numeric_limits<int>::max();
  std::vector<int> sizes{most, most - 1, 1 << 30, 1'000'003};
  for (int bits = 11; bits < 30; ++bits) {
    for (const int more : {-1, 0, 1, d.below(1 << bits)}) sizes.push_back((1 << bits) + more);
  }
  for (const int pes : sizes) {
    const circulant c(pes);
    for (int i = 0; i < 60; ++i) {
      const int pe = i < 10 ? i : i < 20 ? pes - i + 9 : d.below(pes);
      check_schedule(c, pe, c.received_by(pe), c.sent_by(pe), pes);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// Executes round by round; a piece has arrived when the next round begins.
void check_broadcast(int pes, std::size_t pieces) {
  const circulant c(pes);
  std::vector<std::vector<circulant::round>> all;
  for (int pe = 0; pe < pes; ++pe) all.push_back(c.rounds(pe, pieces));
  const std::size_t rounds =
      pes == 1 || pieces == 0 ? 0 : pieces - 1 + static_cast<std::size_t>(rounded_up_log2(pes));
  std::vector<std::vector<bool>> has(all.size(), std::vector<bool>(pieces));
  has[0].assign(pieces, true);
  for (const auto& of_pe : all) ASSERT_EQ(of_pe.size(), rounds);
  for (std::size_t i = 0; i < rounds; ++i) {
    const auto before = has;
    for (std::size_t pe = 0; pe < all.size(); ++pe) {
      const auto& sent = all[pe][i].sent;
      const std::size_t to = (pe + static_cast<std::size_t>(all[pe][i].distance)) % all.size();
      ASSERT_EQ(sent, all[to][i].received);
      if (!sent) continue;
      ASSERT_TRUE(before[pe][*sent]);
      ASSERT_FALSE(has[to][*sent]);
      has[to][*sent] = true;
    }
  }
  for (const auto& of_pe : has) ASSERT_EQ(std::ranges::count(of_pe, false), 0);
}

TEST(circulants, broadcast_all_pieces) {
  for (int pes = 1; pes <= 70; ++pes) {
    for (std::size_t pieces = 0; pieces <= 20; ++pieces) {
      check_broadcast(pes, pieces);
      ASSERT_FALSE(HasFatalFailure()) << pieces << " pieces, " << pes << " PEs";
    }
  }
}

}  // namespace
}  // namespace boxcar::test::circulant_test
