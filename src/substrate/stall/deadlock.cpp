#include "substrate/stall/deadlock.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <string_view>

#include "substrate/collective_call.hpp"

namespace boxcar::detail {
namespace {

constexpr std::size_t longest_list = 1400;

std::span<const pe_report::membership> worlds_of(const pe_report& r) {
  return std::span(r.member_of).first(r.worlds);
}

bool is_in(const pe_report& r, std::uint64_t world) {
  return std::ranges::find(worlds_of(r), world, &pe_report::membership::world) !=
         worlds_of(r).end();
}

bool are_at_one_place(const pe_report& a, const pe_report& b) {
  return a.on == b.on && a.world == b.world && a.object == b.object && a.number == b.number;
}

class search {
 public:
  explicit search(std::span<const pe_group> groups)
      : groups_(groups), stuck_(groups.size(), true) {}

  std::vector<std::size_t> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (!stuck_[i] || stays_stuck(groups_[i].like)) continue;
        stuck_[i] = false;
        changed = true;
      }
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (stuck_[i]) found.push_back(i);
    }
    return found;
  }

 private:
  [[nodiscard]] bool stays_stuck(const pe_report& r) const {
    return r.on == needs::all ? misses_one_that_is_stuck(r) : depends_on_the_stuck_alone(r);
  }

  [[nodiscard]] bool misses_one_that_is_stuck(const pe_report& r) const {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!stuck_[i]) continue;
      const pe_report& other = groups_[i].like;
      if (is_in(other, r.world) && !are_at_one_place(r, other)) return true;
    }
    return false;
  }

  [[nodiscard]] bool depends_on_the_stuck_alone(const pe_report& r) const {
    if (!r.lists_all_worlds) return false;  // (all of the job is a case of its own)
    bool waits_in_one_of_them = false;
    for (const auto& [world, pes, sessions] : worlds_of(r)) {
      waits_in_one_of_them = waits_in_one_of_them || world == r.world;
      if (sessions == 0 && world != r.world) continue;
      if (stuck_members(world) != pes) return false;
    }
    return waits_in_one_of_them;
  }

  [[nodiscard]] int stuck_members(std::uint64_t world) const {
    int members = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (stuck_[i] && is_in(groups_[i].like, world)) members += groups_[i].pes;
    }
    return members;
  }

  std::span<const pe_group> groups_;
  std::vector<bool> stuck_;
};

int count_pes(std::span<const pe_group> groups) {
  int pes = 0;
  for (const pe_group& group : groups) pes += group.pes;
  return pes;
}

// Returns the call of a reporting PE, and its object, in words.
std::string describe_place(const pe_report& r, int pes) {
  std::string text = doing(r);
  const bool is_named = r.world_name[0] != '\0';
  if (r.world_pes != 0 && static_cast<int>(r.world_pes) != pes && !is_named) {
    text += " of a part of the world with " + std::to_string(r.world_pes) + " PEs";
  }
  return text;
}

std::string describe_seconds(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), seconds < 10 ? "%.1f" : "%.0f", seconds);
  return text.data();
}

std::string describe(const pe_group& group, int pes) {
  const pe_report& r = group.like;
  std::string text = name_pes(group) + ": " + describe_place(r, pes) + " for " +
                     describe_seconds(r.seconds) + " seconds";
  if (r.is_refused) text += ", without room for what to push";
  if (r.keeps_replies) text += ", with replies that were not pulled";
  if (group.unpulled != 0) {
    text += group.pes == 1 ? ", holds " : ", hold ";
    text += std::to_string(group.unpulled) + " items that were not pulled";
  }
  if (r.held_back != 0) {
    text += ", with " + std::to_string(r.held_back) + " items held back that handlers sent";
  }
  return text;
}

// Merges groups with the same description, even if the groups belong to different worlds.
std::vector<pe_group> by_words(const std::vector<pe_group>& groups, int pes) {
  std::vector<pe_group> told;
  for (const pe_group& group : groups) {
    const auto same = std::ranges::find_if(told, [&](const pe_group& other) {
      return describe_place(other.like, pes) == describe_place(group.like, pes) &&
             other.like.is_refused == group.like.is_refused &&
             other.like.keeps_replies == group.like.keeps_replies &&
             (other.unpulled == 0) == (group.unpulled == 0);
    });
    if (same == told.end()) {
      told.push_back(group);
    } else {
      merge(*same, group);
    }
  }
  return told;
}

// Returns true if PEs wait for the ends of different worlds.
bool leave_worlds_crosswise(const std::vector<pe_group>& groups) {
  const pe_group* first = nullptr;
  for (const pe_group& group : groups) {
    if (!std::string_view(group.like.called.data()).starts_with("leaving a world")) continue;
    if (first != nullptr && first->like.world != group.like.world) return true;
    first = &group;
  }
  return false;
}

std::string remedy(const std::vector<pe_group>& groups) {
  std::string text;
  if (leave_worlds_crosswise(groups)) {
    text =
        "; worlds with windows or started collectives, which all their PEs leave together, must "
        "end in the same order on every PE";
  }
  for (const pe_group& group : groups) {
    if (group.like.is_without_advance) {
      text += "; " + name_pes(group) + " must call advance: by pull and push alone nothing moves";
    } else if (group.like.keeps_replies) {
      text += "; " + name_pes(group) + " must call pull until every query has its reply";
    } else if (group.unpulled != 0) {
      text += "; " + name_pes(group) + " must call pull: others wait for the buffers that are held";
    }
    if (!text.empty()) break;
  }
  return text +
         "; every PE must call the same operations in the same order, and complete a session "
         "before it waits for others in anything else (BOXCAR_STALL_SECONDS sets how long this "
         "may last)";
}

}  // namespace

std::vector<std::size_t> find_stuck(std::span<const pe_group> groups, int pes) {
  // If all PEs wait, every PE waits for a waiting PE, even if the reports do not name the PE.
  if (count_pes(groups) == pes) {
    std::vector<std::size_t> all(groups.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  return search(groups).run();
}

finding find(std::span<const pe_group> groups, int pes) {
  finding found;
  for (const std::size_t i : find_stuck(groups, pes)) {
    found.stuck.push_back(groups[i]);
    found.stamp += groups[i].stamp;
    found.pes += groups[i].pes;
  }
  return found;
}

std::string describe(const finding& found, int pes) {
  std::string text = found.pes == pes ? "no PE can go on, and nothing moves any more"
                                      : std::to_string(found.pes) + " of " + std::to_string(pes) +
                                            " PEs can never go on";
  const std::vector<pe_group> groups = by_words(found.stuck, pes);
  std::string list;
  std::size_t told = 0;
  for (const pe_group& group : groups) {
    const std::string next = (told == 0 ? ": " : "; ") + describe(group, pes);
    if (list.size() + next.size() > longest_list) break;
    list += next;
    ++told;
  }
  if (told < groups.size()) list += "; and others";
  return text + list + remedy(groups);
}

}  // namespace boxcar::detail
