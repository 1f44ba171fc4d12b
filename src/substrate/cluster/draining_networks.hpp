// A network that this PE has left stays until no other PE sends on the network any more. A late
// message would be received by a later communicator with the same number, or be written into memory
// with another use. When PEs have failed, the end of sends is never known, and networks stay for
// ever.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "substrate/cluster/network.hpp"

namespace boxcar::detail {

class draining_networks {
 public:
  // Never destroyed: the libraries below a network may end later than the program's static objects.
  static draining_networks& instance();

  void add(std::unique_ptr<network> net);
  // Drops silent networks. Returns true if no network is left.
  bool reap_idle();
  // Waits at the end of the program, when all PEs are about to leave, and at most a little late.
  static void wait_for_others();

 private:
  std::mutex guard_;  // threads may have worlds of their own
  std::vector<std::unique_ptr<network>> nets_;
};

// Returns a network that this PE leaves when the network's last world is gone.
std::shared_ptr<network> until_left(std::unique_ptr<network> net);

}  // namespace boxcar::detail
