// Conveyors of all kinds, and what is made of them. Buffers have room for one or two items, so that
// they fill, wait and come back.
#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "exploration/program.hpp"

namespace boxcar::test {
namespace {

struct item {
  int from;
  int number;
};

// Everybody sends `each` items to everybody, and gets those of each PE in their order.
void send_to_all(world& w, const conveyor_options& options, int each, int sessions = 1) {
  conveyor<item> c(w, options);
  for (int turn = 0; turn < sessions; ++turn) {
    const session s = c.begin();
    std::vector<int> next(static_cast<std::size_t>(w.size()));
    const int all = each * w.size();
    int pushed = 0;
    while (c.advance(pushed == all) != advance_result::done) {
      while (pushed < all &&
             c.push({w.rank(), turn * each + pushed / w.size()}, pushed % w.size())) {
        ++pushed;
      }
      for (item i{}; c.pull(i);) {
        int& of_sender = next.at(static_cast<std::size_t>(i.from));
        require_equal(i.number, turn * each + of_sender, "the next item of a PE");
        ++of_sender;
      }
    }
    c.reset();
    for (const int n : next) require_equal(n, each, "items of a PE");
  }
}

void one_hop(world& w) {
  send_to_all(w, {.kind = conveyor_kind::tensor, .hops = 1, .buffer_bytes = 8}, 3, 2);
}
void one_buffer(world& w) {
  send_to_all(
      w, {.kind = conveyor_kind::tensor, .hops = 1, .buffer_bytes = 16, .buffers_per_link = 1}, 3);
}
void two_hops(world& w) {
  send_to_all(w, {.kind = conveyor_kind::tensor, .hops = 2, .local_group = 2, .buffer_bytes = 24},
              2);
}
// A pivot waits for room on the second hop.
void narrow_hops(world& w) {
  send_to_all(w,
              {.kind = conveyor_kind::tensor,
               .hops = 2,
               .local_group = 2,
               .buffer_bytes = 12,
               .buffers_per_link = 1},
              3);
}
// It waits in the middle of a buffer: that has items for several links, one of which has no room.
void mixed_buffers(world& w) {
  send_to_all(w,
              {.kind = conveyor_kind::tensor,
               .hops = 2,
               .local_group = 2,
               .buffer_bytes = 36,
               .buffers_per_link = 1},
              6);
}
void three_hops(world& w) {
  send_to_all(w, {.kind = conveyor_kind::tensor, .hops = 3, .local_group = 2, .buffer_bytes = 24},
              1);
}
void steady(world& w) {
  conveyor<int> c(w, {.hops = 1, .buffer_bytes = 64, .steady = true});
  const session s = c.begin();
  // Each waits for what the one before it has sent before it ends.
  const int next = (w.rank() + 1) % w.size();
  int pushed = 0;
  int pulled = 0;
  while (c.advance(pulled == 3 && pushed == 3) != advance_result::done) {
    if (pushed < 3 && pushed <= pulled && c.push(pushed, next)) ++pushed;
    for (int n = 0; c.pull(n); ++pulled) require_equal(n, pulled, "an item");
  }
  c.reset();
  require_equal(pulled, 3, "items");
}
void simple(world& w) {
  send_to_all(w, {.kind = conveyor_kind::simple, .buffer_bytes = 16}, 2);
}
void twohop(world& w) {
  send_to_all(w, {.kind = conveyor_kind::twohop, .local_group = 2, .buffer_bytes = 24}, 1);
}
void dynamic_memory(world& w) {
  send_to_all(w, {.hops = 1, .buffer_bytes = 8, .dynamic_memory = true}, 2, 2);
}

void elastic(world& w) {
  elastic_conveyor c(w, 300, {.hops = 1, .buffer_bytes = 64});
  const session s = c.begin();
  const auto text = [](int from, int number) {
    // The second one does not fit in a buffer.
    return std::string(number == 1 ? 200 : 10, static_cast<char>('a' + from)) +
           std::to_string(number);
  };
  std::vector<int> next(static_cast<std::size_t>(w.size()));
  const int all = 3 * w.size();
  int pushed = 0;
  while (c.advance(pushed == all) != advance_result::done) {
    while (pushed < all && c.push(text(w.rank(), pushed / w.size()), pushed % w.size())) ++pushed;
    while (const auto i = c.pull()) {
      int& of_sender = next.at(static_cast<std::size_t>(i->from));
      if (i->text() != text(i->from, of_sender++)) throw wrong_result("an item is another one");
    }
  }
  c.reset();
  for (const int n : next) require_equal(n, 3, "items of a PE");
}

void ask_all(world& w, int each, const conveyor_options& options) {
  biconveyor<int, int> c(w, options);
  const session s = c.begin([&w](int question) { return question * 10 + w.rank(); });
  const int all = each * w.size();
  int asked = 0;
  int answered = 0;
  while (c.advance(asked == all) != advance_result::done) {
    while (asked < all && c.push(asked, asked % w.size())) ++asked;
    for (int answer = 0; c.pull(answer); ++answered) {
      require_equal(answer, answered * 10 + answered % w.size(), "an answer");
    }
  }
  c.reset();
  require_equal(answered, all, "answers");
}
void questions(world& w) {
  ask_all(w, 2, {.hops = 1, .buffer_bytes = 8});
}
// Replies wait for room.
void many_questions(world& w) {
  ask_all(w, 8, {.hops = 1, .buffer_bytes = 4, .buffers_per_link = 1});
}

void exchanges(world& w) {
  for (int turn = 0; turn < 2; ++turn) {
    int sum = 0;
    exchange<int>(
        w,
        [&](auto& out) {
          for (int i = 0; i < 3 * w.size(); ++i) out.push(i, i % w.size());
        },
        [&sum](int i) { sum += i; }, {.hops = 1, .buffer_bytes = 8});
    // From each PE: rank, rank + size, rank + 2 * size.
    require_equal(sum, w.size() * (3 * w.rank() + 3 * w.size()), "a sum");
  }
}

// Only the answer that a buffer is free again comes back.
void one_way(world& w) {
  int sum = 0;
  exchange<int>(
      w,
      [&](auto& out) {
        for (int i = 1; i <= 6 && w.rank() == 0; ++i) out.push(i, w.size() - 1);
      },
      [&sum](int i) { sum += i; }, {.hops = 1, .buffer_bytes = 4, .buffers_per_link = 1});
  require_equal(sum, w.rank() == w.size() - 1 ? 21 : 0, "a sum");
}

void parts_of_the_world(world& w) {
  world part = *w.split(w.rank() % 2, -w.rank());
  send_to_all(part, {.hops = 1, .buffer_bytes = 8}, 2);
  require_equal(w.reduce(part.rank()), w.size() / 2, "the sum of ranks");
  w.barrier();
}

}  // namespace

std::vector<program> conveyor_programs() {
  return {{"one_hop_within_a_node", 3, 0, one_hop},
          {"one_hop_between_nodes", 3, 1, one_hop},
          {"one_buffer", 3, 2, one_buffer},
          {"two_hops", 4, 2, two_hops},
          {"narrow_hops", 4, 2, narrow_hops},
          {"narrow_hops_within_a_node", 4, 0, narrow_hops},
          {"mixed_buffers", 4, 2, mixed_buffers},
          {"three_hops", 4, 2, three_hops},
          {"steady", 3, 2, steady},
          {"simple", 3, 2, simple},
          {"twohop", 4, 2, twohop},
          {"dynamic_memory", 3, 2, dynamic_memory},
          {"elastic", 2, 1, elastic},
          {"elastic_within_a_node", 2, 0, elastic},
          {"questions", 3, 2, questions},
          {"many_questions", 2, 1, many_questions},
          {"many_questions_within_a_node", 2, 0, many_questions},
          {"exchanges", 3, 2, exchanges},
          {"one_way_within_a_node", 2, 0, one_way},
          {"one_way", 3, 1, one_way},
          {"parts_of_the_world", 4, 2, parts_of_the_world}};
}

}  // namespace boxcar::test
