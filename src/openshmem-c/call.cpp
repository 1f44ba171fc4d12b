#include "openshmem-c/call.hpp"

#include <exception>

#include "openshmem-c/global_exit.hpp"
#include "world/in_call.hpp"
#include "world/join.hpp"

namespace boxcar::openshmem_c {

void give_up(const char* function) {
  if (detail::current_world() == nullptr) {
    try {
      throw;
    } catch (const std::exception& e) {
      if (const auto status = status_of_global_exit(e.what())) end_with(*status);
    }
  }
  detail::give_up(function);
}

}  // namespace boxcar::openshmem_c
