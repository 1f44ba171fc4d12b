// What operations on windows, counters and append buffers begin with.
#pragma once

#include <string>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/object_handle.hpp>
#include <boxcar/error.hpp>

#include "one_sided/request_desk.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// What the object, a `kind`, is on this PE. Throws contract_error if it has been moved from.
template <typename State>
State& state_of(const object_handle& handle, const char* operation, const char* kind) {
  if (handle.object() != nullptr) return static_cast<State&>(*handle.object());
  throw contract_error(std::string(operation) + ": the " + kind +
                       " has been moved from; use the one it was moved to");
}

// An operation of this name that reaches for what a PE has. If that is on another node, it may
// wait.
class operation_on_pe {
 public:
  operation_on_pe(const substrate& world, const char* name, int pe) : scope_(name) {
    world.require_pe(name, pe);
    if (!world.is_local(pe)) require_free(world, name);
  }

 private:
  called_scope scope_;
};

// An operation of this name that may wait, whoever it has to do with.
class waiting_operation {
 public:
  waiting_operation(const substrate& world, const char* name) : scope_(name) {
    require_free(world, name);
  }

 private:
  called_scope scope_;
};

}  // namespace boxcar::detail
