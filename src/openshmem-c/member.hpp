// The OpenSHMEM state of a PE while OpenSHMEM is initialised: symmetric memory, teams and contexts.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <boxcar/detail/window_core.hpp>
#include <boxcar/world.hpp>

#include "openshmem-c/active_set.hpp"
#include "openshmem-c/symmetric_variables.hpp"
#include "openshmem-c/team_list.hpp"
#include "openshmem-c/team_memory.hpp"
#include "substrate/parts_in_use.hpp"

namespace boxcar::openshmem_c {

// A symmetric address stands for an index in a window of bytes: the heap, or the variables of the
// program. Blocks of the heap lie at equal indices on all PEs, as the PEs allocate and free blocks
// alike. Functions are local and belong to the PE's thread, unless said otherwise.
class member {
 public:
  // Collective. The PE of this thread begins, or ends, to use OpenSHMEM. Throw contract_error if
  // OpenSHMEM is already, or not, in use.
  static void begin();
  static void end();
  // Returns the member of this PE. Throws contract_error outside of begin and end.
  static member& here();
  // Returns true between begin and end.
  static bool is_here();
  // Returns true between end and the next begin.
  static bool has_ended();

  // The level of threads, SHMEM_THREAD_SINGLE at first. `set_thread_level` is collective, provides
  // at least the level unless PEs are threads of a process, and throws argument_error unless all
  // PEs give the same level.
  [[nodiscard]] int thread_level() const { return thread_level_; }
  void set_thread_level(int level);

  [[nodiscard]] world& all() { return world_; }
  [[nodiscard]] int rank() const { return world_.rank(); }
  [[nodiscard]] active_set all_pes() const { return {0, 1, world_.size()}; }
  [[nodiscard]] team_list& teams() { return teams_; }
  // Returns the memory of the collectives of teams, symmetric on all PEs.
  [[nodiscard]] team_memory& own_team_memory() const;

  // Collective. Returns a block at the same index on all PEs; nullptr, after a message, if the heap
  // has no room for the block, or the alignment cannot be had. Throws argument_error unless all PEs
  // give the same numbers. Precondition: `alignment` is a power of two.
  void* allocate(std::size_t bytes, std::size_t alignment, bool zeroed);
  // Collective. Returns a block of the new size with the content of the block, which is released;
  // nullptr if the heap has no room, with no effect.
  void* reallocate(void* block, std::size_t bytes);
  // Collective. Throws argument_error unless `allocate` has returned the block.
  void release(void* block);

  // Collective. Throws argument_error unless all PEs give the same block, or none of no bytes, and
  // the same number of bytes.
  void require_alike(const char* what, const void* memory, std::size_t bytes) const;

  struct place {
    detail::window_core* window;
    std::size_t index;
  };
  // Returns the place of a symmetric address. Throws argument_error unless the `bytes` from the
  // address lie in one block, or in the variables; `what` names the argument in the message.
  [[nodiscard]] place locate(const void* address, std::size_t bytes, const char* what);
  // Returns the place of the target of an operation, ordered behind earlier fences.
  [[nodiscard]] place target(const void* address, std::size_t bytes, const char* what);
  // Acts as `target`; any place in the heap for no bytes at any address.
  [[nodiscard]] place target_or_none(const void* address, std::size_t bytes, const char* what) {
    return bytes == 0 ? place{&heap_, 0} : target(address, bytes, what);
  }
  [[nodiscard]] bool is_symmetric(const void* address) const;
  // Returns the address at which `pe` has the counterpart of the object at `address`; nullptr if
  // the PE is on another node. Throws argument_error unless the object is symmetric.
  [[nodiscard]] std::byte* counterpart(const void* address, int pe) const;

  void fence();
  void quiet();
  // Returns when the condition holds. Serves other PEs, and other threads of the PE, meanwhile.
  void wait(const std::function<bool()>& condition);
  // The index at which the next search among several variables begins.
  [[nodiscard]] std::size_t first_to_test() const { return first_to_test_; }
  void set_first_to_test(std::size_t index) { first_to_test_ = index; }
  // Serves other PEs once. Programs poll what other PEs write.
  void serve();

 private:
  explicit member(world& w, member* outer);
  static void forget();
  [[nodiscard]] std::byte* base() const { return heap_.mine().data; }
  // Returns the index in the heap if the bytes lie in one block.
  [[nodiscard]] std::optional<std::size_t> index_in_heap(const void* address,
                                                         std::size_t bytes) const;
  [[noreturn]] void refuse(const void* address, std::size_t bytes, const char* what) const;
  // Collective. Finds out which alignments the addresses of all PEs have in common.
  void find_alignment();
  // Prints a message on PE 0 about a block that cannot be had.
  void report_no_block(std::size_t bytes, const std::string& why) const;

  world& world_;
  member* outer_;  // this thread's PE of an enclosing world
  symmetric_variables variables_;
  detail::window_core heap_;
  detail::parts_in_use room_;
  struct block {
    std::size_t bytes;
    std::size_t taken_at;  // begin of the room of the block
    std::size_t room;      // bytes from the begin of the block to the end of its room
  };
  std::map<std::size_t, block> blocks_;  // by the index of the first byte
  // The largest alignment of blocks. The address of index 0 is `misalignment_` bytes behind a
  // multiple of the alignment on all PEs.
  std::size_t max_alignment_;
  std::size_t misalignment_;
  team_list teams_;
  int thread_level_ = SHMEM_THREAD_SINGLE;
  std::size_t first_to_test_ = 0;
  // Windows with operations since the last quiet, and before the last fence: bit 0 is the heap's,
  // and bit 1 is the variables'.
  unsigned used_ = 0;
  unsigned fenced_ = 0;
};

}  // namespace boxcar::openshmem_c
