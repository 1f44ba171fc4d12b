// Streams with the three ways to end a session.
#include <array>
#include <memory>
#include <optional>
#include <span>
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

// One item goes round, and all else is at rest. A wave may find the item in a buffer that a handler
// has begun to fill and that has not been sent.
void token(world& w) {
  constexpr int hops = 6;
  stream<int>* here = nullptr;
  int handled = 0;
  stream<int> s(
      w,
      [&](int left) {
        ++handled;
        if (left != 0) here->send(left - 1, (w.rank() + 1) % w.size());
      },
      small_buffers);
  here = &s;
  {
    const auto scope = s.begin(quiescence());
    if (w.rank() == 0) s.send(hops, 1);
    s.finish();
  }
  require_equal(w.reduce(handled), hops + 1, "times that an item was handled");
}

// The same with an array without elements, which takes no bytes of a buffer but its length.
void empty_token(world& w) {
  constexpr int rounds = 2;
  stream<int[]>* here = nullptr;
  int handled = 0;
  stream<int[]> s(w, [&](std::span<const int>) {
    if (++handled <= rounds) here->send_array(std::span<const int>(), (w.rank() + 1) % w.size());
  });
  here = &s;
  {
    const auto scope = s.begin(quiescence());
    if (w.rank() == 0) s.send_array(std::span<const int>(), 1);
    s.finish();
  }
  require_equal(w.reduce(handled), rounds * w.size() + 1, "times that an array was handled");
}

// A handler sends more items than there is room for, and all else is at rest. Items are held back
// until a buffer has been returned, and waves may come before that.
void held_back_at_the_end(world& w) {
  constexpr int answers = 4;
  stream<int>* here = nullptr;
  int handled = 0;
  stream<int> s(
      w,
      [&](int wanted) {
        ++handled;
        for (int i = 0; i < wanted; ++i) here->send(0, 0);
      },
      stream_options{.way = route::direct(w.size()), .buffer_bytes = 4, .buffers_per_link = 1});
  here = &s;
  {
    const auto scope = s.begin(quiescence());
    if (w.rank() == 0) s.send(answers, 1);
    s.finish();
  }
  require_equal(handled, w.rank() == 0 ? answers : 1, "items, some of which were held back");
}

// A producer that is done keeps what it has sent in a buffer that is not full, and only polls.
void counted_unsent(world& w) {
  int handled = 0;
  stream<int> s(
      w, [&](int) { ++handled; }, small_buffers);
  {
    const auto scope = s.begin(counting(1));
    if (w.rank() == 1) {
      s.send(7, 2);
      s.done();
      for (int i = 0; i < 40 && s.poll(); ++i) {
      }
    }
    s.finish();
  }
  require_equal(handled, w.rank() == 2 ? 1 : 0, "items of a producer that was done");
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

// Handlers of each of two streams send over the other. A wave of the first stream may find the item
// in a buffer of the second stream that has not been sent.
void token_of_two_streams(world& w) {
  constexpr int hops = 6;
  std::array<stream<int>*, 2> streams{};
  int handled = 0;
  const auto pass_on = [&](std::size_t over, int left) {
    ++handled;
    if (left != 0) streams.at(over)->send(left - 1, (w.rank() + 1) % w.size());
  };
  stream<int> second(
      w, [&](int left) { pass_on(0, left); }, small_buffers);
  stream<int> first(
      w, [&](int left) { pass_on(1, left); }, small_buffers);
  streams = {&first, &second};
  {
    const auto of_second = second.begin();
    const auto of_first = first.begin();
    if (w.rank() == 0) first.send(hops, 1);
    first.finish();
    second.finish();
  }
  require_equal(w.reduce(handled), hops + 1, "times that an item was handled");
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
          {"token_within_a_node", 3, 0, token},
          {"token", 3, 1, token},
          {"empty_token", 3, 0, empty_token},
          {"held_back_at_the_end", 2, 1, held_back_at_the_end},
          {"counting_unsent", 3, 0, counted_unsent},
          {"staged", 3, 2, staged_ending},
          {"two_streams", 3, 2, two_streams},
          {"token_of_two_streams", 3, 0, token_of_two_streams},
          {"in_order", 3, 2, in_order}};
}

}  // namespace boxcar::test
