// Checks and scopes at the beginning of operations on windows, counters and append buffers.
#pragma once

#include <string>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/object_handle.hpp>
#include <boxcar/error.hpp>

#include "one_sided/rpc_engine.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Returns the state of an object of type `kind` on the PE. Throws contract_error if the handle has
// been moved from.
template <typename State>
State& state_of(const object_handle& handle, const char* operation, const char* kind) {
  if (handle.object() != nullptr) return static_cast<State&>(*handle.object());
  throw contract_error(std::string(operation) + ": the " + kind +
                       " has been moved from; use the one it was moved to");
}

// The scope of an operation that accesses memory of a PE. If the PE is on another node, the
// operation may wait.
class operation_on_pe {
 public:
  operation_on_pe(const substrate& world, const char* name, int pe) : scope_(name) {
    world.require_pe(name, pe);
    if (!world.is_local(pe)) require_free(world, name);
  }

 private:
  called_scope scope_;
};

// The scope of an operation that may wait, whatever PEs it involves.
class waiting_operation {
 public:
  waiting_operation(const substrate& world, const char* name) : scope_(name) {
    require_free(world, name);
  }

 private:
  called_scope scope_;
};

}  // namespace boxcar::detail
