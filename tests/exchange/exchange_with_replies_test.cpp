// The exchange with replies.
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>

#include "exchange/exchange_setup.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"

namespace boxcar::test::exchange_with_replies_test {
namespace {

template <std::size_t Bytes>
using block = std::array<unsigned char, Bytes>;

// The answer of a PE to a question; all bytes depend on both.
template <std::size_t Bytes>
block<Bytes> answer_to(std::uint64_t question, int pe) {
  block<Bytes> b;
  dice d(scramble_all({question, static_cast<std::uint64_t>(pe)}));
  for (unsigned char& c : b) c = static_cast<unsigned char>(d.next());
  return b;
}

class exchange_with_replies : public test_of_exchange {
 protected:
  // Every PE asks each of the PEs in its list; replies must be right, and in order per PE.
  template <std::size_t ReplyBytes>
  static void ask(world& w, const std::vector<int>& whom) {
    std::vector<int> answered(whom.size());
    std::vector<std::size_t> last(static_cast<std::size_t>(w.size()));
    std::uint64_t answers = 0;
    const inquiry_statistics did = boxcar::exchange<std::uint64_t>(
        w,
        [&](auto& out) {
          for (std::size_t i = 0; i < whom.size(); ++i) out.push(i * i, whom[i], i);
        },
        [&](std::uint64_t question, int) {
          ++answers;
          return answer_to<ReplyBytes>(question, w.rank());
        },
        [&](const block<ReplyBytes>& reply, std::size_t i) {
          ASSERT_EQ(reply, answer_to<ReplyBytes>(i * i, whom[i]));
          ++answered[i];
          std::size_t& before = last[static_cast<std::size_t>(whom[i])];
          ASSERT_LE(before, i);
          before = i;
        },
        options_for(std::max(ReplyBytes, sizeof(std::uint64_t))));
    for (const int times : answered) ASSERT_EQ(times, 1);
    EXPECT_EQ(w.reduce(answers), w.reduce(std::uint64_t{whom.size()}));
    EXPECT_EQ(did.queries.pushes, whom.size());
    EXPECT_EQ(did.queries.pulls, answers);
    EXPECT_EQ(did.replies.pushes, answers);
    EXPECT_EQ(did.replies.pulls, whom.size());
  }

  static std::vector<int> anybody(world& w) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    std::vector<int> whom(w.size() > 8 ? 60 : 300);
    for (int& pe : whom) pe = d.below(w.size());
    return whom;
  }
};

TEST_P(exchange_with_replies, answers_every_question_once_and_in_order) {
  run_on(GetParam().shape, [](world& w) { ask<8>(w, anybody(w)); });
}

TEST_P(exchange_with_replies, may_have_replies_of_other_sizes) {
  run_on(GetParam().shape, [](world& w) {
    ask<1>(w, anybody(w));
    ask<200>(w, anybody(w));
  });
}

TEST_P(exchange_with_replies, may_be_uneven) {
  run_on(GetParam().shape, [](world& w) {
    const std::vector<int> last(100, w.size() - 1);
    ask<8>(w, last);
    ask<8>(w, w.rank() == 0 ? last : std::vector<int>());
    ask<8>(w, std::vector<int>(100, w.rank()));
    ask<8>(w, {});
  });
}

TEST_P(exchange_with_replies, works_on_parts_of_the_world) {
  run_on(GetParam().shape, [&](world& w) {
    std::optional<world> part = w.split(w.rank() % 2);
    const conveyor_options options = for_size(part->size(), options_for(sizeof(int)));
    int replies = 0;
    boxcar::exchange<int>(
        *part,
        [&](auto& ask_out) {
          for (int pe = 0; pe < part->size(); ++pe) {
            ask_out.push(1, pe, static_cast<std::size_t>(pe));
          }
        },
        [&](int) { return w.rank(); },
        [&](int rank, std::size_t pe) {
          EXPECT_EQ(rank, w.rank() % 2 + static_cast<int>(pe) * 2);
          ++replies;
        },
        options);
    EXPECT_EQ(replies, part->size());
  });
}

TEST_P(exchange_with_replies, tells_what_it_held) {
  run_on(GetParam().shape, [](world& w) {
    const auto held_for = [&](int questions) {
      return boxcar::exchange<char, block<1000>>(
          w,
          [&](auto& out) {
            for (int i = 0; i < questions; ++i) out.push('?', w.rank(), {});
          },
          [](char c) { return c; }, [](char, const block<1000>&) {}, options_for(1));
    };
    const inquiry_statistics none = held_for(0);
    EXPECT_GT(none.queries.memory_bytes, 0U);
    EXPECT_GT(none.replies.memory_bytes, 0U);
    EXPECT_GE(held_for(10).queries.memory_bytes, none.queries.memory_bytes + sizeof(block<1000>));
  });
}

INSTANTIATE_TEST_SUITE_P(exchange, exchange_with_replies, testing::ValuesIn(exchange_setups()),
                         by_name{});

// All queries have arrived on a PE, which has no room for the replies before the next round of all
// PEs, and does not wait for events meanwhile.
INSTANTIATE_TEST_SUITE_P(in_rounds, exchange_with_replies,
                         testing::Values(conveyor_setup{.shape = {substrate_kind::simulated, 8, 3},
                                                        .variant = "twohopg4",
                                                        .options = {.kind = conveyor_kind::twohop,
                                                                    .local_group = 4,
                                                                    .buffer_bytes = 24,
                                                                    .buffers_per_link = 1,
                                                                    .dynamic_memory = true},
                                                        .item_bytes = 24}),
                         by_name{});

class tickets : public test_of_exchange {
 protected:
  // Asks every PE with a ticket made from its rank; the ticket of the reply must be the same.
  template <typename Ticket>
  static void check(const std::function<Ticket(int)>& make,
                    const std::function<bool(const Ticket&, int)>& is_ticket_of) {
    run_on(GetParam().shape, [&](world& w) {
      int replies = 0;
      boxcar::exchange<char, Ticket>(
          w,
          [&](auto& out) {
            for (int i = 0; i < 5 * w.size(); ++i) out.push('?', i % w.size(), make(i % w.size()));
          },
          [&](char) { return w.rank(); },
          [&](int rank, const Ticket& ticket) {
            EXPECT_TRUE(is_ticket_of(ticket, rank));
            ++replies;
          },
          options_for(sizeof(int)));
      EXPECT_EQ(replies, 5 * w.size());
    });
  }
};

TEST_P(tickets, may_be_numbers) {
  check<std::uint16_t>([](int pe) { return static_cast<std::uint16_t>(pe); },
                       [](const std::uint16_t& t, int pe) { return t == pe; });
}

TEST_P(tickets, may_be_bits) {
  check<bool>([](int pe) { return pe % 3 == 0; },
              [](const bool& t, int pe) { return t == (pe % 3 == 0); });
}

TEST_P(tickets, may_own_memory) {
  check<std::string>([](int pe) { return std::string(50, static_cast<char>('a' + pe)); },
                     [](const std::string& t, int pe) {
                       return t == std::string(50, static_cast<char>('a' + pe));
                     });
}

TEST_P(tickets, may_be_what_cannot_be_copied) {
  check<std::unique_ptr<int>>([](int pe) { return std::make_unique<int>(pe); },
                              [](const std::unique_ptr<int>& t, int pe) { return *t == pe; });
}

// A ticket larger than the query, and of every alignment that buffers have or lack.
template <std::size_t Alignment>
struct alignas(Alignment) aligned_number {
  std::uint64_t value;
};

template <std::size_t QueryAlignment, std::size_t ReplyAlignment, typename Ticket>
void ask_by_alignment(world& w, const conveyor_options& options) {
  using query_type = aligned_number<QueryAlignment>;
  using reply_type = aligned_number<ReplyAlignment>;
  std::uint64_t asked = 0;
  std::uint64_t received = 0;
  boxcar::exchange<query_type, Ticket>(
      w,
      [&](auto& out) {
        for (; asked < 300; ++asked) {
          out.push({asked}, static_cast<int>(asked % static_cast<std::uint64_t>(w.size())),
                   {asked, asked});
        }
      },
      [&](const query_type& query) { return reply_type{query.value + 1}; },
      [&](const reply_type& reply, const Ticket& ticket) {
        EXPECT_EQ(reply.value, ticket[0] + 1);
        EXPECT_EQ(ticket[0], ticket[1]);
        ++received;
      },
      options);
  EXPECT_EQ(received, 300U);
}

TEST_P(tickets, may_be_larger_than_queries_of_any_alignment) {
  using two_numbers = std::array<std::uint64_t, 2>;
  using many_numbers = std::array<std::uint64_t, 12>;
  run_on(GetParam().shape, [](world& w) {
    ask_by_alignment<8, 8, two_numbers>(w, options_for(8));
    ask_by_alignment<8, 8, many_numbers>(w, options_for(8));
    ask_by_alignment<64, 16, two_numbers>(w, options_for(64));
    ask_by_alignment<128, 8, two_numbers>(w, options_for(128));
    ask_by_alignment<16, 256, two_numbers>(w, options_for(256));
  });
}

// A ticket is destroyed after the receipt of its reply.
TEST_P(tickets, end_with_their_replies) {
  run_on(GetParam().shape, [&](world& w) {
    int made = 0;
    int gone = 0;
    int received = 0;
    const auto end = [&gone](const int* held) {
      ++gone;
      delete held;
    };
    boxcar::exchange<int, std::shared_ptr<int>>(
        w,
        [&](auto& out) {
          while (made < 200) {
            const int i = made++;
            out.push(i, i % w.size(), std::shared_ptr<int>(new int(i), end));
          }
        },
        [](int question) { return question; },
        [&](int reply, const std::shared_ptr<int>& ticket) {
          EXPECT_EQ(reply, *ticket);
          EXPECT_EQ(gone, received++);
        },
        options_for(sizeof(int)));
    EXPECT_EQ(gone, 200);
  });
}

INSTANTIATE_TEST_SUITE_P(exchange, tickets, testing::ValuesIn(few_exchange_setups()), by_name{});

class failing_exchange_with_replies : public test_of_exchange {
 protected:
  struct functions {
    std::function<void()> produce = [] {};
    std::function<void()> answer = [] {};
    std::function<void()> receive = [] {};
  };

  // Every PE asks itself and PE 0; PE 0 calls `of_first` in its functions.
  static world_report observe_with(const functions& of_first) {
    return observe(GetParam().shape, [&](world& w) {
      const functions f = w.rank() == 0 ? of_first : functions{};
      boxcar::exchange<int>(
          w,
          [&](auto& out) {
            out.push(1, 0, 1);
            out.push(1, w.rank(), 2);
            f.produce();
          },
          [&](int question) {
            f.answer();
            return question;
          },
          [&](int, std::size_t) { f.receive(); }, options_for(sizeof(int)));
      w.barrier();
    });
  }

  static std::function<void()> fail() {
    return [] { throw std::runtime_error("cannot go on"); };
  }
};

TEST_P(failing_exchange_with_replies, because_of_its_producer) {
  expect_failure_of_first(observe_with({.produce = fail()}), ending::other_exception,
                          {"cannot go on"});
}

TEST_P(failing_exchange_with_replies, because_of_an_answer) {
  expect_failure_of_first(observe_with({.answer = fail()}), ending::other_exception,
                          {"cannot go on"});
}

TEST_P(failing_exchange_with_replies, because_of_a_receiver) {
  expect_failure_of_first(observe_with({.receive = fail()}), ending::other_exception,
                          {"cannot go on"});
}

TEST_P(failing_exchange_with_replies, because_of_a_destination_that_there_is_not) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    boxcar::exchange<int>(
        w, [&](auto& out) { out.push(1, w.rank() == 0 ? -1 : 0, 1); }, [](int q) { return q; },
        [](int, std::size_t) {}, options_for(sizeof(int)));
    w.barrier();
  });
  expect_failure_of_first(report, ending::argument_error, {"push to PE -1"});
}

TEST_P(failing_exchange_with_replies, because_a_handler_pushes) {
  for (const bool in_answer : {true, false}) {
    const world_report report = observe(GetParam().shape, [&](world& w) {
      std::function<void()> push_more;
      boxcar::exchange<int>(
          w,
          [&](auto& out) {
            push_more = [&out] { out.push(2, 0, 2); };
            out.push(1, 0, 1);
          },
          [&](int question) {
            if (in_answer) push_more();
            return question;
          },
          [&](int, std::size_t) {
            if (w.rank() == 0) push_more();
          },
          options_for(sizeof(int)));
      w.barrier();
    });
    expect_failure_of_first(report, ending::contract_error, {"push", "handler"});
  }
}

INSTANTIATE_TEST_SUITE_P(exchange, failing_exchange_with_replies,
                         testing::ValuesIn(few_exchange_setups()), by_name{});

}  // namespace
}  // namespace boxcar::test::exchange_with_replies_test
