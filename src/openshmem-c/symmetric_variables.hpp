// The symmetric variables are the variables of the program with static storage, .data and .bss of
// the executable. Each PE that shares a node with other processes moves its pages into memory
// shared by the node, at unchanged addresses, when OpenSHMEM begins. Executables may lie at other
// addresses in each process: an address stands for an offset from the beginning.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <boxcar/detail/window_core.hpp>
#include <boxcar/world.hpp>

#include "substrate/node_memory.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::openshmem_c {

class symmetric_variables {
 public:
  // Collective. Precondition: no other thread of the process writes variables meanwhile. Throws
  // system_error on all PEs if a PE cannot share memory. The world outlives the object.
  explicit symmetric_variables(const world& w);

  // Returns the offset of the `bytes` bytes at `address`; nothing if they are not symmetric.
  [[nodiscard]] std::optional<std::size_t> offset_of(const void* address, std::size_t bytes) const;
  // Returns whether the address belongs to a variable of the program, symmetric or not.
  [[nodiscard]] bool has(const void* address) const;
  // Returns why the variables are not symmetric; an empty text if they are.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  // Returns the window of the variables; nullptr if the variables are not symmetric.
  [[nodiscard]] detail::window_core* window() { return window_ ? &*window_ : nullptr; }
  // Returns the address of a variable of a PE; nullptr if the PE is on another node. Precondition:
  // the variables are symmetric.
  [[nodiscard]] std::byte* counterpart(std::size_t offset, int pe) const;

 private:
  // Collective. Moves the segment into memory shared by the node; returns whether all PEs have.
  bool share();

  detail::substrate& world_;
  std::span<std::byte> segment_;
  std::string why_not_;
  std::unique_ptr<detail::node_memory> pages_;  // of all PEs of the node; null if none are shared
  std::optional<detail::window_core> window_;
};

}  // namespace boxcar::openshmem_c
