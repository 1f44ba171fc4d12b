#include "route/tagged_route.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include <boxcar/error.hpp>

#include "route/group.hpp"

namespace boxcar::detail {
namespace {

std::uint32_t bits_below(int n) {
  return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(n - 1)));
}

int bytes_for(std::uint32_t bits) {
  return bits == 0 ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
}

int groups_of_groups(int pes, int group) {
  return (pes / group + group - 1) / group;
}

}  // namespace

tagged_route::tagged_route(int hops, int pes, int group)
    : hops_(hops),
      pes_(pes),
      group_(group),
      group_bits_(group == 0 ? 0 : bits_below(group)),
      tag_bytes_(static_cast<std::size_t>(hops)) {}

tagged_route tagged_route::direct(int pes) {
  return {1, pes, 1};
}

tagged_route tagged_route::matrix(int pes, int group) {
  require_group(pes, group);
  return matrix_with_short_row(pes, group);
}

tagged_route tagged_route::matrix_with_short_row(int pes, int group) {
  tagged_route r(2, pes, group);
  r.tag_bytes_[0] = bytes_for(bits_below(r.rows()));
  r.source_bits_ = bits_below(group + r.in_short_row());
  r.tag_bytes_[1] = bytes_for(r.source_bits_);
  return r;
}

tagged_route tagged_route::tensor(int pes, int group) {
  require_group(pes, group);
  tagged_route r(3, pes, group);
  const std::uint32_t x_bits = bits_below(groups_of_groups(pes, group));
  if (x_bits + r.group_bits_ > 32 || 2 * r.group_bits_ > 32) {
    throw argument_error("a local group of " + std::to_string(group) + " PEs is too large for " +
                         std::to_string(pes) + " PEs and three hops: give at most " +
                         std::to_string(largest_tensor_group));
  }
  r.tag_bytes_[0] = r.tag_bytes_[2] = bytes_for(x_bits + r.group_bits_);
  r.tag_bytes_[1] = bytes_for(2 * r.group_bits_);
  return r;
}

int tagged_route::rows() const {
  return (pes_ + group_ - 1) / group_;
}

int tagged_route::in_short_row() const {
  return is_by_table() ? 0 : pes_ % group_;
}

tagged_route tagged_route::with_hops(int hops, int pes, int group) {
  if (hops == 1) return direct(pes);
  if (hops == 2) return matrix(pes, group);
  if (hops == 3) return tensor(pes, group);
  throw argument_error("a conveyor of " + std::to_string(hops) + " hops: give 1, 2 or 3");
}

tagged_route tagged_route::by_table(int pes, int stages) {
  tagged_route r(stages, pes, 0);
  r.source_bits_ = bits_below(pes);
  if (2 * r.source_bits_ > 32) {
    throw argument_error("a conveyor over this route is for up to 65536 PEs, but the world has " +
                         std::to_string(pes) + ": give route::direct, matrix or tensor, or none");
  }
  r.tag_bytes_.assign(static_cast<std::size_t>(stages), bytes_for(2 * r.source_bits_));
  r.tag_bytes_.back() = bytes_for(r.source_bits_);
  return r;
}

std::size_t tagged_route::max_links(int hop) const {
  if (hops_ == 1) return static_cast<std::size_t>(pes_);
  if (hop != 1) return static_cast<std::size_t>(group_);
  return static_cast<std::size_t>(hops_ == 2 ? rows() : groups_of_groups(pes_, group_));
}

std::vector<int> tagged_route::senders(int hop, int pe) const {
  if (hops_ != 2 || hop != 0) return peers(hop, pe);
  std::vector<int> all;
  const int row = pe / group_;
  const int end = std::min((row + 1) * group_, pes_);
  for (int sender = row * group_; sender < end; ++sender) all.push_back(sender);
  // The PE stands in for the missing PE of its column in a short row.
  const bool stands_in = row == rows() - 2 && in_short_row() != 0 && pe % group_ >= in_short_row();
  for (int sender = end; stands_in && sender < pes_; ++sender) all.push_back(sender);
  return all;
}

std::vector<int> tagged_route::peers(int hop, int pe) const {
  std::vector<int> all;
  if (hops_ == 1) {
    all.resize(static_cast<std::size_t>(pes_));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const int row = pe / group_;
  const int column = pe % group_;
  if (hop != 1) {  // within the group
    for (int c = 0; c < group_; ++c) {
      const int peer = row * group_ + c;
      all.push_back(peer < pes_ ? peer : peer - group_);
    }
    return all;
  }
  const bool matrix = hops_ == 2;
  const int first = matrix ? column : column * group_ + row % group_;  // (0, z, y)
  const int step = matrix ? group_ : group_ * group_;
  for (int peer = first; peer < pes_; peer += step) all.push_back(peer);
  return all;
}

grouped_step tagged_route::start() const {
  if (is_by_table()) return {};
  const auto n = static_cast<std::uint32_t>(group_);
  return {fixed_divisor(n), n, group_bits_};
}

relabelling tagged_route::change(int hop, int sender, int at) const {
  if (hops_ == 2) return {0, 0, static_cast<std::uint32_t>(sender - at / group_ * group_)};
  const auto row = static_cast<std::uint32_t>(sender / group_);
  const auto column = static_cast<std::uint32_t>(sender % group_);
  if (hop == 0) return {group_bits_, group_bits_, column};  // [x', z'] -> [z', z]
  const std::uint32_t x = row / static_cast<std::uint32_t>(group_);
  return {group_bits_, 0, x << group_bits_};  // [z', z] -> [x, z]
}

std::vector<tagged_route::loop> tagged_route::loops(int hop, int pe) const {
  std::vector<loop> all;
  for (; hop + 1 < hops_; ++hop) {
    const std::vector<int> links = peers(hop, pe);
    const auto home = std::ranges::find(links, pe);
    if (home == links.end()) break;
    all.push_back({static_cast<std::uint32_t>(home - links.begin()),
                   static_cast<std::uint32_t>(links.size()), change(hop, pe, pe)});
  }
  return all;
}

link_and_tag tagged_route::without(const std::vector<loop>& loops, link_and_tag step) {
  std::uint32_t links_before = 0;
  for (const loop& l : loops) {
    if (step.link != l.link) break;
    links_before += l.links;
    step = {l.change.link(step.tag), l.change.tag(step.tag)};
  }
  return {links_before + step.link, step.tag};
}

std::vector<link_and_tag> tagged_route::first_steps(int pe, bool all_hops) const {
  const grouped_step step = start();
  const std::vector<loop> left_out = all_hops ? std::vector<loop>() : loops(0, pe);
  std::vector<link_and_tag> steps;
  steps.reserve(static_cast<std::size_t>(pes_));
  for (std::uint32_t to = 0; to < static_cast<std::uint32_t>(pes_); ++to) {
    steps.push_back(without(left_out, hops_ == 2 ? step.in_matrix(to) : step.in_tensor(to)));
  }
  return steps;
}

std::vector<link_and_tag> tagged_route::next_steps(int hop, int pe) const {
  const std::uint32_t tags = listed_tags(hop);
  if (tags == 0) return {};
  // Except for the base, a change is equal for all senders. The base would be in the low field,
  // which stays in place on all skipped hops.
  relabelling next = change(hop, 0, 0);
  next.base = 0;
  const std::vector<loop> left_out = loops(hop + 1, pe);
  std::vector<link_and_tag> steps;
  steps.reserve(tags);
  for (std::uint32_t tag = 0; tag < tags; ++tag) {
    steps.push_back(without(left_out, {next.link(tag), next.tag(tag)}));
  }
  return steps;
}

bool tagged_route::lists_first_steps() const {
  constexpr int most = 256;  // 2 KiB, a part of the first-level cache
  return hops_ > 1 && pes_ <= most;
}

std::uint32_t tagged_route::listed_tags(int hop) const {
  if (tag_bytes(hop) != 1) return 0;
  const bool last = hop + 1 == hops_;
  const auto pes = static_cast<std::uint32_t>(pes_);
  // On the last hop a tag keeps as many bits of the destination as fit into a byte.
  if (is_by_table()) return last ? std::min(256U, pes << source_bits_) : pes << source_bits_;
  if (last && hops_ == 2) return static_cast<std::uint32_t>(group_ + in_short_row());
  if (last) return static_cast<std::uint32_t>(groups_of_groups(pes_, group_)) << group_bits_;
  const auto links = static_cast<std::uint32_t>(max_links(hop + 1));
  return links << change(hop, 0, 0).low_bits;
}

std::size_t tagged_route::list_bytes() const {
  std::size_t bytes = 0;
  if (lists_first_steps()) bytes += static_cast<std::size_t>(pes_) * sizeof(listed_step);
  for (int hop = 0; hop + 1 < hops_; ++hop) bytes += listed_tags(hop) * sizeof(listed_step);
  return bytes + listed_tags(hops_ - 1) * sizeof(std::uint16_t);
}

origin tagged_route::source(int sender) const {
  const auto s = static_cast<std::uint32_t>(sender);
  const auto n = static_cast<std::uint32_t>(group_);
  if (is_by_table()) return {source_bits_, 0, 0};
  if (hops_ == 1) return {0, 0, s};
  if (hops_ == 2) return {source_bits_, 0, s / n * n};
  return {group_bits_, n * n, s % n * n};
}

std::string tagged_route::describe() const {
  const std::string pes = std::to_string(pes_) + " PEs";
  if (is_by_table()) return "by table: " + pes + ", " + std::to_string(hops_) + " hops";
  if (hops_ == 1) return "direct: " + pes + ", one hop";
  return std::string(hops_ == 2 ? "matrix: " : "tensor: ") + pes + " in groups of " +
         std::to_string(group_) + (in_short_row() != 0 ? ", the last smaller, " : ", ") +
         (hops_ == 2 ? "two" : "three") + " hops";
}

}  // namespace boxcar::detail
