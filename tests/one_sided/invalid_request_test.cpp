// No program makes Boxcar send invalid requests; a PE that is out of order, or a network that
// corrupts bytes, might. The requests are not executed, the world fails and says why, and no memory
// is touched beyond the object.
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "one_sided/counter_state.hpp"
#include "one_sided/request.hpp"
#include "one_sided/rpc_engine.hpp"
#include "one_sided/window_state.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/shared_flag.hpp"
#include "support/thrown.hpp"

namespace boxcar::detail::invalid_request_test {
namespace {

using namespace boxcar::test;

constexpr std::size_t elements = 100;
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// A request to a window of `elements` words.
struct wrong_request {
  const char* name;
  request what;
  std::size_t bytes;  // of data
  const char* target = "a window";
};
std::string name_of(const wrong_request& w) {
  return w.name;
}

// (The operations are those of window_operation.hpp, in their order.)
const std::vector<wrong_request> wrong_requests{
    {"put_behind_the_end", {.operation = 0, .at = 8 * elements - 4}, 8},
    {"put_far_away", {.operation = 0, .at = most - 3}, 8},
    {"put_with_a_huge_stride", {.operation = 1, .at = 1, .elements = 3, .stride = most / 2}, 24},
    {"put_of_more_than_comes", {.operation = 1, .at = 0, .elements = 50, .stride = 2}, 8},
    {"put_without_a_stride", {.operation = 1, .at = 0, .elements = 2, .stride = 0}, 16},
    {"get_of_more_than_a_reply", {.operation = 2, .place = 0, .at = 0, .elements = 4000}, 0},
    {"get_behind_the_end", {.operation = 2, .place = 0, .at = 8 * elements, .elements = 8}, 0},
    {"get_far_away", {.operation = 3, .place = 0, .at = most, .elements = 2, .stride = 1}, 0},
    {"get_of_too_many", {.operation = 3, .place = 0, .at = 0, .elements = most, .stride = 1}, 0},
    {"update_behind_the_end", {.operation = 8, .at = 8 * elements, .elements = 8}, 16},
    {"update_of_no_word", {.operation = 8, .at = 0, .elements = 7}, 16},
    {"update_without_operands", {.operation = 8, .at = 0, .elements = 8}, 3},
    {"reply_by_a_ticket_for_too_much",
     {.operation = 2, .place = reply_by_ticket, .at = 0, .elements = max_large_bytes + 1},
     0,
     "no ticket"},
    {"reply_by_a_ticket_for_too_little",
     {.operation = 4, .place = reply_by_ticket, .elements = 0},
     0,
     "no ticket"},
    {"reply_to_no_place",
     {.operation = 2, .place = 2 * reply_places, .elements = 8},
     0,
     "no place"},
    {"reply_below_all_places", {.operation = 2, .place = data_by_ticket - 1}, 0, "no place"},
    {"data_by_no_ticket", {.operation = 0, .place = data_by_ticket, .at = 0}, 8, "no ticket"},
    {"data_by_a_wrong_ticket",
     {.operation = 0, .place = data_by_ticket, .at = 0},
     sizeof(bulk_ticket),
     "no ticket"},
    {"operation_of_none", {.operation = 4000, .at = 0, .elements = 8}, 16},
};

std::vector<world_shape> on_two_nodes() {
  std::vector<world_shape> shapes = all_shapes();
  std::erase_if(shapes, [](const world_shape& shape) { return shape.nodes != 2; });
  return shapes;
}

class an_invalid_request : public testing::TestWithParam<shaped<wrong_request>> {};

TEST_P(an_invalid_request, fails_the_world_and_touches_nothing) {
  const wrong_request& wrong = GetParam().detail;
  const world_report report = observe(GetParam().shape, [&wrong](world& w) {
    substrate& s = *w.substrate();
    rpc_engine& rpc = rpc_engine::of(s);
    std::uint64_t number = 0;
    auto& made =
        static_cast<window_state&>(rpc.make({}, "window", "a window's", [&](std::uint64_t its) {
          number = its;
          return std::make_unique<window_state>(
              s, rpc, its,
              window_element{.bytes = 8, .alignment = 8, .type = identity_of<std::uint64_t>},
              object_memory{.elements = elements}, true);
        }));
    w.barrier();
    if (w.rank() == 0) {
      request r = wrong.what;
      r.object = number;
      const std::vector<std::byte> data(wrong.bytes, std::byte{0xff});
      rpc.send(w.size() - 1, r, data);
    }
    for (;;) {
      w.barrier();
      for (std::size_t i = 0; i < elements; ++i) ASSERT_EQ(*made.element(i), std::byte{});
    }
  });
  // (A launcher may end PEs before they hear of the failure.)
  EXPECT_EQ(report.pes.back().end, ending::world_error);
  for (const test::pe_report& pe : report.pes) {
    if (pe.end == ending::unknown) continue;
    EXPECT_EQ(pe.end, ending::world_error);
    expect_mentions(pe.what, {"a request that cannot be carried out", wrong.target});
  }
}

// PE 3 replies where PE 0 waits for PE 2, which does not look for requests yet.
class a_reply : public testing::TestWithParam<world_shape> {};

TEST_P(a_reply, of_a_pe_that_was_not_asked_is_refused) {
  shared_flag names_senders;
  shared_flag is_away;
  shared_flag is_refused;
  const world_report report = observe(GetParam(), [&](world& w) {
    // Where PEs write replies into memory, a reply does not name its sender.
    if (w.substrate_name() == "shmem") return;
    names_senders.raise();
    rpc_engine& rpc = rpc_engine::of(*w.substrate());
    w.barrier();
    // (On a simulated machine the order of messages is the same in each run.)
    const bool is_real = w.substrate_name() != "simulated";
    if (w.rank() == 2 && is_real) {
      is_away.raise();
      EXPECT_TRUE(is_refused.await());
    }
    if (w.rank() == 0) {
      EXPECT_TRUE(!is_real || is_away.await());
      rpc.send(3, request{.place = 0}, {});
      const auto take = [](std::span<const std::byte>) { ADD_FAILURE() << "a reply is taken"; };
      try {
        rpc.wait(rpc.call(2, request{}, {}, take));
      } catch (const world_error&) {
        is_refused.raise();
        throw;
      }
    }
    w.barrier();
  });
  if (!names_senders.is_raised()) return;
  EXPECT_EQ(report.pes[0].end, ending::world_error);
  expect_mentions(report.pes[0].what, {"PE 3 has replied to a request to PE 2"});
}

std::vector<world_shape> whose_messages_name_their_senders() {
  std::vector<world_shape> shapes = on_two_nodes();
  std::erase_if(shapes, [](const world_shape& shape) {
    return shape.pes < 4 || shape.substrate == substrate_kind::threads ||
           shape.substrate == substrate_kind::processes;
  });
  return shapes;
}

INSTANTIATE_TEST_SUITE_P(of, a_reply, testing::ValuesIn(whose_messages_name_their_senders()),
                         by_name{});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(a_reply);

INSTANTIATE_TEST_SUITE_P(of, an_invalid_request,
                         testing::ValuesIn(on_shapes(on_two_nodes(), wrong_requests)), by_name{});

}  // namespace
}  // namespace boxcar::detail::invalid_request_test
