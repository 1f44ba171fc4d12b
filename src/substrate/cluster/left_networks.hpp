// Networks that this PE has left. They stay until no other PE has anything to say on them: what
// nobody takes would be found by whoever gets a communicator with the same number, or be written
// into memory that serves something else. When PEs have failed it is never known, and they stay for
// ever.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "substrate/cluster/network.hpp"

namespace boxcar::detail {

class left_networks {
 public:
  // Never destroyed: what is below the network may end later than the program's static objects.
  static left_networks& instance();

  void add(std::unique_ptr<network> net);
  // Drops those that are silent; true if none is left.
  bool drop_silent();
  // For the end of the program, when all PEs are about to leave, and only a little late.
  static void wait_for_others();

 private:
  std::mutex guard_;  // threads may have worlds of their own
  std::vector<std::unique_ptr<network>> nets_;
};

// A network that is left when its last world is gone.
std::shared_ptr<network> until_left(std::unique_ptr<network> net);

}  // namespace boxcar::detail
