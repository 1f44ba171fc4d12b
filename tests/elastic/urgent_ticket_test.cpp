// Tests that a monster's ticket does not wait for its buffer to fill, on no hop (conveyors-2019,
// section 4.4.1): the ticket arrives, with all earlier items, although nothing follows and no PE
// has declared the end. The conveyors are not steady.
#include <atomic>
#include <gtest/gtest.h>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"

namespace boxcar::test::urgent_ticket_test {
namespace {

constexpr std::size_t monster = 100'000;

// Setups with such large buffers that a ticket never fills a buffer.
std::vector<elastic_setup> roomy_setups() {
  std::vector<elastic_setup> setups = plain_elastic_setups(several_shapes());
  for (elastic_setup& setup : setups) setup.options.buffer_bytes = 4096;
  return setups;
}

class urgent_ticket : public testing::TestWithParam<elastic_setup> {
 protected:
  // One PE after another calls `send` for each PE, while all other PEs only advance and pull, until
  // all items of the PE have arrived.
  void one_at_a_time(const std::vector<std::size_t>& sizes,
                     const std::function<void(checked_elastic&, int to)>& send) {
    const int pes = GetParam().shape.pes;
    ledger book(pes);
    shared_array<std::atomic<int>> turns_over(1);
    run_on(GetParam().shape, [&](world& w) {
      checked_elastic c(w, monster, GetParam().options, book, sizes);
      c.in_session([&] {
        for (int turn = 0; turn < pes * pes; ++turn) {
          const int from = turn / pes;
          const int to = turn % pes;
          if (w.rank() == from) send(c, to);
          w.barrier();  // `book` has the sent items
          const std::uint64_t expected = sent_to(book, to, pes);
          while (turns_over[0] == turn) {
            if (w.rank() == to && c.pulled() == expected) {
              ++turns_over[0];
            } else {
              c.pull_all();
              c.advance(false);
            }
          }
          w.barrier();
        }
        c.finish();
      });
    });
  }

 private:
  static std::uint64_t sent_to(ledger& book, int to, int pes) {
    std::uint64_t sent = 0;
    for (int from = 0; from < pes; ++from) sent += book.sent(from, to);
    return sent;
  }
};

TEST_P(urgent_ticket, does_not_wait_for_more_items) {
  one_at_a_time({monster}, [](checked_elastic& c, int to) { c.push_surely(to); });
}

TEST_P(urgent_ticket, takes_those_before_it_along) {
  one_at_a_time({0, 1, 20, monster}, [](checked_elastic& c, int to) {
    while (c.next_size(to) != monster) c.push_surely(to);
    c.push_surely(to);
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, urgent_ticket, testing::ValuesIn(roomy_setups()), by_name{});

}  // namespace
}  // namespace boxcar::test::urgent_ticket_test
