#include "communicator.hpp"

#include <boxcar/run.hpp>

#include "substrate/library.hpp"

namespace boxcar::python {

world world_of_communicator(const std::string& mpi, std::uintptr_t address) {
  world joined(boxcar::detail::join_communicator(mpi, reinterpret_cast<const void*>(address)));
  joined.take_over();  // what the module keeps going; the library knows its own only
  boxcar::detail::record_joined(joined);
  return joined;
}

}  // namespace boxcar::python
