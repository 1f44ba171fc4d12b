// Teams and contexts of shmem.h.
#include <algorithm>
#include <bit>
#include <vector>

#include "openshmem-c/call.hpp"
#include "openshmem-c/group_collectives.hpp"
#include "openshmem-c/reductions.hpp"

namespace boxcar::openshmem_c {
namespace {

constexpr int failure = -1;
constexpr int no_pe = -1;

std::vector<int> slots_in(const slot_set& set) {
  std::vector<int> slots;
  for (std::size_t word = 0; word < set.size(); ++word) {
    for (unsigned long rest = set[word]; rest != 0; rest &= rest - 1) {
      slots.push_back(static_cast<int>(word) * bits_of_slots + std::countr_zero(rest));
    }
  }
  return slots;
}

// Collective over the team. Takes `count` slots that are free on all PEs, on each PE; returns no
// slots if there are not as many.
//
// A wait in a reduction lets other threads split other teams. So a PE takes slots after the PEs
// have chosen the slots, and all PEs learn whether each PE could; if not, the PEs choose again.
// Splits of different teams start to choose at different slots.
std::vector<int> take_common_slots(member& here, const boxcar_shmem_team& team, std::size_t count) {
  team_list& teams = here.teams();
  team_memory::split& its = here.own_team_memory().splits[static_cast<std::size_t>(team.slot)];
  const auto combine = [&] {
    reduce(group_of_team(here, team), its.of_all.data(), its.mine.data(), its.mine.size(),
           sizeof its.mine[0], combine_elements<unsigned long, operator_and>);
  };
  for (std::size_t attempt = 1;; ++attempt) {
    its.mine = teams.free_slots();
    combine();
    std::vector<int> slots = slots_in(its.of_all);
    if (slots.size() < count) return {};
    const std::size_t first = static_cast<std::size_t>(team.slot) * attempt % slots.size();
    std::ranges::rotate(slots, slots.begin() + static_cast<std::ptrdiff_t>(first));
    slots.resize(count);
    const bool are_taken = teams.take_slots(slots);
    its.mine.fill(are_taken ? ~0UL : 0);
    combine();
    if (its.of_all[0] != 0) return slots;
    if (are_taken) std::ranges::for_each(slots, [&](int slot) { teams.give_back_slot(slot); });
  }
}

shmem_team_config_t configuration(const shmem_team_config_t* given, long mask) {
  if (given == nullptr || (mask & SHMEM_TEAM_NUM_CONTEXTS) == 0) return {0};
  return *given;
}

int split_strided(member& here, shmem_team_t parent, int start, int stride, int size,
                  const shmem_team_config_t& config, shmem_team_t* result) {
  *result = SHMEM_TEAM_INVALID;
  const boxcar_shmem_team* const team = here.teams().find(parent);
  if (team == nullptr || !team->pes.has(start, stride, size)) return failure;
  const active_set pes = team->pes.subset(start, stride, size);
  const std::vector<int> slots = take_common_slots(here, *team, 1);
  if (slots.empty()) return failure;
  if (pes.index_of(here.rank()) >= 0) {
    *result = here.teams().add(pes, slots[0], config);
  } else {
    here.teams().give_back_slot(slots[0]);
  }
  return 0;
}

// The configurations of the rows and of the columns.
struct axis_configurations {
  shmem_team_config_t x;
  shmem_team_config_t y;
};

int split_2d(member& here, shmem_team_t parent, int xrange, const axis_configurations& configs,
             shmem_team_t* xaxis, shmem_team_t* yaxis) {
  *xaxis = *yaxis = SHMEM_TEAM_INVALID;
  const boxcar_shmem_team* const team = here.teams().find(parent);
  if (team == nullptr || xrange < 1) return failure;
  const int all = team->pes.size;
  const int length = std::min(xrange, all);
  const std::vector<int> slots = take_common_slots(here, *team, 2);
  if (slots.empty()) return failure;
  const int me = team->pes.index_of(here.rank());
  const int column = me % length;
  const int row_begin = me - column;
  const active_set row = team->pes.subset(row_begin, 1, std::min(length, all - row_begin));
  const active_set in_column =
      team->pes.subset(column, length, (all - column + length - 1) / length);
  *xaxis = here.teams().add(row, slots[0], configs.x);
  *yaxis = here.teams().add(in_column, slots[1], configs.y);
  return 0;
}

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

int shmem_team_my_pe(shmem_team_t team) {
  return in_call(__func__, [&] {
    member& here = member::here();
    const boxcar_shmem_team* const its = here.teams().find(team);
    return its == nullptr ? no_pe : its->pes.index_of(here.rank());
  });
}

int shmem_team_n_pes(shmem_team_t team) {
  return in_call(__func__, [&] {
    const boxcar_shmem_team* const its = member::here().teams().find(team);
    return its == nullptr ? no_pe : its->pes.size;
  });
}

int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
  return in_call(__func__, [&] {
    team_list& teams = member::here().teams();
    const boxcar_shmem_team* const from = teams.find(src_team);
    const boxcar_shmem_team* const to = teams.find(dest_team);
    if (from == nullptr || to == nullptr || src_pe < 0 || src_pe >= from->pes.size) return no_pe;
    return to->pes.index_of(from->pes.pe(src_pe));
  });
}

int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config) {
  return in_call(__func__, [&] {
    const boxcar_shmem_team* const its = member::here().teams().find(team);
    if (its == nullptr) return failure;
    if ((config_mask & SHMEM_TEAM_NUM_CONTEXTS) != 0)
      config->num_contexts = its->config.num_contexts;
    return 0;
  });
}

void* shmem_team_ptr(shmem_team_t team, const void* dest, int pe) {
  return in_call(__func__, [&]() -> void* {
    member& here = member::here();
    const boxcar_shmem_team* const its = here.teams().find(team);
    if (its == nullptr || pe < 0 || pe >= its->pes.size) return nullptr;
    return here.counterpart(dest, its->pes.pe(pe));
  });
}

int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t* config, long config_mask,
                             shmem_team_t* new_team) {
  return in_call(__func__, [&] {
    return split_strided(member::here(), parent_team, start, stride, size,
                         configuration(config, config_mask), new_team);
  });
}

int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                        const shmem_team_config_t* xaxis_config, long xaxis_mask,
                        shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                        long yaxis_mask, shmem_team_t* yaxis_team) {
  return in_call(__func__, [&] {
    return split_2d(
        member::here(), parent_team, xrange,
        {configuration(xaxis_config, xaxis_mask), configuration(yaxis_config, yaxis_mask)},
        xaxis_team, yaxis_team);
  });
}

void shmem_team_destroy(shmem_team_t team) {
  in_call(__func__, [&] {
    member& here = member::here();
    const boxcar_shmem_team* const its = here.teams().find(team);
    if (its == nullptr) return;
    // The other PEs may still use the work array.
    synchronise(group_of_team(here, *its));
    here.teams().remove(team);
  });
}

int shmem_ctx_create(long, shmem_ctx_t* ctx) {
  return in_call(__func__, [&] {
    member& here = member::here();
    *ctx = here.teams().add_context(SHMEM_TEAM_WORLD, here.all_pes());
    return 0;
  });
}

int shmem_team_create_ctx(shmem_team_t team, long, shmem_ctx_t* ctx) {
  return in_call(__func__, [&] {
    member& here = member::here();
    const boxcar_shmem_team* const its = here.teams().find(team);
    *ctx = its == nullptr ? SHMEM_CTX_INVALID : here.teams().add_context(team, its->pes);
    return its == nullptr ? failure : 0;
  });
}

void shmem_ctx_destroy(shmem_ctx_t ctx) {
  in_call(__func__, [&] {
    member& here = member::here();
    if (ctx == SHMEM_CTX_INVALID) return;
    here.quiet();
    here.teams().remove_context(ctx);
  });
}

int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team) {
  return in_call(__func__, [&] {
    *team = SHMEM_TEAM_INVALID;
    if (ctx == SHMEM_CTX_INVALID) return failure;
    *team =
        ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : member::here().teams().find_context(ctx).team;
    return 0;
  });
}
