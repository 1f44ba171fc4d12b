// The OpenSHMEM state of a PE while OpenSHMEM is initialised: a symmetric heap.
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include <boxcar/detail/window_core.hpp>
#include <boxcar/world.hpp>

#include "substrate/parts_in_use.hpp"

namespace boxcar::openshmem_c {

// The heap is a window of bytes, and a local address stands for an index in the window: blocks lie
// at equal indices on all PEs, as the PEs allocate and free blocks alike. Functions are local and
// belong to the PE's thread, unless said otherwise.
class member {
 public:
  // Collective. The PE of this thread begins, or ends, to use OpenSHMEM. Throw contract_error if
  // OpenSHMEM is already, or not, in use.
  static void begin();
  static void end();
  // Returns the member of this PE. Throws contract_error outside of begin and end.
  static member& here();

  [[nodiscard]] world& all() { return world_; }
  [[nodiscard]] detail::window_core& heap() { return heap_; }

  // Collective. Returns a block at the same index on all PEs; nullptr if the heap has no room for
  // the block. Throws argument_error unless all PEs give the same number.
  void* allocate(std::size_t bytes, bool zeroed);
  // Collective. Throws argument_error unless `allocate` has returned the block.
  void release(void* block);

  // Collective. Throws argument_error unless all PEs give the same block, or none of no bytes, and
  // the same number of bytes.
  void require_alike(const char* what, const void* block, std::size_t bytes) const;
  // Returns the index of an address. Throws argument_error unless the `bytes` from the address lie
  // in one block; `what` names the argument in the message.
  std::size_t index_of(const void* address, std::size_t bytes, const char* what) const;
  // Returns the address at which `pe` has the counterpart of the object at `address`; nullptr if
  // the PE is on another node.
  std::byte* counterpart(const void* address, int pe) const;

 private:
  explicit member(world& w, member* outer);
  static void forget();
  [[nodiscard]] std::byte* base() const { return heap_.mine().data; }

  world& world_;
  member* outer_;  // this thread's PE of an enclosing world
  detail::window_core heap_;
  detail::parts_in_use room_;
  std::map<std::size_t, std::size_t> blocks_;  // begin and size of each block
};

}  // namespace boxcar::openshmem_c
