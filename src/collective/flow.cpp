#include "collective/flow.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::detail {
namespace {

// Alignment of scratch memory, sufficient for elements of any type.
constexpr std::size_t boundary = 64;

}  // namespace

flow::flow(int pe, int pes, std::span<std::byte> room)
    : pe_(pe), pes_(pes), steps_(std::make_shared<steps>()) {
  steps_->room = room;
}

flow flow::among(const std::vector<int>& some) const {
  flow part = *this;
  part.members_.clear();
  for (const int pe : some) part.members_.push_back(in_world(pe));
  part.pe_ = static_cast<int>(std::ranges::find(some, pe_) - some.begin());
  part.pes_ = static_cast<int>(some.size());
  return part;
}

std::span<std::byte> flow::scratch(std::size_t bytes) {
  const std::size_t at = steps_->scratch_bytes;
  steps_->scratch_bytes += (bytes + boundary - 1) / boundary * boundary;
  if (steps_->scratch_bytes <= steps_->room.size()) return steps_->room.subspan(at, bytes);
  return {steps_->made_up.emplace_back(new std::byte[bytes]).get(), bytes};
}

// --- Steps ---------------------------------------------------------------------------------------

graph_vertex& flow::add(graph_vertex v) {
  for (std::size_t before = steps_->fenced_from; before < steps_->fenced_to; ++before) {
    v.after.push_back(static_cast<int>(before));
  }
  return steps_->graph.vertices.emplace_back(std::move(v));
}

void flow::reads(graph_vertex& v, std::span<const std::byte> there) {
  steps_->uses.read(there, newest(), v.after);
}
void flow::writes(graph_vertex& v, std::span<std::byte> there) {
  steps_->uses.write(there, newest(), v.after);
}

void flow::send(std::span<const std::byte> from, int to) {
  const int pe = in_world(to);
  reads(add({.kind = vertex_kind::send, .pe = pe, .tag = steps_->sent[pe]++, .from = from}), from);
}

void flow::receive(std::span<std::byte> into, int from) {
  const int pe = in_world(from);
  writes(add({.kind = vertex_kind::receive, .pe = pe, .tag = steps_->received[pe]++, .into = into}),
         into);
}

void flow::copy(std::span<const std::byte> from, std::span<std::byte> into) {
  if (from.empty() || from.data() == into.data()) return;
  graph_vertex& v = add({.kind = vertex_kind::copy, .from = from, .into = into});
  reads(v, from);
  writes(v, into);
}

void flow::combine_with(std::span<std::byte> into, std::span<const std::byte> with,
                        const combination_of_elements& how) {
  combine(into, with, false, how);
}
void flow::combine_behind(std::span<std::byte> into, std::span<const std::byte> with,
                          const combination_of_elements& how) {
  combine(into, with, true, how);
}

void flow::combine(std::span<std::byte> into, std::span<const std::byte> with, bool is_behind,
                   const combination_of_elements& how) {
  if (into.empty()) return;
  graph_vertex made;
  if (how.numbers) {
    made = {.kind = vertex_kind::combine,
            .from = with,
            .into = into,
            .type = how.numbers->type,
            .how = how.numbers->how};
  } else {
    made = {.kind = vertex_kind::compute, .into = into, .inputs = {with}};
    const std::size_t n = into.size() / how.element_bytes;
    made.function = [into, with, n, is_behind, f = how.function] {
      f(into.data(), is_behind ? with.data() : into.data(), is_behind ? into.data() : with.data(),
        n);
    };
  }
  graph_vertex& v = add(std::move(made));
  reads(v, with);
  writes(v, into);
}

void flow::fence() {
  if (steps_->fenced_to == steps_->graph.vertices.size()) return;
  steps_->fenced_from = steps_->fenced_to;
  steps_->fenced_to = steps_->graph.vertices.size();
}

void flow::send_before_use_of(std::span<std::byte> there) {
  graph_vertex nothing{.kind = vertex_kind::copy};
  for (std::size_t i = 0; i < steps_->graph.vertices.size(); ++i) {
    const bool sends = steps_->graph.vertices[i].kind == vertex_kind::send;
    if (sends) nothing.after.push_back(static_cast<int>(i));
  }
  if (!nothing.after.empty()) writes(add(std::move(nothing)), there);
}

schedule_graph flow::take() && {
  return std::move(steps_->graph);
}

}  // namespace boxcar::detail
