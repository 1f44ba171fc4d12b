#include "collective/flow.hpp"

#include <utility>

namespace boxcar::detail {
namespace {

// Elements of any type lie on their boundaries.
constexpr std::size_t boundary = 64;

}  // namespace

flow::flow(int pe, int pes, std::span<std::byte> room) : pe_(pe), pes_(pes), room_(room) {}

std::span<std::byte> flow::scratch(std::size_t bytes) {
  const std::size_t at = scratch_bytes_;
  scratch_bytes_ += (bytes + boundary - 1) / boundary * boundary;
  if (scratch_bytes_ <= room_.size()) return room_.subspan(at, bytes);
  return {made_up_.emplace_back(new std::byte[bytes]).get(), bytes};
}

// --- Steps ---------------------------------------------------------------------------------------

graph_vertex& flow::add(graph_vertex v) {
  for (std::size_t before = fenced_from_; before < fenced_to_; ++before) {
    v.after.push_back(static_cast<int>(before));
  }
  return graph_.vertices.emplace_back(std::move(v));
}

void flow::reads(graph_vertex& v, std::span<const std::byte> there) {
  uses_.read(there, newest(), v.after);
}
void flow::writes(graph_vertex& v, std::span<std::byte> there) {
  uses_.write(there, newest(), v.after);
}

void flow::send(std::span<const std::byte> from, int to) {
  reads(add({.kind = vertex_kind::send, .pe = to, .tag = sent_[to]++, .from = from}), from);
}

void flow::receive(std::span<std::byte> into, int from) {
  writes(add({.kind = vertex_kind::receive, .pe = from, .tag = received_[from]++, .into = into}),
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
  if (fenced_to_ == graph_.vertices.size()) return;
  fenced_from_ = fenced_to_;
  fenced_to_ = graph_.vertices.size();
}

void flow::send_before_use_of(std::span<std::byte> there) {
  graph_vertex nothing{.kind = vertex_kind::copy};
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    const bool sends = graph_.vertices[i].kind == vertex_kind::send;
    if (sends) nothing.after.push_back(static_cast<int>(i));
  }
  if (!nothing.after.empty()) writes(add(std::move(nothing)), there);
}

schedule_graph flow::take() && {
  return std::move(graph_);
}

}  // namespace boxcar::detail
