#include "scale/scale_cases.hpp"

#include <span>
#include <utility>

#include <boxcar/boxcar.hpp>

namespace boxcar::test {
namespace {

// Each made, used on this PE and towards another node, and dropped.
void run_one_sided(world& w, pretended_world&, const next_step& next) {
  const int elsewhere = w.size() - 1;
  next("window");
  window<long> a(w, 4);
  next("counter");
  counter c(w);
  next("buffer");
  append_buffer<long> b(w, 4);
  next("put");
  a.put(1, w.rank(), 0, c);
  a.put(1, elsewhere, 0, c);
  a.add(1, elsewhere, 1);
  c.add(elsewhere);
  c.wait(1);
  next("push");
  static_cast<void>(b.push(1, w.rank()));
  b.push_nbi(std::span<const long>(a.local()).first(1), elsewhere);
  b.wait(1);
  b.reset();
}

// A session in which this PE sends one item to itself; the others send nothing.
template <typename Conveyor, typename Push, typename Pull>
void one_item(Conveyor& c, pretended_world& others, const next_step& next, const auto& begin,
              const Push& push, const Pull& pull) {
  next("begin");
  const session s = begin();
  next("advance");
  while (!push()) static_cast<void>(c.advance(false));
  others.answer();
  while (c.advance(true)) pull();
  next("reset");
}

conveyor_options with(conveyor_kind kind, int hops) {
  return {.kind = kind, .hops = hops, .buffer_bytes = scale_buffer_bytes};
}

// Synchronous kinds send nothing here: a round is one of all PEs.
void run_conveyor(world& w, pretended_world& others, const next_step& next,
                  const conveyor_options& options) {
  next("construct");
  conveyor<long> c(w, options);
  const bool synchronous =
      options.kind == conveyor_kind::simple || options.kind == conveyor_kind::twohop;
  long item = 0;
  one_item(
      c, others, next, [&] { return c.begin(); },
      [&] { return synchronous || c.push(1, w.rank()); }, [&] { static_cast<void>(c.pull(item)); });
}

void run_elastic(world& w, pretended_world& others, const next_step& next,
                 const conveyor_options& options) {
  next("construct");
  elastic_conveyor c(w, 32, options);
  one_item(
      c, others, next, [&] { return c.begin(); }, [&] { return c.push("item", w.rank()); },
      [&] { static_cast<void>(c.pull()); });
}

void run_biconveyor(world& w, pretended_world& others, const next_step& next,
                    const conveyor_options& options) {
  next("construct");
  biconveyor<long, long> c(w, options);
  long reply = 0;
  one_item(
      c, others, next, [&] { return c.begin([](long n) { return n; }); },
      [&] { return c.push(1, w.rank()); }, [&] { static_cast<void>(c.pull(reply)); });
}

void run_elastic_biconveyor(world& w, pretended_world& others, const next_step& next,
                            const conveyor_options& options) {
  next("construct");
  elastic_biconveyor c(w, 32, 32, options);
  std::vector<std::byte> reply;
  const auto answer = [](std::span<const std::byte> query, std::vector<std::byte>& to) {
    to.assign(query.begin(), query.end());
  };
  one_item(
      c, others, next, [&] { return c.begin(answer); },
      [&] { return c.push(std::as_bytes(std::span("item")), w.rank()); },
      [&] { static_cast<void>(c.pull(reply)); });
}

void run_exchange(world& w, pretended_world& others, const next_step& next,
                  const conveyor_options& options) {
  next("construct");
  exchange<long>(
      w,
      [&](auto& out) {
        next("advance");
        out.push(1, w.rank());
        others.answer();
      },
      [](long) {}, options);
}

void run_exchange_with_replies(world& w, pretended_world& others, const next_step& next,
                               const conveyor_options& options) {
  next("construct");
  exchange<long>(
      w,
      [&](auto& ask) {
        next("advance");
        ask.push(1, w.rank(), std::size_t{7});
        others.answer();
      },
      [](long n) { return n; }, [](long, std::size_t) {}, options);
}

void run_stream(world& w, pretended_world& others, const next_step& next,
                const stream_options& options, const termination& ending) {
  next("construct");
  int handled = 0;
  stream<long> s(
      w, [&](long) { ++handled; }, options);
  next("begin");
  const session scope = s.begin(ending);
  next("advance");
  s.send(1, w.rank());
  s.flush();
  while (handled == 0) static_cast<void>(s.poll());
  if (ending.kind != termination_kind::quiescence) s.done();
  others.answer();
  s.finish();
  next("reset");
}

}  // namespace

std::vector<scale_case> scale_cases(int pes, int pes_per_node) {
  std::vector<scale_case> all;
  const auto add_conveyor = [&all](std::string name, std::size_t links,
                                   const conveyor_options& options, const auto& run) {
    all.push_back({std::move(name), links, 1, false,
                   [=](world& w, pretended_world& others, const next_step& next) {
                     run(w, others, next, options);
                   }});
  };
  // Two of them.
  const auto add_biconveyor = [&](std::string name, std::size_t links,
                                  const conveyor_options& options, const auto& run) {
    add_conveyor(std::move(name), 2 * links, options, run);
    all.back().parts = 2;
    all.back().asks = true;
  };
  using enum conveyor_kind;
  const auto nodes = static_cast<std::size_t>((pes + pes_per_node - 1) / pes_per_node);
  const auto per_node = static_cast<std::size_t>(pes_per_node);
  const std::size_t two_hops = per_node + nodes;
  // No group of several PEs divides a prime number of them.
  const bool has_groups = pes % pes_per_node == 0;
  add_conveyor("simple", static_cast<std::size_t>(pes), with(simple, 0), run_conveyor);
  add_conveyor("twohop", two_hops, with(twohop, 0), run_conveyor);
  add_conveyor("tensor_2", two_hops, with(tensor, 2), run_conveyor);
  add_conveyor("elastic_2", two_hops, with(tensor, 2), run_elastic);
  add_biconveyor("biconveyor_2", two_hops, with(tensor, 2), run_biconveyor);
  add_biconveyor("elastic_biconveyor_2", two_hops, with(tensor, 2), run_elastic_biconveyor);
  add_conveyor("exchange_2", two_hops, with(tensor, 2), run_exchange);
  add_biconveyor("exchange_with_replies_2", two_hops, with(tensor, 2), run_exchange_with_replies);
  if (has_groups) {
    const std::size_t three_hops = 3 * per_node + nodes;  // at most
    add_conveyor("tensor_3", three_hops, with(tensor, 3), run_conveyor);
    add_conveyor("elastic_3", three_hops, with(tensor, 3), run_elastic);
    add_biconveyor("biconveyor_3", three_hops, with(tensor, 3), run_biconveyor);
  }

  all.push_back({"one_sided", 1, 3, false, run_one_sided});

  const auto add_stream = [&all, pes_per_node](std::string name, const route& way,
                                               const termination& ending) {
    const std::size_t links = way.links(scale_rank(pes_per_node)).size() + 1;
    const auto parts = static_cast<std::size_t>(way.stages()) + 1;
    all.push_back({std::move(name), links, parts, false,
                   [=](world& w, pretended_world& others, const next_step& next) {
                     run_stream(w, others, next, {.way = way, .buffer_bytes = scale_buffer_bytes},
                                ending);
                   }});
  };
  const route plane = route::balanced(pes, 2, pes_per_node);
  add_stream("stream_quiescence", plane, quiescence());
  add_stream("stream_counting", plane, counting(1));
  add_stream("stream_staged", plane, staged(1));
  add_stream("stream_3", route::balanced(pes, 3, pes_per_node), quiescence());
  add_stream("stream_5", route::balanced(pes, 5, pes_per_node), quiescence());
  if (has_groups) {
    add_stream("stream_matrix", route::matrix(pes, pes_per_node), quiescence());
    add_stream("stream_tensor", route::tensor(pes, pes_per_node), quiescence());
    const int all_nodes = pes / pes_per_node;
    add_stream("stream_teams", route::teams(pes, {all_nodes, pes_per_node}), quiescence());
    add_stream("stream_specialised_teams", route::specialised_teams(pes, {all_nodes, pes_per_node}),
               quiescence());
  }
  return all;
}

}  // namespace boxcar::test
