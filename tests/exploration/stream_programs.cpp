// Streams with the three ways to end a session.
#include <memory>
#include <optional>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "exploration/program.hpp"

namespace boxcar::test {
namespace {

const stream_options small_buffers{.buffer_bytes = 16};

// What is handled is sent on, `hops` times, as a tree that has two branches at each PE.
int chains(int hops) {
  return hops == 0 ? 1 : 1 + 2 * chains(hops - 1);
}

void quiescent(world& w) {
  stream<int>* here = nullptr;
  int handled = 0;
  stream<int> s(
      w,
      [&](int left) {
        ++handled;
        if (left == 0) return;
        here->send(left - 1, (w.rank() + 1) % w.size());
        here->send(left - 1, (w.rank() + 2) % w.size());
      },
      small_buffers);
  here = &s;
  for (int turn = 1; turn <= 2; ++turn) {
    handled = 0;
    {
      const auto scope = s.begin(quiescence());
      s.send(2, (w.rank() + turn) % w.size());
      s.finish();
    }
    require_equal(w.reduce(handled), w.size() * chains(2), "items handled by quiescence");
  }
}

void counted(world& w) {
  stream<int>* here = nullptr;
  int handled = 0;
  stream<int> s(
      w,
      [&](int left) {
        ++handled;
        if (left != 0) here->send(left - 1, (w.rank() + left) % w.size());
      },
      small_buffers);
  here = &s;
  // Not every PE is a producer, and one of them is one twice.
  const int producers = w.size();
  for (int turn = 0; turn < 2; ++turn) {
    handled = 0;
    {
      const auto scope = s.begin(counting(producers));
      const int mine = w.rank() == 0 ? 2 : w.rank() == 1 ? 0 : 1;
      for (int p = 0; p < mine; ++p) {
        s.send(2, (w.rank() + p) % w.size());
        s.send(0, (w.rank() + 1) % w.size());
        s.done();
      }
      s.finish();
    }
    require_equal(w.reduce(handled), producers * 4, "items handled by counting");
  }
}

// Everything is at rest until the last producer sends.
void counted_late(world& w) {
  int handled = 0;
  stream<int> s(
      w, [&](int) { ++handled; }, small_buffers);
  {
    const auto scope = s.begin(counting(2));
    if (w.rank() != 1) {
      for (int i = 0; w.rank() == 2 && i < 40; ++i) s.poll();
      s.send(7, 1);
      s.done();
    }
    s.finish();
  }
  require_equal(handled, w.rank() == 1 ? 2 : 0, "items of early and late producers");
}

void staged_ending(world& w) {
  int sum = 0;
  stream<int> s(w, [&](int n) { sum += n; }, {.buffer_bytes = 16});
  for (int turn = 0; turn < 2; ++turn) {
    sum = 0;
    {
      const auto scope = s.begin(staged(w.rank() == 0 ? 0 : 1));
      if (w.rank() != 0) {
        for (int pe = 0; pe < w.size(); ++pe) s.send(pe + 1, pe);
        for (int pe = 0; pe < w.size(); ++pe) s.send(pe + 1, pe);
        s.done();
      }
      s.finish();
    }
    require_equal(sum, 2 * (w.size() - 1) * (w.rank() + 1), "a sum of staged items");
  }
}

void two_streams(world& w) {
  std::optional<stream<int>> second;
  std::optional<stream<int>> first;
  int handled = 0;
  second.emplace(
      w, [&](int) { ++handled; }, small_buffers);
  first.emplace(
      w, [&](int n) { second->send(n, (w.rank() + 1) % w.size()); }, small_buffers);
  {
    const auto of_second = second->begin();
    const auto of_first = first->begin();
    for (int pe = 0; pe < w.size(); ++pe) first->send(pe, pe);
    first->finish();
    second->finish();
  }
  require_equal(handled, w.size(), "items that were handled twice");
  second.reset();
  first.reset();
}

// Handlers that send more than there is room for: items of a PE stay in their order.
void in_order(world& w) {
  constexpr int each = 3;
  constexpr int times = 4;
  std::optional<stream<int>> second;
  std::optional<stream<int>> first;
  int expected = 0;
  second.emplace(
      w,
      [&](int n) {
        require_equal(n, expected, "the next item of a handler");
        ++expected;
      },
      stream_options{.buffer_bytes = 8});
  int sent = 0;
  first.emplace(
      w,
      [&](int n) {
        for (int i = 0; i < n; ++i) second->send(sent++, (w.rank() + 1) % w.size());
      },
      stream_options{.buffer_bytes = 4});
  {
    const auto of_second = second->begin();
    const auto of_first = first->begin();
    for (int i = 0; i < times; ++i) first->send(each, (w.rank() + 1) % w.size());
    first->finish();
    second->finish();
  }
  require_equal(expected, times * each, "items of handlers");
  second.reset();
  first.reset();
}

}  // namespace

std::vector<program> stream_programs() {
  return {{"quiescence_within_a_node", 3, 0, quiescent},
          {"quiescence", 3, 1, quiescent},
          {"counting_within_a_node", 3, 0, counted},
          {"counting", 3, 2, counted},
          {"counting_late", 3, 0, counted_late},
          {"staged", 3, 2, staged_ending},
          {"two_streams", 3, 2, two_streams},
          {"in_order", 3, 2, in_order}};
}

}  // namespace boxcar::test
