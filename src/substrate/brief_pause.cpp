#include "substrate/brief_pause.hpp"

#include <thread>

namespace boxcar::detail {

void pause_briefly() noexcept {
  std::this_thread::yield();
}

}  // namespace boxcar::detail
