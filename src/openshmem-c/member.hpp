// What a PE of a program has of OpenSHMEM while it is initialised: a symmetric heap.
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include <boxcar/detail/window_core.hpp>
#include <boxcar/world.hpp>

#include "substrate/parts_in_use.hpp"

namespace boxcar::openshmem_c {

// The heap is a window of bytes, and an address of one's own stands for an index in it: blocks lie
// at the same indices on all PEs, as these allocate and free them alike. Functions are local and
// belong to the PE's thread, unless said otherwise.
class member {
 public:
  // Collective. This thread's PE begins, or ends, to use OpenSHMEM. Throw contract_error if it
  // does already, or does not.
  static void begin();
  static void end();
  // Throws contract_error if it is not between the two.
  static member& here();

  [[nodiscard]] world& all() { return world_; }
  [[nodiscard]] detail::window_core& heap() { return heap_; }

  // Collective. A block at the same index on all PEs; nullptr if there is no room for it. Throws
  // argument_error unless all give the same number.
  void* allocate(std::size_t bytes, bool zeroed);
  // Collective. Throws argument_error if it is none that `allocate` has returned.
  void release(void* block);

  // Collective. Throws argument_error unless all PEs give the same block, or none of no bytes, and
  // as many bytes of it.
  void require_alike(const char* what, const void* block, std::size_t bytes) const;
  // The index of an address whose `bytes` lie in one block. Throws argument_error if they do not;
  // `what` says what they were given as.
  std::size_t index_of(const void* address, std::size_t bytes, const char* what) const;
  // Where the PE has what this PE has at that address; nullptr if it is on another node.
  std::byte* counterpart(const void* address, int pe) const;

 private:
  explicit member(world& w, member* outer);
  static void forget();
  [[nodiscard]] std::byte* base() const { return heap_.mine().data; }

  world& world_;
  member* outer_;  // this thread's PE of a world around this one
  detail::window_core heap_;
  detail::parts_in_use room_;
  std::map<std::size_t, std::size_t> blocks_;  // where they begin, and how much was asked for
};

}  // namespace boxcar::openshmem_c
