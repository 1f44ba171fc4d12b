// The teams and contexts of a PE.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <boxcar/openshmem-c/shmem.h>

#include "openshmem-c/active_set.hpp"
#include "openshmem-c/team_memory.hpp"

struct boxcar_shmem_team {
  boxcar::openshmem_c::active_set pes;  // numbers of PEs in the world
  int slot;                             // in team_memory
  shmem_team_config_t config;
};

struct boxcar_shmem_context {
  boxcar::openshmem_c::active_set pes;  // numbers of PEs in the world
  shmem_team_t team;
};

namespace boxcar::openshmem_c {

// Functions are local.
class team_list {
 public:
  team_list(const active_set& all, const active_set& sharing);

  // Returns the team of a handle; nullptr for SHMEM_TEAM_INVALID. Throws argument_error if the
  // handle is of no team of the PE.
  [[nodiscard]] boxcar_shmem_team* find(shmem_team_t handle);
  // Precondition: the slot has been taken.
  [[nodiscard]] shmem_team_t add(const active_set& pes, int slot,
                                 const shmem_team_config_t& config);
  // Destroys the team and its contexts. Throws argument_error if the team is predefined.
  void remove(shmem_team_t handle);
  [[nodiscard]] const slot_set& free_slots() const { return free_slots_; }
  // Takes all of the slots if all are free; returns false, with no effect, otherwise. Only
  // `give_back_slot` and `remove` of a team with the slot free a slot.
  [[nodiscard]] bool take_slots(std::span<const int> slots);
  void give_back_slot(int slot) { mark_slot(slot, true); }

  [[nodiscard]] shmem_ctx_t add_context(shmem_team_t team, const active_set& pes);
  void remove_context(shmem_ctx_t context);
  // Returns the context of a handle other than SHMEM_CTX_DEFAULT. Throws argument_error if there is
  // no such context.
  [[nodiscard]] const boxcar_shmem_context& find_context(shmem_ctx_t handle) const;

 private:
  void mark_slot(int slot, bool is_free);

  boxcar_shmem_team world_;
  boxcar_shmem_team shared_;
  slot_set free_slots_{};
  std::vector<std::unique_ptr<boxcar_shmem_team>> teams_;
  std::vector<std::unique_ptr<boxcar_shmem_context>> contexts_;
};

}  // namespace boxcar::openshmem_c
