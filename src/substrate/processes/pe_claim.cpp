#include "substrate/processes/pe_claim.hpp"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

bool is_running(pid_t process) {
  return kill(process, 0) == 0 || errno != ESRCH;
}

// "process 1234 (program)"
std::string describe(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string program;
  std::getline(file, program);
  const std::string text = "process " + std::to_string(process);
  return program.empty() ? text : text + " (" + program + ")";
}

[[noreturn]] void refuse(pid_t holder, int rank) {
  const std::string pe = "PE " + std::to_string(rank) + " of `boxcar run`";
  if (holder == getpid()) {
    throw contract_error(
        "this process is " + pe +
        " already, by another copy of Boxcar in it, or as the program that it was before exec: "
        "link the program and its plug-ins with the shared library of Boxcar (boxcar::shared, "
        "`pkg-config boxcar-shared`), and let a program leave the world before exec");
  }
  throw contract_error(
      describe(getpid()) + " cannot be " + pe + ", which " + describe(holder) +
      " is: a PE is one process at a time; let one of the programs of a pipe or a script use "
      "Boxcar and start the others by `env -u BOXCAR_JOB`, and do not start another launcher, such "
      "as mpirun, within `boxcar run`");
}

}  // namespace

void claim_pe(pe_block& pe, int rank) {
  const pid_t own = getpid();
  pid_t holder = pe_block::no_process;
  while (!pe.process.compare_exchange_strong(holder, own, std::memory_order_acq_rel)) {
    if (holder != pe_block::no_process && is_running(holder)) refuse(holder, rank);
  }
}

}  // namespace boxcar::detail
