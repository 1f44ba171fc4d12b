#include "substrate/stall/pe_group.hpp"

#include <algorithm>
#include <cstring>

namespace boxcar::detail {
namespace {

std::uint64_t stamp_of(const pe_report& r) {
  std::uint64_t h = (static_cast<std::uint64_t>(r.rank) + 1) * 0x9e3779b97f4a7c15u ^ r.moves;
  h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9u;
  return h ^ (h >> 29);
}

bool are_alike(const pe_report& a, const pe_report& b) {
  return a.on == b.on && a.world == b.world && a.object == b.object && a.number == b.number &&
         a.called == b.called && a.what == b.what && a.is_refused == b.is_refused &&
         a.is_without_advance == b.is_without_advance && a.keeps_replies == b.keeps_replies &&
         (a.unpulled == 0) == (b.unpulled == 0) && (a.held_back == 0) == (b.held_back == 0) &&
         a.lists_all_worlds == b.lists_all_worlds && a.worlds == b.worlds &&
         std::equal(a.member_of.begin(), a.member_of.begin() + a.worlds, b.member_of.begin());
}

// Returns the common report of PEs without room for groups of their own; claims only that the PEs
// wait.
pe_report various() {
  pe_report r;
  r.on = needs::any;
  r.lists_all_worlds = false;
  std::strncpy(r.called.data(), "various functions", r.called.size() - 1);
  return r;
}

void add_range(pe_group& to, pe_group::range more) {
  std::vector<pe_group::range> all(to.ranks.begin(), to.ranks.begin() + to.ranges);
  all.push_back(more);
  std::ranges::sort(all, {}, &pe_group::range::first);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].first <= all[kept].last + 1) {
      all[kept].last = std::max(all[kept].last, all[i].last);
    } else {
      all[++kept] = all[i];
    }
  }
  to.ranges = static_cast<std::uint32_t>(std::min(kept + 1, pe_group::max_ranges));
  std::copy_n(all.begin(), to.ranges, to.ranks.begin());
}

}  // namespace

pe_group group_of(const pe_report& one) {
  pe_group group;
  group.like = one;
  group.pes = 1;
  group.ranges = 1;
  group.ranks[0] = {one.rank, one.rank};
  group.unpulled = one.unpulled;
  group.stamp = stamp_of(one);
  return group;
}

std::optional<pe_group> group_in(std::span<const std::byte, sizeof(pe_group)> bytes, int pes) {
  constexpr std::size_t report = offsetof(pe_group, like);
  // (Checked before the bytes are read as bool.)
  for (const std::size_t at :
       {offsetof(pe_report, lists_all_worlds), offsetof(pe_report, is_refused),
        offsetof(pe_report, keeps_replies), offsetof(pe_report, is_without_advance)}) {
    if (std::to_integer<unsigned>(bytes[report + at]) > 1) return {};
  }
  pe_group group;
  std::memcpy(static_cast<void*>(&group), bytes.data(), sizeof group);
  pe_report& like = group.like;
  constexpr double longest = 1e9;  // seconds
  const bool is_possible = like.on <= needs::all && group.pes > 0 && group.pes <= pes &&
                           group.ranges <= pe_group::max_ranges &&
                           like.worlds <= pe_report::max_worlds && like.seconds >= 0 &&
                           like.seconds <= longest;
  if (!is_possible) return {};
  for (std::uint32_t i = 0; i < group.ranges; ++i) {
    const auto [first, last] = group.ranks[i];
    if (first < 0 || last < first || last >= pes) return {};
  }
  like.called.back() = like.what.back() = like.world_name.back() = '\0';
  return group;
}

void add(std::vector<pe_group>& groups, const pe_group& more) {
  for (pe_group& group : groups) {
    if (are_alike(group.like, more.like)) return merge(group, more);
  }
  if (groups.size() + 1 < max_groups) {
    groups.push_back(more);
    return;
  }
  pe_group rest = more;
  rest.like = various();
  rest.like.seconds = more.like.seconds;
  if (groups.size() + 1 == max_groups) {
    groups.push_back(rest);
  } else {
    merge(groups.back(), rest);
  }
}

void merge(pe_group& into, const pe_group& more) {
  for (std::uint32_t i = 0; i < more.ranges; ++i) add_range(into, more.ranks[i]);
  into.pes += more.pes;
  into.stamp += more.stamp;
  into.unpulled += more.unpulled;
  into.like.held_back = std::max(into.like.held_back, more.like.held_back);
  into.like.seconds = std::min(into.like.seconds, more.like.seconds);
}

std::string name_pes(const pe_group& group) {
  std::string names = group.pes == 1 ? "PE " : "PEs ";
  std::int32_t named = 0;
  for (std::uint32_t i = 0; i < group.ranges; ++i) {
    const auto [first, last] = group.ranks[i];
    if (i != 0) names += ", ";
    names += std::to_string(first);
    if (last != first) names += (last == first + 1 ? ", " : " to ") + std::to_string(last);
    named += last - first + 1;
  }
  if (named < group.pes) names += " and " + std::to_string(group.pes - named) + " others";
  return names;
}

}  // namespace boxcar::detail
