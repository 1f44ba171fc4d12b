// Tests of mistakes with collectives: the error has a message with the values and the remedy, on
// all PEs.
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::collective_misuse_test {
namespace {

class collective_misuse : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
};

// Expects the error on all PEs, which can go on afterwards.
template <typename Make>
void expect_refusal(world& w, const Make& make, std::initializer_list<std::string_view> parts) {
  expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(make()); }), parts);
  w.barrier();
}

TEST_P(collective_misuse, values_that_cannot_be) {
  on_all([](world& w) {
    const std::string pes = std::to_string(w.size());
    collectives make(w);
    std::vector<int> room(4);
    const std::span all(room);
    expect_refusal(w, [&] { return make.broadcast(all, w.size()); },
                   {"broadcast", "the root is PE " + pes, "the PEs 0 to"});
    expect_refusal(w, [&] { return make.broadcast(all, -1); }, {"the root is PE -1"});
    expect_refusal(w, [&] { return make.barrier({.fan_out = -3}); }, {"fan_out is -3"});
    expect_refusal(w, [&] { return make.barrier({.over = topology::k_nomial_tree, .fan_out = 1}); },
                   {"fan_out is 1", "topology::chain"});
    expect_refusal(w, [&] { return make.gather(all, all, 0, {.over = topology::ring}); },
                   {"gather", "ring", "k-ary tree, k-nomial tree, chain"});
    if (w.nodes() > 1) {
      expect_refusal(w, [&] { return make.barrier({.over = topology::shared_memory}); },
                     {"barrier", "shared memory", std::to_string(w.nodes()) + " nodes"});
    }
  });
}

TEST_P(collective_misuse, lengths_that_do_not_fit) {
  on_all([](world& w) {
    collectives make(w);
    const auto pes = static_cast<std::size_t>(w.size());
    std::vector<std::int64_t> room(3 * pes + 1);
    std::vector<std::int64_t> more(3 * pes + 1);
    const std::span all(room);
    const std::span others(more);
    const auto bytes = [](std::size_t elements) { return std::to_string(8 * elements) + " bytes"; };
    expect_refusal(w, [&] { return make.all_reduce(all.first(2), others.first(3)); },
                   {"all_reduce", "16 bytes are given", "room for 24 bytes"});
    if (w.size() > 1) {
      expect_refusal(w, [&] { return make.all_to_all(all, others); },
                     {"all_to_all", bytes(3 * pes + 1), "as many for each of"});
    }
    expect_refusal(w, [&] { return make.all_gather(all.first(3), others); },
                   {"all_gather", "room for " + bytes(3 * pes + 1), "give " + bytes(3 * pes)});
    expect_refusal(w, [&] { return make.scatter(all, others.first(3), w.size() - 1); },
                   {"scatter", "PE " + std::to_string(w.size() - 1), bytes(3 * pes + 1)});
    expect_refusal(w, [&] { return make.reduce_scatter(all, others.first(3)); },
                   {"reduce_scatter", bytes(3 * pes + 1), bytes(3 * pes)});
    const std::vector<std::size_t> sizes(pes + 1, 1);
    expect_refusal(w, [&] { return make.all_to_all(all, others, sizes); },
                   {std::to_string(pes + 1) + " sizes are given"});
    std::vector<std::size_t> huge(pes, 3);
    huge[0] = ~std::size_t{0};
    expect_refusal(w, [&] { return make.all_to_all(all, others, huge); },
                   {"more than the " + bytes(3 * pes + 1)});
    const std::vector<std::size_t> three(pes, 3);
    expect_refusal(w, [&] { return make.all_to_all(all, others, three); },
                   {bytes(3 * pes + 1) + " are given", "say " + bytes(3 * pes)});
    expect_refusal(w, [&] { return make.all_to_all(all.first(3 * pes), others, three); },
                   {"room for " + bytes(3 * pes + 1), "give " + bytes(3 * pes)});
  });
}

TEST_P(collective_misuse, memory_that_is_used_twice) {
  on_all([](world& w) {
    collectives make(w);
    const auto pes = static_cast<std::size_t>(w.size());
    std::vector<int> room(4 * pes + 4);
    const std::span all(room);
    expect_refusal(w, [&] { return make.scan(all.first(2), all.subspan(1, 2)); },
                   {"scan", "overlap"});
    expect_refusal(w, [&] { return make.reduce_scatter(all.first(pes), all.first(1)); },
                   {"reduce_scatter", "overlap"});
    expect_refusal(w,
                   [&] { return make.all_gather(all.subspan(4 * pes - 1, 4), all.first(4 * pes)); },
                   {"all_gather", "overlap"});
  });
}

TEST_P(collective_misuse, what_pes_give_differently) {
  if (GetParam().pes == 1) GTEST_SKIP() << "nobody differs";
  on_all([](world& w) {
    collectives make(w);
    const bool is_last = w.rank() == w.size() - 1;
    std::vector<int> room(4);
    std::vector<float> floats(4);
    const std::span all(room);
    expect_refusal(w, [&] { return make.broadcast(all.first(is_last ? 3 : 4)); },
                   {"disagree", "a collective's bytes", "12", "16"});
    expect_refusal(w, [&] { return make.broadcast(all, is_last ? 1 : 0); }, {"disagree", "root"});
    expect_refusal(
        w, [&] { return is_last ? make.broadcast(std::span(floats)) : make.broadcast(all); },
        {"disagree", "type", "float", "int"});
    expect_refusal(w, [&] { return is_last ? make.scan(all, all) : make.all_reduce(all, all); },
                   {"disagree", "kind"});
    expect_refusal(
        w,
        [&] { return is_last ? make.scan(all, all, minimum{}) : make.scan(all, all, maximum{}); },
        {"disagree", "combination", "the maximum", "the minimum"});
    expect_refusal(
        w,
        [&] { return make.barrier({.over = is_last ? topology::pairwise : topology::automatic}); },
        {"disagree", "topology", "pairwise"});
    expect_refusal(w,
                   [&] { return make.exclusive_scan(all.first(1), all.last(1), is_last ? 3 : 4); },
                   {"disagree", "first", "PE 0 gives 4", "gives 3"});
    const auto last_of = [](int a, int b) { return b == 0 ? a : b; };
    expect_refusal(
        w,
        [&] {
          return make.exclusive_scan(all.first(1), all.last(1), is_last ? 0x1a : 0x2b, last_of);
        },
        {"disagree", "first", "gives the bytes 2b 00 00 00", "gives the bytes 1a 00 00 00"});
  });
}

TEST_P(collective_misuse, neighbors_that_do_not_know_each_other) {
  on_all([](world& w) {
    collectives make(w);
    const std::string pes = std::to_string(w.size());
    std::vector<int> room(8);
    const std::span given = std::span(room).first(4);
    const std::span into = std::span(room).last(4);
    const auto exchange = [&](const std::vector<neighbor>& to, const std::vector<neighbor>& from) {
      return [=, &make] { return make.neighbor_all_to_all(given, to, into, from); };
    };
    const int next = (w.rank() + 1) % w.size();
    const int last = (w.rank() + w.size() - 1) % w.size();
    expect_refusal(w, exchange({{w.size(), 4}}, {{last, 4}}),
                   {"PE " + pes + " is named as a neighbour", "the PEs 0 to"});
    expect_refusal(w, exchange({{next, 5}}, {{last, 4}}),
                   {"neighbours in `to` have more than 16 bytes"});
    expect_refusal(w, exchange({{next, 4}}, {{last, 3}}),
                   {"neighbours in `from` have 4 bytes less than the 16 bytes"});
    expect_refusal(w, exchange({{next, 1}, {next, 3}}, {{last, 2}, {last, 2}}),
                   {"block 1 of PE 0 for PE ", "has 4 bytes, but that takes 8"});
    expect_refusal(w, exchange({{next, 4}}, {{last, 4}, {last, 0}}),
                   {"block 2 of PE", "it is not given", "name each other as neighbours"});
    expect_refusal(w, exchange({{next, 4}, {next, 0}}, {{last, 4}}),
                   {"block 2 of PE", "it does not take it"});
    expect_refusal(w,
                   [&] {
                     return make.neighbor_all_to_all(given, {{next, 4}}, given, {{last, 4}});
                   },
                   {"neighbor_all_to_all", "overlap"});
  });
}

TEST_P(collective_misuse, starts_before_the_last_run_has_ended) {
  on_all([](world& w) {
    collectives make(w);
    collective barrier = make.barrier();
    if (w.rank() == 0 && w.size() > 1) {
      barrier.start();
      EXPECT_FALSE(barrier.test());
      expect_mentions(thrown_by<contract_error>([&] { barrier.start(); }),
                      {"start", "has not been waited for"});
    }
    w.barrier();
    if (w.rank() != 0 || w.size() == 1) barrier.start();
    barrier.wait();
    collective moved = std::move(barrier);
    expect_mentions(
        thrown_by<contract_error>([&] { barrier.start(); }),  // NOLINT(bugprone-use-after-move)
        {"start", "moved from"});
    moved.start();
    moved.wait();
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(collective, collective_misuse, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::collective_misuse_test
