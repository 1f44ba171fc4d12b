// A provider refuses calls in the middle, in spite of the provider's promises: the PE with the
// refused call gets a system_error with libfabric's words, the other PEs a world_error with the
// same words, no PE hangs, and the next world works. The test runs as a job of several processes;
// all processes run all tests.
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <rdma/fi_errno.h>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "ofi/pes_at_work.hpp"
#include "ofi/pretending_provider.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::refused_test {
namespace {

constexpr int unlucky = 1;  // the PE with the refused call

constexpr std::size_t large_item = std::size_t{1} << 20;

struct refusal {
  std::string name;
  std::function<void(world&)> program;
  refused_call unwanted;
  std::vector<std::string> words;
};

std::string name_of(const refusal& r) {
  return r.name + (r.unwanted.spared == 0 ? "" : "_later");
}

void meet_often(world& w) {
  meet(w, 300);
}
void exchange_many(world& w) {
  exchange_items(w, 20'000);
}
void send_large(world& w) {
  exchange_large_items(w, large_item);
}
void put_and_get(world& w) {
  use_window(w, 20'000);
}
void put_and_count(world& w) {
  count_puts(w, 10, 100);
  meet(w, 300);
}
void count_often(world& w) {
  count_together(w, 1000);
}

const std::string words_of_call = "Input/output error";

std::vector<refusal> make_refusals() {
  const std::string end = text_of_refused_end();
  return {
      {"sending_for_a_collective", meet_often, {.function = "fi_tsend"}, {words_of_call}},
      {"its_end", meet_often, {.function = "the end of fi_tsend"}, {end}},
      {"receiving_for_a_collective", meet_often, {.function = "fi_trecv"}, {words_of_call}},
      {"end_of_receiving_for_a_collective",
       meet_often,
       {.function = "the end of fi_trecv", .at_least = 64},
       {end}},
      {"sending_of_a_buffer",
       exchange_many,
       {.function = "fi_tsend", .at_least = least_of_buffers},
       {"sending a buffer to PE", words_of_call}},
      {"end_of_sending_a_buffer",
       exchange_many,
       {.function = "the end of fi_tsend", .at_least = least_of_buffers},
       {"sending a buffer to PE", end}},
      {"receiving_of_a_buffer",
       exchange_many,
       {.function = "fi_trecv", .at_least = least_of_buffers},
       {words_of_call}},
      {"end_of_receiving_a_buffer",
       exchange_many,
       {.function = "the end of fi_trecv", .at_least = least_of_buffers},
       {"receiving a buffer", end}},
      {"all_answers",
       exchange_many,
       {.function = "fi_tinject", .refused = all_of_them},
       {"sending to PE", "of the job", words_of_call}},
      {"receiving_of_answers",
       exchange_many,
       {.function = "fi_trecv", .at_most = 8},
       {words_of_call}},
      {"end_of_receiving_an_answer",
       exchange_many,
       {.function = "the end of fi_trecv", .at_most = 8},
       {end}},
      {"asking_what_has_ended", exchange_many, {.function = "fi_cq_read"}, {words_of_call}},
      {"sending_of_a_large_item",
       send_large,
       {.function = "fi_tsend", .at_least = large_item},
       {"sending an item", words_of_call}},
      {"end_of_sending_a_large_item",
       send_large,
       {.function = "the end of fi_tsend", .at_least = large_item},
       {"sending an item", end}},
      {"receiving_of_a_large_item",
       send_large,
       {.function = "fi_trecv", .at_least = large_item},
       {words_of_call}},
      {"end_of_receiving_a_large_item",
       send_large,
       {.function = "the end of fi_trecv", .at_least = large_item},
       {"receiving an item", end}},
      {"end_of_being_asked_for_a_large_item",
       send_large,
       {.function = "the end of fi_trecv", .at_least = 32, .at_most = 32},
       {end}},
      {"sending_of_a_request", count_often, {.function = "fi_tsend"}, {words_of_call}},
      {"end_of_receiving_a_request",
       count_often,
       {.function = "the end of fi_trecv", .at_least = 3000},
       {end}},
      {"putting", put_and_get, {.function = "fi_writemsg"}, {"fi_writemsg", words_of_call}},
      {"end_of_putting",
       put_and_get,
       {.function = "the end of fi_writemsg"},
       {"putting into memory of PE", end}},
      {"counted_putting",
       put_and_count,
       {.function = "fi_writemsg with data"},
       {"fi_writemsg", words_of_call}},
      {"end_of_counted_putting",
       put_and_count,
       {.function = "the end of fi_writemsg with data"},
       {"putting into memory of PE", end}},
      {"getting", put_and_get, {.function = "fi_read"}, {"fi_read", words_of_call}},
      {"end_of_getting",
       put_and_get,
       {.function = "the end of fi_read"},
       {"getting from memory of PE", end}},
      {"registering_of_buffers",
       exchange_many,
       {.function = "fi_mr_reg", .at_least = least_of_buffers, .code = FI_ENOMEM},
       {"cannot register", "bytes of memory", "ulimit -l"}},
      {"registering_of_a_large_item",
       send_large,
       {.function = "fi_mr_reg", .at_least = large_item, .code = FI_ENOMEM},
       {"cannot register", "bytes of memory", "ulimit -l"}},
  };
}

// Returns refusals of the first call, and of a later call.
std::vector<refusal> all_refusals() {
  std::vector<refusal> all;
  for (const refusal& r : make_refusals()) {
    all.push_back(r);
    const bool is_one_of_many = r.unwanted.at_least < large_item && r.unwanted.at_least != 32 &&
                                r.unwanted.function != "fi_mr_reg" && r.unwanted.refused == 1;
    if (!is_one_of_many) continue;
    all.push_back(r);
    all.back().unwanted.spared = 5;
  }
  return all;
}

std::vector<world_shape> on_two_nodes() {
  std::vector<world_shape> shapes = all_shapes();
  std::erase_if(shapes, [](const world_shape& shape) { return shape.nodes != 2; });
  return shapes;
}

class a_provider_refuses : public testing::TestWithParam<shaped<refusal>> {
 protected:
  a_provider_refuses() { pretend(pretence_named("verbs")); }
  ~a_provider_refuses() override {
    refuse_nothing();
    pretend({});
    EXPECT_EQ(take_violations(), std::vector<std::string>());
  }
};

struct trouble {
  std::string name;
  refused_call unwanted;
};

std::string name_of(const trouble& t) {
  return t.name;
}

const std::vector<trouble> troubles{
    {"with_answers", {.function = "fi_tinject", .refused = 3}},
    {"with_requests", {.function = "fi_tinject", .at_least = 32, .refused = 2}}};

class a_provider_in_trouble : public testing::TestWithParam<shaped<trouble>> {
 protected:
  a_provider_in_trouble() { pretend(pretence_named("verbs")); }
  ~a_provider_in_trouble() override {
    refuse_nothing();
    pretend({});
    EXPECT_EQ(take_violations(), std::vector<std::string>());
  }
};

TEST_P(a_provider_refuses, and_every_pe_hears_why) {
  const refusal& what = GetParam().detail;
  const world_report report = observe(GetParam().shape, [&](world& w) {
    meet(w, 1);
    if (w.rank() == unlucky) refuse(what.unwanted);
    what.program(w);
  });
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    const pe_report& its = report.pes[pe];
    EXPECT_EQ(its.end, pe == unlucky ? ending::system_error : ending::world_error)
        << "PE " << pe << its.what;
    for (const std::string& words : what.words) expect_mentions(its.what, {words});
    if (pe != unlucky) expect_mentions(its.what, {"PE 1: "});
  }
  refuse_nothing();
  run_on(GetParam().shape, [](world& w) { exchange_items(w, 1000); });
}

// Refused small messages, which have no completions, are sent again.
TEST_P(a_provider_in_trouble, is_asked_again) {
  const refused_call& unwanted = GetParam().detail.unwanted;
  run_on(GetParam().shape, [&](world& w) {
    meet(w, 1);
    if (w.rank() == unlucky) refuse(unwanted);
    exchange_items(w, 5000);
    exchange_large_items(w, large_item);
    if (w.rank() == unlucky) {
      EXPECT_EQ(count_refused(), unwanted.refused);
    }
  });
}

class a_provider_with_limits : public testing::TestWithParam<world_shape> {
 protected:
  ~a_provider_with_limits() override {
    refuse_nothing();
    pretend({});
    EXPECT_EQ(take_violations(), std::vector<std::string>());
  }
};

// An item waits at the sender until memory can be registered again.
TEST_P(a_provider_with_limits, registers_what_waits_later) {
  pretend(pretence_named("verbs"));
  run_on(GetParam(), [](world& w) {
    elastic_conveyor c(w, 4 * large_item);
    const std::vector<std::byte> item(large_item, std::byte{7});
    const session s = c.begin();
    if (w.rank() == unlucky) {
      refuse({.function = "fi_mr_reg", .at_least = large_item, .spared = 1, .code = FI_ENOMEM});
    }
    int pushed = 0;
    int pulled = 0;
    while (c.advance(pushed == w.size())) {
      while (pushed < w.size() && c.push(item, pushed)) ++pushed;
      for (; const auto arrived = c.pull(); ++pulled) EXPECT_EQ(arrived->bytes.size(), item.size());
    }
    EXPECT_EQ(pulled, w.size());
    EXPECT_EQ(count_refused(), w.rank() == unlucky ? 1 : 0);
  });
}

TEST_P(a_provider_with_limits, refuses_buffers_that_are_longer_than_its_messages) {
  pretend(pretence_named("short_messages"));
  const world_report report = observe(
      GetParam(), [](world& w) { conveyor<int> c(w, {.buffer_bytes = std::size_t{3} << 20}); });
  EXPECT_TRUE(report.failed);
  for (const pe_report& pe : report.pes) {
    expect_mentions(pe.what, {"sends at most 1048576 bytes at once", "buffer_bytes"});
  }
}

INSTANTIATE_TEST_SUITE_P(that_pretends, a_provider_with_limits, testing::ValuesIn(on_two_nodes()),
                         by_name{});

INSTANTIATE_TEST_SUITE_P(for_a_while, a_provider_in_trouble,
                         testing::ValuesIn(on_shapes(on_two_nodes(), troubles)), by_name{});

INSTANTIATE_TEST_SUITE_P(in_the_middle, a_provider_refuses,
                         testing::ValuesIn(on_shapes(on_two_nodes(), all_refusals())), by_name{});

}  // namespace
}  // namespace boxcar::test::refused_test
