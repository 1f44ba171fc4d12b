#include "collective/scheduled_collective.hpp"

#include <algorithm>
#include <utility>

#include "collective/plan.hpp"
#include "substrate/substrate.hpp"
#include "trigger/memory_ranges.hpp"

namespace boxcar::detail {
namespace {

constexpr eager_limits eager{.between_nodes = 4096, .within_node = 0};

// It is in a part of one of these, or there is nothing to reach.
bool is_reached(std::span<const std::byte> some,
                std::span<const std::span<const std::byte>> parts) {
  return some.empty() ||
         std::ranges::any_of(parts, [some](const auto& all) { return is_within(some, all); });
}

void copy(std::span<const std::byte> from, std::span<std::byte> into) {
  std::ranges::copy(from, into.begin());
}

}  // namespace

scheduled_collective::scheduled_collective(const world& w, const collective_request& call,
                                           const collective_way& way, const std::vector<int>& nodes,
                                           const including& includes,
                                           std::span<const std::span<const std::byte>> reached)
    : scheduled_collective(
          w,
          laying{.call = call,
                 .way = way,
                 .nodes = nodes,
                 .reaches_in = w.substrate()->is_one_process() || is_reached(call.in, reached),
                 .reaches_out = w.substrate()->is_one_process() || is_reached(call.out, reached)},
          includes) {}

scheduled_collective::scheduled_collective(const world& w, const laying& how,
                                           const including& includes)
    : scratch_(w, scratch_bytes(w, how)),
      schedule_(make_schedule(w, how, includes)),
      explanation_(explanation(how.call, how.way, w.size())) {
  std::size_t copied = 0;
  for (const copying& c : before_) copied += c.into.size();
  for (const copying& c : after_) copied += c.into.size();
  if (copied != 0) {
    explanation_ += "; each run copies " + std::to_string(copied) +
                    " bytes from and to memory that others cannot reach: let it lie in windows "
                    "that are given to `use`";
  }
  schedule_.prepare(*w.substrate(), name_of(how.call.kind), "a collective's");
}

void scheduled_collective::lay(flow& f, const laying& how) {
  before_.clear();
  after_.clear();
  collective_request here = how.call;
  if (!how.reaches_out) {
    here.out = f.scratch(how.call.out.size());
    after_.push_back({here.out, how.call.out});
  }
  if (!how.reaches_in) {
    const std::span<std::byte> in =
        how.call.is_in_place() ? here.out : f.scratch(how.call.in.size());
    before_.push_back({how.call.in, in});
    here.in = in;
  }
  detail::lay(f, here, how.way, how.nodes);
}

std::size_t scheduled_collective::scratch_bytes(const world& w, const laying& how) {
  flow measured(w.rank(), w.size());
  lay(measured, how);
  return measured.scratch_bytes();
}

schedule_state scheduled_collective::make_schedule(const world& w, const laying& how,
                                                   const including& includes) {
  flow f(w.rank(), w.size(), scratch_.local());
  lay(f, how);
  schedule_graph graph = std::move(f).take();
  std::vector<vertex_place> partners;
  std::vector<int> numbers;
  for (const graph_vertex& v : graph.vertices) {
    partners.push_back({v.pe, v.tag});
    numbers.push_back(v.tag);
  }
  including all = includes;
  all.emplace_back([this](adapter& a) { a.include(scratch_); });
  return {w, std::move(graph), std::move(partners), std::move(numbers), all, eager};
}

void scheduled_collective::start() {
  if (is_under_way_) throw_not_waited_for();
  for (const copying& c : before_) copy(c.from, c.into);
  schedule_.start();
  is_under_way_ = true;
}

bool scheduled_collective::test() {
  if (!schedule_.test()) return false;
  deliver();
  return true;
}

void scheduled_collective::wait() {
  schedule_.wait();
  deliver();
}

void scheduled_collective::deliver() {
  if (!std::exchange(is_under_way_, false)) return;
  for (const copying& c : after_) copy(c.from, c.into);
}

}  // namespace boxcar::detail
