#include "collective/scheduled_collective.hpp"

#include <algorithm>
#include <utility>

#include "collective/plan.hpp"
#include "schedule/backend.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {
namespace {

constexpr eager_limits eager{.between_nodes = 4096, .within_node = {}};

void copy(std::span<const std::byte> from, std::span<std::byte> into) {
  std::ranges::copy(from, into.begin());
}

}  // namespace

scheduled_collective::scheduled_collective(const world& w, const collective_request& call,
                                           const collective_way& way, const std::vector<int>& nodes,
                                           const collective_memory& memory,
                                           schedule_carrier carrier)
    : scheduled_collective(w,
                           laying{.call = call,
                                  .way = way,
                                  .nodes = nodes,
                                  .uses_in = memory.is_used(w, call.in),
                                  .uses_out = memory.is_used(w, call.out),
                                  .carrier = carrier},
                           memory) {}

scheduled_collective::scheduled_collective(const world& w, const laying& how,
                                           const collective_memory& memory)
    : schedule_(make_schedule(w, how, memory)),
      explanation_(explanation(how.call, how.way, w.size())) {
  const std::size_t copied =
      (before_ ? before_->into.size() : 0) + (after_ ? after_->into.size() : 0);
  if (copied != 0) {
    explanation_ += "; each run copies " + std::to_string(copied) +
                    " bytes: what lies in windows that are given to collectives::use is used there";
  }
  explanation_ += "; " + schedule_->explain();
}

void scheduled_collective::lay(flow& f, const laying& how) {
  before_.reset();
  after_.reset();
  collective_request here = how.call;
  if (!how.uses_out) {
    here.out = f.scratch(how.call.out.size());
    // The root of a broadcast has what it gets.
    const bool has_it = how.call.kind == collective_operation::broadcast && f.pe() == how.call.root;
    if (!has_it) after_ = {here.out, how.call.out};
  }
  if (!how.uses_in) {
    const std::span<std::byte> in =
        how.call.is_in_place() ? here.out : f.scratch(how.call.in.size());
    before_ = {how.call.in, in};
    here.in = in;
  }
  if (how.call.kind == collective_operation::exclusive_scan && f.pe() == 0) {
    here.first_block = first_ = f.scratch(how.call.out.size());
  }
  detail::lay(f, here, how.way, how.nodes);
}

std::unique_ptr<compiled_schedule> scheduled_collective::make_schedule(
    const world& w, const laying& how, const collective_memory& memory) {
  flow measured(w.rank(), w.size());
  lay(measured, how);
  const std::size_t scratch_bytes = measured.scratch_bytes();
  const auto lay_in = [&](std::span<std::byte> scratch) {
    flow f(w.rank(), w.size(), scratch);
    lay(f, how);
    return std::move(f).take();
  };
  matched_schedule what;
  what.eager = eager;
  include_functions all(memory.includes.begin(), memory.includes.end());
  if (how.carrier == schedule_carrier::network) {
    scratch_.emplace(w, scratch_bytes);
    all.emplace_back([this](adapter& a) { a.include(*scratch_); });
    what.graph = lay_in(scratch_->local());
  } else {
    what.scratch_bytes = scratch_bytes;
    what.lay = lay_in;
    what.graph = std::move(measured).take();
  }
  for (const graph_vertex& v : what.graph.vertices) {
    what.partners.push_back({v.pe, v.tag});
    what.numbers.push_back(v.tag);
  }
  return select_backend(w, std::move(what), all,
                        {.operation = name_of(how.call.kind),
                         .owner = owner_of_collectives,
                         .option = "collective_options::carrier",
                         .carrier = how.carrier});
}

void scheduled_collective::use(std::span<const std::byte> in, std::span<std::byte> out,
                               std::span<const std::byte> first) {
  if (before_) before_->from = in;
  if (after_) after_->into = out;
  if (!first.empty()) repeat(first, first_);
}

void scheduled_collective::start() {
  if (is_under_way_) throw_not_waited_for();
  runs.began();
  if (before_) copy(before_->from, before_->into);
  schedule_->start();
  is_under_way_ = true;
}

bool scheduled_collective::test() {
  if (!schedule_->test()) return false;
  deliver();
  return true;
}

void scheduled_collective::wait() {
  schedule_->wait();
  deliver();
}

void scheduled_collective::deliver() {
  if (!std::exchange(is_under_way_, false)) return;
  if (after_) copy(after_->from, after_->into);
  runs.ended();
}

}  // namespace boxcar::detail
