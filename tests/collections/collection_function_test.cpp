// Tests of functions on the objects of a collection: calls and asks reach objects that migrate, in
// order, and results and exceptions come back. Random programs are compared with a serial model.
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/collection.hpp>
#include <boxcar/coroutine.hpp>
#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::collection_function_test {

struct register_of_calls {
  std::int64_t total = 0;
  std::vector<std::int64_t> last;  // number of the last call of each PE
  std::string text;
};

}  // namespace boxcar::test::collection_function_test

template <>
struct boxcar::serializer<boxcar::test::collection_function_test::register_of_calls> {
  static void write(byte_writer& out, const test::collection_function_test::register_of_calls& r) {
    out.put(r.total);
    out.put(r.last);
    out.put(r.text);
  }
  static test::collection_function_test::register_of_calls read(byte_reader& in) {
    return {in.get<std::int64_t>(), in.get<std::vector<std::int64_t>>(), in.get<std::string>()};
  }
};

namespace boxcar::test::collection_function_test {
namespace {

using registers = collection<register_of_calls>;

register_of_calls empty_for(const world& w) {
  return {0, std::vector<std::int64_t>(static_cast<std::size_t>(w.size()), -1), ""};
}

class collection_functions : public testing::TestWithParam<world_shape> {};

// Calls, items and migrations in a random order: of a PE to an object, calls and items keep their
// order.
TEST_P(collection_functions, keep_the_order_of_calls_and_items) {
  run_on(GetParam(), [](world& w) {
    constexpr std::int64_t objects = 5;
    struct numbered {
      std::int32_t pe;
      std::int64_t number;
    };
    registers c(w, objects, [&](std::int64_t) { return empty_for(w); });
    const auto next = [](register_of_calls& r, int pe, std::int64_t number) {
      EXPECT_EQ(r.last[static_cast<std::size_t>(pe)] + 1, number);
      r.last[static_cast<std::size_t>(pe)] = number;
    };
    const auto item = c.on_item<numbered>(
        [&](register_of_calls& r, const numbered& n) { next(r, n.pe, n.number); });
    const auto call = c.function([&](register_of_calls& r, const std::int64_t& index, int pe,
                                     std::int64_t number, std::int64_t expected) {
      EXPECT_EQ(index, expected);
      next(r, pe, number);
    });
    const auto ask = c.function([&](register_of_calls& r, int pe, std::int64_t number) -> int {
      next(r, pe, number);
      return static_cast<int>(number);
    });
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    std::vector<std::int64_t> sent(objects);
    std::vector<task> waits;
    for (int round = 0; round != 3; ++round) {
      const session scope = c.begin();
      for (int i = 0; i != 200; ++i) {
        const int to = d.below(objects);
        std::int64_t& number = sent[static_cast<std::size_t>(to)];
        if (d.chance(10)) {
          c.migrate(to, d.below(w.size()));
        } else if (d.chance(40)) {
          c.send(item, to, numbered{w.rank(), number++});
        } else if (d.chance(50)) {
          call(c[to], w.rank(), number++, to);
        } else if (d.chance(50)) {
          ask(c[to], w.rank(), number++);
        } else {
          waits.push_back([](auto result, std::int64_t expected) -> task {
            EXPECT_EQ(co_await result, expected);
          }(ask.ask(c[to], w.rank(), number), number));
          ++number;
        }
      }
      run_tasks(w, std::exchange(waits, {}));
      c.finish();
    }
    const auto all = w.all_gather(sent);
    c.for_each_local([&](std::int64_t index, const register_of_calls& r) {
      for (std::size_t pe = 0; pe != all.size(); ++pe) {
        EXPECT_EQ(r.last[pe] + 1, all[pe][static_cast<std::size_t>(index)]);
      }
    });
  });
}

// Arguments and results of any size, and each rule for the end of a session.
TEST_P(collection_functions, take_and_return_values_of_any_size) {
  run_on(GetParam(), [](world& w) {
    registers c(w, 3, [&](std::int64_t) { return empty_for(w); });
    const auto append =
        c.function([](register_of_calls& r, const std::string& text) { r.text += text; });
    const auto text_of = c.function(
        [](const register_of_calls& r, const std::string& before) { return before + r.text; });
    const auto length = c.function([](const register_of_calls& r) { return r.text.size(); });
    const std::string large(100'000, 'a');
    for (const termination& ending : {quiescence(), counting(w.size()), staged(1)}) {
      const std::size_t before = c.local(0) == nullptr ? 0 : c.local(0)->text.size();
      const std::size_t length_before = static_cast<std::size_t>(w.reduce(before));
      const session scope = c.begin(ending);
      append(c[0], large);
      EXPECT_GE(text_of.ask(c[0], "").wait().size(), length_before + large.size());
      EXPECT_GE(length.ask(c[0]).wait(), length_before);
      EXPECT_EQ(text_of.ask(c[1], "text: ").wait(), "text: ");
      static_cast<void>(length.ask(c[2]));  // nobody waits
      if (ending.kind != termination_kind::quiescence) c.done();
      c.finish();
      const std::size_t after = c.local(0) == nullptr ? 0 : c.local(0)->text.size();
      EXPECT_EQ(w.reduce(after), length_before + large.size() * static_cast<std::size_t>(w.size()));
    }
  });
}

// A token visits random objects: a function calls itself on other objects, and asks migrate them.
TEST_P(collection_functions, call_on_other_objects) {
  run_on(GetParam(), [](world& w) {
    constexpr std::int64_t objects = 20;
    registers c(w, objects, [&](std::int64_t) { return empty_for(w); });
    collection_function<register_of_calls, std::int64_t, void, int>* self = nullptr;
    auto visit = c.function([&](register_of_calls& r, const std::int64_t& index, int left) {
      ++r.total;
      if (left == 0) return;
      (*self)(c[static_cast<std::int64_t>(scramble(static_cast<std::uint64_t>(index + left)) %
                                          objects)],
              left - 1);
      c.migrate(index, (w.rank() + left) % w.size());
    });
    self = &visit;
    const session scope = c.begin();
    visit(c[w.rank() % objects], 100);
    c.finish();
    EXPECT_EQ(
        c.reduce([](std::int64_t, const register_of_calls& r) { return r.total; }, std::int64_t{0}),
        101 * w.size());
  });
}

TEST_P(collection_functions, bring_exceptions_back) {
  run_on(GetParam(), [](world& w) {
    registers c(w, 4, [&](std::int64_t) { return empty_for(w); });
    const auto half = c.function([](register_of_calls&, int n) {
      if (n % 2 != 0) throw std::invalid_argument("an odd number");
      return n / 2;
    });
    registers other(w, 4, [&](std::int64_t) { return empty_for(w); });
    expect_mentions(thrown_by<contract_error>([&] { half(c[0], 2); }), {"call begin first"});
    expect_mentions(thrown_by<contract_error>([&] { static_cast<void>(half.ask(c[0], 2)); }),
                    {"ask", "call begin first"});
    const session scope = c.begin();
    for (std::int64_t i = 0; i != 4; ++i) {
      EXPECT_EQ(half.ask(c[i], 8).wait(), 4);
      expect_mentions(thrown_by<remote_error>([&] { static_cast<void>(half.ask(c[i], 3).wait()); }),
                      {"threw: an odd number", "on PE"});
    }
    expect_mentions(thrown_by<argument_error>([&] { half(other[0], 2); }),
                    {"belongs to another collection"});
    expect_mentions(thrown_by<argument_error>([&] { half(c[4], 2); }), {"index 4", "outside"});
    c.finish();
  });
}

// Results arrive until the session is over everywhere, also behind `done`.
TEST_P(collection_functions, answer_behind_done) {
  run_on(GetParam(), [](world& w) {
    constexpr std::int64_t objects = 6;
    registers c(w, objects, [&](std::int64_t) { return empty_for(w); });
    const auto twice =
        c.function([](const register_of_calls&, const std::int64_t& index) { return 2 * index; });
    for (int round = 0; round != 20; ++round) {
      for (const termination& ending : {counting(w.size()), staged(1)}) {
        const session scope = c.begin(ending);
        std::vector<remote_result<std::int64_t>> results;
        for (std::int64_t i = 0; i != objects; ++i) results.push_back(twice.ask(c[i]));
        c.done();
        for (std::int64_t i = 0; i != objects; ++i) {
          EXPECT_EQ(results[static_cast<std::size_t>(i)].wait(), 2 * i);
        }
        c.finish();
      }
    }
  });
}

// The collection may begin anew when a session has ended early, on all PEs, by an error.
TEST_P(collection_functions, begin_anew_when_a_session_has_ended_early) {
  run_on(GetParam(), [](world& w) {
    registers c(w, 3, [&](std::int64_t) { return empty_for(w); });
    const auto add = c.function([](register_of_calls& r, int n) { r.total += n; });
    for (int round = 0; round != 2; ++round) {
      const session scope = c.begin(counting(w.size() + 1));
      add(c[1], 1);
      c.done();
      expect_mentions(thrown_by<contract_error>([&] { c.finish(); }),
                      {std::to_string(w.size()) + " of " + std::to_string(w.size() + 1)});
    }
    const session scope = c.begin();
    add(c[1], 1);
    c.finish();
    EXPECT_EQ(
        c.reduce([](std::int64_t, const register_of_calls& r) { return r.total; }, std::int64_t{0}),
        3 * w.size());
  });
}

// A handler of messages to missing objects cannot answer.
TEST_P(collection_functions, are_not_asked_of_missing_objects) {
  for (const bool is_plain : {true, false}) {
    const world_report report = observe(GetParam(), [&](world& w) {
      registers c(w, collection_mapping<std::int64_t>::hashed());
      int missing = 0;
      c.on_missing([&](std::int64_t, int) { ++missing; });
      const auto call = c.function([](register_of_calls&, int) {});
      const auto number = c.function([](register_of_calls&, int) { return 1; });
      const auto text = c.function([](register_of_calls&, const std::string& s) { return s; });
      {
        const session scope = c.begin();
        if (w.rank() == 0) call(c[77], 1);
        c.finish();
      }
      EXPECT_EQ(w.reduce(missing), 1);
      const session scope = c.begin();
      if (w.rank() == w.size() - 1) {
        if (is_plain) {
          static_cast<void>(number.ask(c[1234], 1).wait());
        } else {
          static_cast<void>(text.ask(c[1234], "").wait());
        }
      }
      c.finish();
    });
    EXPECT_TRUE(report.failed);
    const std::string expected = "PE " + std::to_string(GetParam().pes - 1) +
                                 " has asked index 1234 of a collection, which does not exist: "
                                 "insert the object first";
    bool said = report.failure.find(expected) != std::string::npos;
    for (const pe_report& pe : report.pes) said |= pe.what.find(expected) != std::string::npos;
    EXPECT_TRUE(said) << report.failure;
  }
}

// The numbers of functions travel: PEs make them in the same order.
TEST_P(collection_functions, are_made_in_the_same_order) {
  if (GetParam().pes < 2) return;
  run_on(GetParam(), [](world& w) {
    registers c(w, 3, [&](std::int64_t) { return empty_for(w); });
    const auto make_one = [&] { c.function([](register_of_calls& r, int n) { r.total += n; }); };
    const auto make_other = [&] { c.function([](register_of_calls& r, int n) { r.total -= n; }); };
    if (w.rank() == 1) {
      make_other();
      make_one();
    } else {
      make_one();
      make_other();
    }
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(c.begin()); }),
                    {"PEs disagree", "functions"});
  });
}

// The second collection may lie where the first one was.
TEST_P(collection_functions, are_not_called_on_objects_of_a_later_collection) {
  run_on(GetParam(), [](world& w) {
    using counters = boxcar::collection<std::int64_t>;
    const auto make = [](std::int64_t) { return std::int64_t{0}; };
    auto first = std::make_unique<counters>(w, 3, make);
    const auto add = first->function([](std::int64_t& o, int n) { o += n; });
    const auto twice = first->function([](const std::int64_t& o) { return 2 * o; });
    for (int round = 0; round < 3; ++round) {
      first.reset();
      first = std::make_unique<counters>(w, 3, make);
      const auto own = first->function([](std::int64_t& o, const std::string&) { ++o; });
      const session scope = first->begin();
      EXPECT_THROW(add((*first)[0], 1), argument_error);
      EXPECT_THROW(twice((*first)[0]), argument_error);
      EXPECT_THROW(static_cast<void>(twice.ask((*first)[0])), argument_error);
      own((*first)[1], "x");
      first->finish();
      EXPECT_EQ(first->reduce([](std::int64_t, std::int64_t n) { return n; }, std::int64_t{0}),
                w.size());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, collection_functions, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::collection_function_test
