#include "world/implicit_world.hpp"

#include <cstdlib>
#include <unistd.h>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "substrate/liveness/program_end.hpp"
#include "substrate/substrate.hpp"
#include "world/exit_guard.hpp"
#include "world/hosted_pe.hpp"
#include "world/join.hpp"

namespace boxcar::detail {
namespace {

struct joined_world {
  world here = join();
  pid_t member = getpid();
};

joined_world* joined = nullptr;

// The PE leaves the world although the program has not freed all objects. A forked child does not
// make the PE leave. A program that fails does not leave the world: other PEs would report that the
// PE has left before the launcher reports the failure.
void leave_at_exit() {
  if (getpid() != joined->member || program_has_failed()) return;
  joined->here.substrate()->depart();
}

}  // namespace

world& implicit_world() {
  if (world* w = detail::current_world()) return *w;
  if (hosted_pe* here = hosted_pe::current()) return here->implicit_world();
  if (joined == nullptr) {
    if (pes_are_running()) {
      throw contract_error(
          "this thread is no PE, but others of this program are: call this from one of those");
    }
    // Never destroyed: conveyors may be used until the very end, by functions given to atexit.
    joined = new joined_world;
    std::atexit(leave_at_exit);
  }
  return joined->here;
}

}  // namespace boxcar::detail
