#include "openshmem-c/team_list.hpp"

#include <algorithm>

#include <boxcar/error.hpp>

namespace boxcar::openshmem_c {
namespace {

constexpr int slot_of_world = 0;
constexpr int slot_of_shared = 1;

}  // namespace

team_list::team_list(const active_set& all, const active_set& sharing)
    : world_{all, slot_of_world, {0}}, shared_{sharing, slot_of_shared, {0}} {
  free_slots_.fill(~0UL);
  mark_slot(slot_of_world, false);
  mark_slot(slot_of_shared, false);
}

void team_list::mark_slot(int slot, bool is_free) {
  auto& word = free_slots_[static_cast<std::size_t>(slot / bits_of_slots)];
  const unsigned long bit = 1UL << (slot % bits_of_slots);
  word = is_free ? word | bit : word & ~bit;
}

bool team_list::take_slots(std::span<const int> slots) {
  const auto is_free = [this](int slot) {
    const auto word = static_cast<std::size_t>(slot / bits_of_slots);
    return (free_slots_[word] >> (slot % bits_of_slots) & 1) != 0;
  };
  if (!std::ranges::all_of(slots, is_free)) return false;
  for (const int slot : slots) mark_slot(slot, false);
  return true;
}

boxcar_shmem_team* team_list::find(shmem_team_t handle) {
  if (handle == SHMEM_TEAM_INVALID) return nullptr;
  if (handle == SHMEM_TEAM_WORLD) return &world_;
  if (handle == SHMEM_TEAM_SHARED) return &shared_;
  const auto its = std::ranges::find(teams_, handle, &std::unique_ptr<boxcar_shmem_team>::get);
  if (its != teams_.end()) return its->get();
  throw argument_error(
      "there is no such team on this PE: give a team that shmem_team_split_strided or "
      "shmem_team_split_2d has made and that has not been destroyed");
}

shmem_team_t team_list::add(const active_set& pes, int slot, const shmem_team_config_t& config) {
  teams_.push_back(std::make_unique<boxcar_shmem_team>(boxcar_shmem_team{pes, slot, config}));
  return teams_.back().get();
}

void team_list::remove(shmem_team_t handle) {
  const boxcar_shmem_team* const team = find(handle);
  if (team == &world_ || team == &shared_) {
    throw argument_error("SHMEM_TEAM_WORLD and SHMEM_TEAM_SHARED are there until shmem_finalize");
  }
  mark_slot(team->slot, true);
  std::erase_if(contexts_, [&](const auto& c) { return c->team == handle; });
  std::erase_if(teams_, [&](const auto& t) { return t.get() == team; });
}

shmem_ctx_t team_list::add_context(shmem_team_t team, const active_set& pes) {
  contexts_.push_back(std::make_unique<boxcar_shmem_context>(boxcar_shmem_context{pes, team}));
  return contexts_.back().get();
}

void team_list::remove_context(shmem_ctx_t context) {
  static_cast<void>(find_context(context));
  std::erase_if(contexts_, [&](const auto& c) { return c.get() == context; });
}

const boxcar_shmem_context& team_list::find_context(shmem_ctx_t handle) const {
  const auto its =
      std::ranges::find(contexts_, handle, &std::unique_ptr<boxcar_shmem_context>::get);
  if (its != contexts_.end()) return **its;
  throw argument_error(
      "there is no such context on this PE: give SHMEM_CTX_DEFAULT, or a context that "
      "shmem_ctx_create or shmem_team_create_ctx has made and that has not been destroyed");
}

}  // namespace boxcar::openshmem_c
