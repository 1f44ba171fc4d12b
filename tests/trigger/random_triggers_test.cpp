// Tests random programs of a PE against an interpreter of the rules without shortcuts: all waiting
// operations are in a single list, searched from the front.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <tuple>
#include <variant>
#include <vector>

#include <boxcar/adapter.hpp>

#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "trigger/allotment.hpp"

namespace boxcar::test::random_triggers_test {
namespace {

using number = std::uint64_t;

constexpr std::size_t counters = 6;
constexpr std::size_t entries = 8;
constexpr std::size_t kinds_of_bits = 4;

// A requested operation, with indices for names. A put carries its `value`.
struct request {
  enum class kind { put, get, fetch_add, increment, set, append, unlink } what;
  std::size_t object = 0;  // counter or entry
  event_counts by = {};
  number bits = 0;
  std::size_t value = 0;
  std::size_t sent = counters;  // the counter; counters: none
  std::size_t replied = counters;
};

struct entry {
  number bits = 0;
  number ignored = 0;
  bool use_once = false;
  bool allows_put = true;
  bool allows_get = true;
  std::size_t counter = 0;
  number value = 0;
};

class interpreter {
 public:
  explicit interpreter(std::vector<entry> all) : all_(std::move(all)) {}

  void perform(const request& r) {
    fired_.push_back(r);
    while (!fired_.empty()) {
      const request next = fired_.front();
      fired_.pop_front();
      carry_out(next);
    }
  }
  void when(std::size_t counter, number threshold, const request& r) {
    waiting_.push_back({counter, threshold, ++asked_, r});
    fire(counter);
    while (!fired_.empty()) {
      const request next = fired_.front();
      fired_.pop_front();
      carry_out(next);
    }
  }
  std::size_t cancel(std::size_t counter) {
    return std::erase_if(waiting_, [&](const waits& w) { return w.counter == counter; });
  }

  std::vector<event_counts> counts = std::vector<event_counts>(counters);
  std::vector<std::size_t> list;
  number dropped = 0;
  number refused = 0;
  number last_read = 0;

  [[nodiscard]] const entry& at(std::size_t i) const { return all_[i]; }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

 private:
  struct waits {
    std::size_t counter;
    number threshold;
    number asked;
    request what;
  };

  void carry_out(const request& r) {
    switch (r.what) {
      case request::kind::increment:
        counts[r.object].successes += r.by.successes;
        counts[r.object].failures += r.by.failures;
        return fire(r.object);
      case request::kind::set:
        counts[r.object] = r.by;
        return fire(r.object);
      case request::kind::append:
        if (std::ranges::find(list, r.object) == list.end()) list.push_back(r.object);
        return;
      case request::kind::unlink:
        std::erase(list, r.object);
        return;
      default:
        return message(r);
    }
  }
  void message(const request& r) {
    const auto found = std::ranges::find_if(
        list, [&](std::size_t i) { return ((all_[i].bits ^ r.bits) & ~all_[i].ignored) == 0; });
    bool success = false;
    if (found == list.end()) {
      ++dropped;
    } else {
      entry& e = all_[*found];
      const bool puts = r.what != request::kind::get;
      const bool gets = r.what != request::kind::put;
      success = (!puts || e.allows_put) && (!gets || e.allows_get);
      if (!success) {
        ++refused;
      } else {
        if (e.use_once) list.erase(found);
        if (gets) last_read = e.value;
        if (r.what == request::kind::put) e.value = r.value;
        if (r.what == request::kind::fetch_add) e.value += r.value;
        ++counts[e.counter].successes;
        fire(e.counter);
      }
    }
    if (r.sent != counters && r.what != request::kind::get) {
      ++counts[r.sent].successes;
      fire(r.sent);
    }
    if (r.replied == counters) return;
    ++(success ? counts[r.replied].successes : counts[r.replied].failures);
    fire(r.replied);
  }
  void fire(std::size_t counter) {
    const number sum = counts[counter].successes + counts[counter].failures;
    std::vector<waits> due;
    std::erase_if(waiting_, [&](const waits& w) {
      const bool is_due = w.counter == counter && w.threshold <= sum;
      if (is_due) due.push_back(w);
      return is_due;
    });
    std::ranges::sort(due, {}, [](const waits& w) { return std::tuple(w.threshold, w.asked); });
    for (const waits& w : due) fired_.push_back(w.what);
  }

  std::vector<entry> all_;
  std::vector<waits> waiting_;
  std::deque<request> fired_;
  number asked_ = 0;
};

// Executes the same requests with an adapter.
class carried_out {
 public:
  carried_out(adapter& a, const std::vector<entry>& all) : a_(a) {
    allotment memory(a);
    values_ = memory.of<number>(100);
    read_ = memory.of<number>(1);
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = i;
    for (std::size_t i = 0; i < counters; ++i) counters_.push_back(a.make_counter());
    for (const entry& e : all) {
      contents.push_back(memory.of<number>(1));
      entries_.push_back(a.make_entry({.memory = bytes_of(contents.back()),
                                       .bits = e.bits,
                                       .ignored_bits = e.ignored,
                                       .use_once = e.use_once,
                                       .allows_put = e.allows_put,
                                       .allows_get = e.allows_get,
                                       .counter = counters_[e.counter]}));
    }
  }

  void perform(const request& r) { a_.perform(operation_of(r)); }
  void when(std::size_t counter, number threshold, const request& r) {
    a_.when(counters_[counter], threshold, operation_of(r));
  }
  std::size_t cancel(std::size_t counter) { return a_.cancel(counters_[counter]); }
  void expect_like(const interpreter& model) const {
    for (std::size_t i = 0; i < counters; ++i) {
      ASSERT_EQ(a_.value(counters_[i]), model.counts[i]) << "counter " << i;
    }
    for (std::size_t i = 0; i < entries; ++i) {
      ASSERT_EQ(contents[i][0], model.at(i).value) << "entry " << i;
      ASSERT_EQ(a_.is_linked(entries_[i]), std::ranges::count(model.list, i) == 1);
    }
    const adapter_statistics did = a_.statistics();
    ASSERT_EQ(did.dropped, model.dropped);
    ASSERT_EQ(did.refused, model.refused);
    ASSERT_EQ(did.waiting, model.waiting());
    ASSERT_EQ(read_[0], model.last_read);
  }

 private:
  [[nodiscard]] memory_descriptor described(std::span<number> memory, std::size_t counter,
                                            bool sent) const {
    memory_descriptor d{.memory = bytes_of(memory)};
    if (counter == counters) return d;
    d.counter = counters_[counter];
    (sent ? d.counts_sends : d.counts_replies) = true;
    return d;
  }
  [[nodiscard]] operation::any operation_of(const request& r) const {
    const auto value = values_.subspan(r.value, 1);
    const match_target to{0, r.bits};
    switch (r.what) {
      case request::kind::put:
        if (r.replied != counters) return operation::put{described(value, r.replied, false), to};
        return operation::put{described(value, r.sent, true), to};
      case request::kind::get:
        return operation::get{described(read_, r.replied, false), to};
      case request::kind::fetch_add:
        return operation::fetch_atomic{described(read_, r.replied, false),
                                       described(value, r.sent, true), to,
                                       number_type_of<number>()};
      case request::kind::increment:
        return operation::increment{counters_[r.object], r.by};
      case request::kind::set:
        return operation::set{counters_[r.object], r.by};
      case request::kind::append:
        return operation::append{entries_[r.object]};
      case request::kind::unlink:
        return operation::unlink{entries_[r.object]};
    }
    return {};
  }

  adapter& a_;
  std::vector<event_counter> counters_;
  std::vector<match_entry> entries_;
  std::span<number> values_;
  std::span<number> read_;
  std::vector<std::span<number>> contents;
};

request random_request(dice& d) {
  const auto below = [&d](std::size_t n) {
    return static_cast<std::size_t>(d.below(static_cast<int>(n)));
  };
  request r{static_cast<request::kind>(d.below(7))};
  const bool on_entry = r.what >= request::kind::append;
  r.object = below(on_entry ? entries : counters);
  r.by = {below(3), below(2)};
  r.bits = below(kinds_of_bits);
  r.value = below(100);
  if (r.what == request::kind::put) {
    // A put has a single descriptor, which here counts either the send or the reply.
    (below(2) == 0 ? r.sent : r.replied) = below(counters + 1);
  } else {
    r.sent = below(counters + 1);
    r.replied = below(counters + 1);
  }
  return r;
}

TEST(random_triggers, do_what_the_rules_say) {
  run_on({substrate_kind::threads, 1, 1}, [](world& w) {
    number fired = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      dice d(seed);
      std::vector<entry> all(entries);
      const auto below = [&d](std::size_t n) {
        return static_cast<std::size_t>(d.below(static_cast<int>(n)));
      };
      for (entry& e : all) {
        e.bits = below(kinds_of_bits);
        e.ignored = d.below(3) == 0 ? below(kinds_of_bits) : 0;
        e.use_once = d.below(3) == 0;
        e.allows_put = d.below(5) != 0;
        e.allows_get = d.below(5) != 0;
        e.counter = below(counters);
      }
      adapter a(w, {.operations = 1000, .memory = 2000});
      interpreter model(all);
      carried_out real(a, all);
      for (int step = 0; step < 300; ++step) {
        const request r = random_request(d);
        const std::size_t counter = below(counters);
        if (d.below(100) == 0) {
          ASSERT_EQ(real.cancel(counter), model.cancel(counter));
        } else if (d.below(3) != 0) {
          const event_counts is = model.counts[counter];
          const number threshold = is.successes + is.failures + below(12);
          model.when(counter, threshold, r);
          real.when(counter, threshold, r);
        } else {
          model.perform(r);
          real.perform(r);
        }
        real.expect_like(model);
        if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", step " << step;
      }
      fired += a.statistics().triggered;
    }
    EXPECT_GT(fired, 10'000U);
  });
}

}  // namespace
}  // namespace boxcar::test::random_triggers_test
