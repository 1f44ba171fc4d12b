#include "substrate/discovery.hpp"

#include <array>
#include <dlfcn.h>
#include <fstream>
#include <optional>
#include <sys/auxv.h>
#include <unistd.h>

#include <boxcar/error.hpp>

#include "substrate/agreed_error.hpp"
#include "substrate/environment.hpp"
#include "substrate/library.hpp"
#include "substrate/processes/join.hpp"

namespace boxcar::detail {
namespace {

// Returns true if the program, or a library linked with the program, has the symbol.
bool program_has(const char* symbol) {
  return dlsym(RTLD_DEFAULT, symbol) != nullptr;
}

bool program_has_initialised_mpi() {
  void* function = dlsym(RTLD_DEFAULT, "MPI_Initialized");
  if (function == nullptr) return false;
  int yes = 0;
  reinterpret_cast<int (*)(int*)>(function)(&yes);
  return yes != 0;
}

// Returns the name of the MPI linked with the program.
const char* mpi_of_program() {
  if (program_has("ompi_mpi_comm_world")) return "openmpi";
  return program_has("MPIR_Err_return_comm") || program_has("MPIR_Process") ||
                 program_has("MPIX_Query_cuda_support")
             ? "mpich"
             : "mpi";
}

// Open MPI's OpenSHMEM looks up where the program's data begin and end. In a program linked without
// OpenSHMEM, the look-up finds the data of some library, and the program most often crashes,
// unless the program shows its own data. Programs linked by the options of Boxcar do.
bool program_shows_its_data() {
  void* data = dlsym(RTLD_DEFAULT, "data_start");
  void* entry = reinterpret_cast<void*>(getauxval(AT_ENTRY));
  Dl_info of_data;
  Dl_info of_program;
  return data != nullptr && program_has("_end") && dladdr(data, &of_data) != 0 &&
         dladdr(entry, &of_program) != 0 && of_data.dli_fbase == of_program.dli_fbase;
}

bool started_by_oshrun() {
  std::ifstream command("/proc/" + std::to_string(getppid()) + "/cmdline");
  std::string program;
  std::getline(command, program, '\0');
  return program.substr(program.rfind('/') + 1) == "oshrun";
}

std::optional<discovery> what_was_asked_for() {
  const std::string name = substrate_from_environment();
  if (name.empty()) return std::nullopt;
  const std::string why = "BOXCAR_SUBSTRATE=" + name;
  if (name == "alone") return discovery{connection::none, {}, why};
  for (const char* library : library_names) {
    if (name == library) return discovery{connection::library, library, why};
  }
  throw argument_error(why +
                       " is no substrate of this program: give alone, openmpi, mpich, mpi, "
                       "shmem or ofi, or unset it");
}

std::optional<discovery> what_the_program_uses() {
  if (!program_has_initialised_mpi()) return std::nullopt;
  // Open MPI's OpenSHMEM initialises MPI, too.
  if (program_has("shmem_my_pe")) {
    return discovery{connection::library, "shmem", "the program uses OpenSHMEM"};
  }
  return discovery{connection::library, mpi_of_program(), "the program has initialised MPI"};
}

discovery what_the_launcher_left() {
  switch (launched_by_cluster()) {
    case cluster_launcher::open_mpi_on_one_node:
      if (started_by_oshrun() && program_shows_its_data()) {
        return {connection::library, "shmem", "oshrun started the program"};
      }
      [[fallthrough]];
    case cluster_launcher::open_mpi:
      return {connection::library, "openmpi", "Open MPI's launcher started the program"};
    case cluster_launcher::pmi:
      return {connection::library, "mpich",
              "a launcher that speaks PMI, such as MPICH's mpiexec, started the program"};
    case cluster_launcher::pmix:
      return {connection::library, "openmpi",
              "a launcher that speaks PMIx, such as srun --mpi=pmix, started the program"};
    case cluster_launcher::slurm_alone:
      throw agreed_error(
          "srun started several processes of this program, but gave them no means to find one "
          "another: start it by srun --mpi=pmix or --mpi=pmi2, or by mpirun, or set "
          "BOXCAR_SUBSTRATE=alone to let each be a world of its own");
    case cluster_launcher::none:
      break;
  }
  return {connection::none, {}, "no launcher started the program"};
}

}  // namespace

discovery discover() {
  if (const auto process = launched_by_boxcar()) {
    if (process->hosts) {
      return {connection::library, "ofi", "`boxcar run --hosts` started the program"};
    }
    // The shared memory of the PEs also serves as the bootstrap of libfabric.
    if (substrate_from_environment() == "ofi") return *what_was_asked_for();
    return {connection::processes, {}, "`boxcar run` started the program"};
  }
  if (auto asked = what_was_asked_for()) return *asked;
  if (auto used = what_the_program_uses()) return *used;
  return what_the_launcher_left();
}

std::unique_ptr<substrate> join(const discovery& found) {
  switch (found.by) {
    case connection::processes:
      return join_processes(*launched_by_boxcar());
    case connection::library:
      return join_by_library(found.library, found.why);
    case connection::none:
      break;
  }
  return nullptr;
}

}  // namespace boxcar::detail
