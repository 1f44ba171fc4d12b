// Tests of bad input for collections: a clear message on every PE, and no hang.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

#include <boxcar/collection.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::collection_misuse_test {
namespace {

class collection_misuse : public testing::TestWithParam<world_shape> {};

struct summing {
  std::int64_t index = 0;
  std::int64_t sum = 0;
  void add(const std::int64_t& value) { sum += value; }
};

TEST_P(collection_misuse, handler_numbers_are_of_one_collection) {
  run_on(GetParam(), [](world& w) {
    using large = std::array<std::int64_t, 200>;
    const auto make = [](std::int64_t i) { return summing{i, 0}; };
    boxcar::collection<summing> other(w, 4, make);
    const auto other_item = other.on_item<std::int64_t>([](summing&, std::int64_t) {});
    const auto other_large = other.on_item<large>([](summing&, const large&) {});
    const auto other_array = other.on_array<int>([](summing&, std::span<const int>) {});
    for (const int kinds : {1, 2}) {
      boxcar::collection<summing> c(w, 4, make);
      handler_number<char> own;
      for (int kind = 0; kind != kinds; ++kind) {
        own = c.on_item<char>([](summing& s, char) { ++s.sum; });
        c.on_array<char>([](summing& s, std::span<const char>) { ++s.sum; });
      }
      const session scope = c.begin();
      for (int round = 0; round < 2; ++round) {
        expect_mentions(thrown_by<argument_error>([&] { c.send(other_large, 0, large{}); }),
                        {"handler number belongs to another collection", "on_item"});
        EXPECT_THROW(c.send(other_item, 0, std::int64_t{1}), argument_error);
        EXPECT_THROW(c.send(handler_number<int>(), 0, 1), argument_error);
        EXPECT_THROW(c.broadcast(other_item, std::int64_t{1}), argument_error);
        EXPECT_THROW(c.send_array(other_array, 0, std::vector<int>(3)), argument_error);
        // There is an open buffer now.
        for (std::int64_t i = 0; i < 4; ++i) c.send(own, i, 'x');
      }
      c.finish();
      c.for_each_local(
          [&](std::int64_t, const summing& object) { EXPECT_EQ(object.sum, 2 * w.size()); });
    }
  });
}

TEST_P(collection_misuse, objects_that_cannot_be_made_are_refused_on_all_pes) {
  run_on(GetParam(), [](world& w) {
    expect_mentions(
        thrown_by<argument_error>([&] {
          boxcar::collection<summing>(w, w.size(), [&](std::int64_t i) {
            if (i == w.size() - 1) throw 7;
            return summing{i, 0};
          });
        }),
        {"make(" + std::to_string(w.size() - 1) + ") threw something that is no std::exception"});
    constexpr std::int64_t many = std::int64_t{1} << 62;
    expect_mentions(
        thrown_by<argument_error>([&] {
          boxcar::collection<summing>(w, many, [](std::int64_t i) { return summing{i, 0}; });
        }),
        {"a mapping of 4611686018427387904 indices", "give fewer indices"});
    expect_mentions(thrown_by<argument_error>([&] {
                      boxcar::collection<summing>(w,
                                                  collection_mapping<std::int64_t>::cyclic(many));
                    }),
                    {"a mapping of 4611686018427387904 indices", "give fewer indices"});
  });
}

TEST_P(collection_misuse, refuses_what_is_not_legal) {
  run_on(GetParam(), [](world& w) {
    boxcar::collection<summing> c(w, 4, [](std::int64_t i) { return summing{i, 0}; });
    const auto add = c.on_item(&summing::add);
    EXPECT_EQ(thrown_by<contract_error>([&] { c.send(add, 0, std::int64_t{1}); }),
              "send: the collection has no session: call begin first");
    EXPECT_THROW(c.migrate(0, 0), contract_error);
    EXPECT_EQ(thrown_by<contract_error>([&] { c.finish(); }),
              "finish: the collection has no session: call begin first");
    EXPECT_EQ(thrown_by<contract_error>([&] { static_cast<void>(c.poll()); }),
              "poll: the collection has no session: call begin first");
    EXPECT_THROW(c.send(0, 1.5), contract_error);
    EXPECT_THROW(c.erase(77), contract_error);
    EXPECT_EQ(thrown_by<argument_error>([&] { c.insert(4, [] { return summing{}; }); }),
              "insert: index 4 has no home by the mapping of the collection");
    {
      const session scope = c.begin();
      EXPECT_EQ(thrown_by<argument_error>([&] { c.send(add, 4, std::int64_t{1}); }),
                "index 4 is outside of the collection's box, 4 indices from 0");
      EXPECT_THROW(c.send(add, -1, std::int64_t{1}), argument_error);
      EXPECT_EQ(thrown_by<argument_error>([&] { c.migrate(0, w.size()); }),
                "migrate to PE " + std::to_string(w.size()) + ": the world has " +
                    std::to_string(w.size()) + " PEs, numbered from 0");
      EXPECT_EQ(thrown_by<contract_error>([&] { c.send(0, 1.5); }),
                "send: the collection has no handler of items of type double: call on_item first");
      EXPECT_THROW(static_cast<void>(c.begin()), contract_error);
      EXPECT_THROW(c.insert(3, [] { return summing{}; }), contract_error);
      EXPECT_THROW(c.on_item<int>([](summing&, int) {}), contract_error);
      c.finish();
    }
    {
      const session scope = c.begin(staged(1));
      EXPECT_EQ(thrown_by<contract_error>([&] { c.migrate(0, 0); }),
                "migrate: this session ends in stages, and no object may migrate: begin the "
                "session with `quiescence` or `counting`");
      c.done();
      c.finish();
    }
    // The collection still works.
    const session scope = c.begin();
    c.send(add, 3, std::int64_t{1});
    c.finish();
    EXPECT_EQ(c.reduce([](std::int64_t, const summing& s) { return s.sum; }, std::int64_t{0}),
              w.size());
  });
}

TEST_P(collection_misuse, pes_agree_on_it) {
  if (GetParam().pes == 1) GTEST_SKIP() << "one PE agrees";
  run_on(GetParam(), [](world& w) {
    const auto make = [](std::int64_t i) { return summing{i, 0}; };
    EXPECT_THROW(boxcar::collection<summing>(w, 4 + w.rank() % 2, make), argument_error);
    EXPECT_THROW(boxcar::collection<summing>(w, -1, make), argument_error);
    collection_options options;
    options.chunk_bytes = static_cast<std::size_t>(w.rank() % 2);
    EXPECT_THROW(boxcar::collection<summing>(w, 4, make, options), argument_error);
    const std::string text = thrown_by<argument_error>([&] {
      boxcar::collection<summing>(w, w.size(), [&](std::int64_t i) {
        if (i == w.size() - 1) throw std::runtime_error("no memory for it");
        return summing{i, 0};
      });
    });
    EXPECT_NE(text.find("threw no memory for it"), std::string::npos) << text;
    boxcar::collection<summing> c(w, 4, make);
    if (w.rank() % 2 == 0) {
      c.on_item<int>([](summing&, int) {});
    } else {
      c.on_item<double>([](summing&, double) {});
    }
    EXPECT_THROW(static_cast<void>(c.begin()), argument_error);
  });
}

TEST_P(collection_misuse, a_message_to_nobody_names_sender_and_index) {
  const world_report report = observe(GetParam(), [](world& w) {
    boxcar::collection<summing> c(w, collection_mapping<std::int64_t>::hashed());
    const auto add = c.on_item(&summing::add);
    const session scope = c.begin();
    if (w.rank() == w.size() - 1) c.send(add, 1234, std::int64_t{1});
    c.finish();
  });
  EXPECT_TRUE(report.failed);
  const std::string expected = "PE " + std::to_string(GetParam().pes - 1) +
                               " has sent to index 1234 of a collection, which does not exist";
  bool said = report.failure.find(expected) != std::string::npos;
  for (const pe_report& pe : report.pes) said |= pe.what.find(expected) != std::string::npos;
  EXPECT_TRUE(said) << report.failure;
}

INSTANTIATE_TEST_SUITE_P(worlds, collection_misuse, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::collection_misuse_test
