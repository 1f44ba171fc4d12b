#include "collective/tree_flows.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace boxcar::detail {
namespace {

constexpr int none = tree_member::none;

std::size_t bytes_of(const tree& t, const tree_member& at, const std::vector<std::size_t>& sizes) {
  std::size_t bytes = 0;
  for (const tree::run& r : t.runs(at.first, at.last)) {
    bytes = std::accumulate(sizes.begin() + r.first, sizes.begin() + r.last, bytes);
  }
  return bytes;
}

// Sends to the largest subtree first, which has the longest path ahead.
auto largest_first(const tree_member& at) {
  std::vector<tree_member::child> all = at.children;
  std::ranges::stable_sort(all, std::greater<>(),
                           [](const tree_member::child& c) { return c.last - c.first; });
  return all;
}

template <typename Byte>
void send_below(flow& f, const tree& t, const tree_member& at, const blocks_in<Byte>& from,
                std::size_t segment) {
  for (const tree_member::child& c : largest_first(at)) {
    for (const tree::run& r : t.runs(c.first, c.last)) send_all(f, from.of(r), c.pe, segment);
  }
}

void receive_own_part(flow& f, const tree& t, const tree_member& at, const blocks& into,
                      std::size_t segment) {
  for (const tree::run& r : t.runs(at.first, at.last)) {
    receive_all(f, into.of(r), at.parent, segment);
  }
}

}  // namespace

void send_all(flow& f, std::span<const std::byte> data, int to, std::size_t segment) {
  for (const auto piece : segments_of(data, segment)) f.send(piece, to);
}
void receive_all(flow& f, std::span<std::byte> data, int from, std::size_t segment) {
  for (const auto piece : segments_of(data, segment)) f.receive(piece, from);
}

void broadcast_down(flow& f, const tree& t, std::span<std::byte> data, std::size_t segment) {
  const tree_member at = t.place_of(f.pe());
  const auto children = largest_first(at);
  for (const auto piece : segments_of(data, segment)) {
    if (at.parent != none) f.receive(piece, at.parent);
    for (const tree_member::child& c : children) f.send(piece, c.pe);
  }
}

void reduce_up(flow& f, const tree& t, std::span<const std::byte> mine, std::span<std::byte> sum,
               const combination_of_elements& how, std::size_t segment) {
  const tree_member at = t.place_of(f.pe());
  if (at.children.empty() && at.parent != none) return send_all(f, mine, at.parent, segment);
  if (sum.empty()) sum = f.scratch(mine.size());
  const auto pieces = segments_of(sum, segment);
  // Each child has two buffers, used in turn: while one is combined the other is filled.
  std::vector<std::vector<std::span<std::byte>>> arrivals;
  for (std::size_t c = 0; c < at.children.size(); ++c) {
    auto& two = arrivals.emplace_back();
    for (std::size_t i = 0; i < std::min<std::size_t>(2, pieces.size()); ++i) {
      two.push_back(f.scratch(pieces[0].size()));
    }
  }
  std::size_t from = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    f.copy(mine.subspan(from, pieces[i].size()), pieces[i]);
    from += pieces[i].size();
    for (std::size_t c = 0; c < at.children.size(); ++c) {
      const auto arrived = arrivals[c][i % 2].first(pieces[i].size());
      f.receive(arrived, at.children[c].pe);
      f.combine_with(pieces[i], arrived, how);
    }
    if (at.parent != none) f.send(pieces[i], at.parent);
  }
}

void gather_up(flow& f, const tree& t, std::span<const std::byte> mine,
               const std::vector<std::size_t>& sizes, std::span<std::byte> all,
               std::size_t segment) {
  const tree_member at = t.place_of(f.pe());
  const bool keeps = !all.empty();
  if (!keeps && at.children.empty()) {
    if (at.parent != none) send_all(f, mine, at.parent, segment);
    return;
  }
  const blocks into = keeps
                          ? blocks(sizes, all)
                          : blocks(sizes, f.scratch(bytes_of(t, at, sizes)), t, at.first, at.last);
  f.copy(mine, into.of(f.pe()));
  for (const tree_member::child& c : at.children) {
    for (const tree::run& r : t.runs(c.first, c.last)) receive_all(f, into.of(r), c.pe, segment);
  }
  if (at.parent == none) return;
  for (const tree::run& r : t.runs(at.first, at.last)) {
    send_all(f, into.of(r), at.parent, segment);
  }
}

void scatter_down(flow& f, const tree& t, std::span<const std::byte> all,
                  const std::vector<std::size_t>& sizes, std::span<std::byte> mine,
                  std::size_t segment) {
  const tree_member at = t.place_of(f.pe());
  if (at.parent == none) {
    const const_blocks from(sizes, all);
    send_below(f, t, at, from, segment);
    f.copy(from.of(f.pe()), mine);
  } else if (at.children.empty()) {
    receive_all(f, mine, at.parent, segment);
  } else {
    const blocks own(sizes, f.scratch(bytes_of(t, at, sizes)), t, at.first, at.last);
    receive_own_part(f, t, at, own, segment);
    send_below(f, t, at, own, segment);
    f.copy(own.of(f.pe()), mine);
  }
}

void scatter_in_place(flow& f, const tree& t, const std::vector<std::size_t>& sizes,
                      std::span<std::byte> all, std::size_t segment) {
  const tree_member at = t.place_of(f.pe());
  const blocks own(sizes, all);
  if (at.parent != none) receive_own_part(f, t, at, own, segment);
  send_below(f, t, at, own, segment);
}

void tree_barrier(flow& f, const tree& t, const std::function<void()>& at_root) {
  const tree_member at = t.place_of(f.pe());
  for (const tree_member::child& c : at.children) f.receive({}, c.pe);
  f.fence();
  if (at.parent != none) {
    f.send({}, at.parent);
    f.receive({}, at.parent);
  } else if (at_root) {
    at_root();
  }
  f.fence();
  for (const tree_member::child& c : at.children) f.send({}, c.pe);
}

}  // namespace boxcar::detail
