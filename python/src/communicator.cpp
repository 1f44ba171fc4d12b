#include "communicator.hpp"

#include <boxcar/run.hpp>

#include "substrate/library.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::python {

world world_of_communicator(const std::string& mpi, std::uintptr_t address) {
  const auto* communicator = reinterpret_cast<const void*>(address);
  return boxcar::detail::world_of_joined(
      boxcar::detail::join_communicator(mpi, communicator).release());
}

}  // namespace boxcar::python
