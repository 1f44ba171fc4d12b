// Random graphs of messages and of work on memory, with a reference execution: all PEs throw the
// same dice and execute the whole run one vertex at a time, on a copy of all memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <vector>

#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "support/dice.hpp"

namespace boxcar::test {

class random_graph {
 public:
  using number = std::uint64_t;
  static constexpr std::size_t slots = 12;
  static constexpr std::size_t most = 40;  // numbers in a slot

  enum class functions { some, none };

  random_graph(world& w, window<number>& data, std::uint64_t seed,
               functions which = functions::some, int max_steps = 200)
      : w_(w), data_(data), d_(seed), builder_(w), users_(slots), functions_(which) {
    builder_.use(data);
    for (number& n : lengths_) n = static_cast<number>(d_.below(static_cast<int>(most)) + 1);
    const int steps = 10 + d_.below(max_steps - 10);
    for (int i = 0; i < steps; ++i) add(i);
  }

  [[nodiscard]] schedule compile(const schedule_options& o) { return builder_.compile(o); }

  // Applies a run to the slots of all PEs.
  void replay(std::vector<std::vector<number>>& memory) const {
    for (const event& e : events_) {
      std::vector<number> from = taken(memory, e.from_pe, e.from, e.length);
      for (std::size_t i = 0; i < e.length; ++i) {
        number& into = memory[static_cast<std::size_t>(e.into_pe)][e.into * most + i];
        into = becomes(e.what, into, from[i]);
      }
    }
  }

 private:
  enum class work { copy, add, compute };
  struct event {
    int from_pe;
    std::size_t from;
    int into_pe;
    std::size_t into;
    std::size_t length;
    work what;
  };
  static number becomes(work what, number old, number n) {
    return what == work::copy ? n : what == work::add ? old + n : 3 * old + n;
  }
  using vertex = schedule_builder::vertex;
  // The vertices that use a slot of the PE since its last write, and the writer.
  struct use {
    std::optional<vertex> written;
    std::vector<vertex> read;
  };

  static std::vector<number> taken(const std::vector<std::vector<number>>& memory, int pe,
                                   std::size_t slot, std::size_t length) {
    const auto& all = memory[static_cast<std::size_t>(pe)];
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(slot * most);
    return {at, at + static_cast<std::ptrdiff_t>(length)};
  }
  [[nodiscard]] std::span<number> slot(std::size_t i, std::size_t length) {
    return data_.local().subspan(i * most, length);
  }
  void reads(vertex v, std::size_t i) {
    if (users_[i].written) builder_.depend(v, *users_[i].written);
    users_[i].read.push_back(v);
  }
  void writes(vertex v, std::size_t i) {
    if (users_[i].written) builder_.depend(v, *users_[i].written);
    for (const vertex r : users_[i].read) {
      if (r != v) builder_.depend(v, r);
    }
    users_[i] = {v, {}};
  }

  void add(int step) {
    const auto below = [this](std::size_t n) {
      return static_cast<std::size_t>(d_.below(static_cast<int>(n)));
    };
    const std::size_t from = below(slots);
    const std::size_t into = (from + 1 + below(slots - 1)) % slots;
    const std::size_t length = lengths_[below(lengths_.size())];
    const int a = d_.below(w_.size());
    const int b = d_.below(w_.size());
    const int kind = d_.below(7);
    if (kind < 3) {
      auto what = static_cast<work>(kind);
      if (what == work::compute && functions_ == functions::none) what = work::add;
      if (w_.rank() == a) {
        const vertex v = add(what, slot(from, length), slot(into, length));
        reads(v, from);
        writes(v, into);
      }
      events_.push_back({a, from, a, into, length, what});
      return;
    }
    // Tags tell messages apart, so that some receives may leave the sender open.
    const bool from_anybody = d_.below(3) == 0;
    if (w_.rank() == a) reads(builder_.send(slot(from, length), b, step), from);
    if (w_.rank() == b) {
      writes(builder_.receive(slot(into, length), from_anybody ? any_pe : a, step), into);
    }
    events_.push_back({a, from, b, into, length, work::copy});
  }
  vertex add(work what, std::span<number> from, std::span<number> into) {
    if (what == work::copy) return builder_.copy(from, into);
    if (what == work::add) return builder_.combine(from, into);
    return builder_.compute(
        [](std::span<number> to, std::span<number> with) {
          for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = becomes(work::compute, to[i], with[i]);
        },
        into, from);
  }

  world& w_;
  window<number>& data_;
  dice d_;
  schedule_builder builder_;
  std::vector<use> users_;
  std::array<number, 6> lengths_{};
  std::vector<event> events_;
  functions functions_;
};

// Runs the schedule of the graph `runs` times, each time on other numbers, and compares with the
// reference by an expectation of gtest.
inline void expect_runs_as_by_hand(world& w, window<random_graph::number>& data,
                                   const random_graph& g, schedule& s, random_graph::number runs) {
  using number = random_graph::number;
  const auto pes = static_cast<std::size_t>(w.size());
  const std::size_t elements = data.local().size();
  const auto me = static_cast<std::size_t>(w.rank());
  std::vector<std::vector<number>> memory(pes, std::vector<number>(elements));
  for (number run = 1; run <= runs; ++run) {
    for (std::size_t pe = 0; pe < pes; ++pe) {
      for (std::size_t i = 0; i < elements; i += run) memory[pe][i] = scramble_all({run, pe, i});
    }
    std::ranges::copy(memory[me], data.local().begin());
    s.start();
    g.replay(memory);
    s.wait();
    ASSERT_TRUE(std::ranges::equal(data.local(), memory[me])) << "run " << run;
  }
  w.barrier();
}

}  // namespace boxcar::test
