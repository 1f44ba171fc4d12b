// The environment variables of Boxcar, and the functions to read the variables.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace boxcar::detail {

struct environment_variable {
  const char* name;
  const char* meaning;
  bool of_others = false;  // set by a launcher, or meant for OpenSHMEM
};

// Returns all variables that Boxcar ever reads, for `boxcar info`.
std::span<const environment_variable> environment_variables();

// Returns the value of a variable of the table, or nullptr.
const char* value_of(const environment_variable& variable);

// The share of one host in the PEs of a job of several hosts.
struct share_of_hosts {
  int first_rank;            // of the host's first PE, in the whole job
  int pes;                   // of the whole job
  int bootstrap_descriptor;  // connects the first PEs of the hosts during the bootstrap
};

// The settings of a process started by `boxcar run`.
struct launched_process {
  int control_descriptor;  // of the memory shared by the launcher and all PEs of the host
  int rank;                // among the PEs of the host
  std::optional<share_of_hosts> hosts = std::nullopt;  // if the job has several hosts
};

// The launcher of a cluster, as the variables for its processes show.
enum class cluster_launcher {
  none,
  open_mpi,              // mpirun or oshrun of Open MPI
  open_mpi_on_one_node,  // mpirun or oshrun of Open MPI, with all processes on this node
  pmi,                   // mpiexec of MPICH and its relatives, or srun --mpi=pmi2
  pmix,                  // srun --mpi=pmix, prun
  slurm_alone,           // srun without a bootstrap between the processes
};
cluster_launcher launched_by_cluster();

// Returns the number of processes started by a cluster's launcher, at least, as far as the launcher
// says; otherwise 1.
int processes_from_launcher();

// The connection of a process to a launcher that speaks the first version of PMI.
struct pmi_process {
  int descriptor;
  int rank;
  int size;
};
std::optional<pmi_process> pmi_process_from_environment();  // PMI_FD, PMI_RANK, PMI_SIZE
bool has_pmix_from_environment();                           // PMIX_RANK

// Returns true if this process is the first of its launcher's job, or has no launcher. Before there
// is a world, only the first process prints a message common to all processes.
bool first_of_job();

// The functions below read the environment at each call. They throw argument_error if a variable
// holds nonsense.
std::optional<launched_process> launched_by_boxcar();
std::string launch_variable(const launched_process& process);      // "BOXCAR_JOB=..."
std::optional<int> pes_from_environment();                         // BOXCAR_PES
std::optional<int> nodes_from_environment();                       // BOXCAR_NODES
std::optional<std::size_t> buffer_bytes_from_environment();        // BOXCAR_BUFFER_BYTES
std::optional<int> convey_nlocal_from_environment();               // CONVEY_NLOCAL
std::optional<std::size_t> convey_buffer_size_from_environment();  // CONVEY_BUFFER_SIZE
std::string substrate_from_environment();                          // BOXCAR_SUBSTRATE, or empty
std::string ofi_provider_from_environment();                       // BOXCAR_OFI_PROVIDER, or empty
std::optional<std::size_t> ofi_rma_bytes_from_environment();       // BOXCAR_OFI_RMA_BYTES
std::string library_path_from_environment();                       // BOXCAR_LIBRARY_PATH, or empty
std::optional<std::size_t> symmetric_bytes_from_environment();     // BOXCAR_SYMMETRIC_BYTES
// Returns the size of a symmetric heap in bytes: SHMEM_SYMMETRIC_SIZE or SMA_SYMMETRIC_SIZE.
std::optional<std::size_t> symmetric_size_from_environment();
// Returns the size set for the symmetric heap of OpenSHMEM, as "NAME=value" for each variable read
// by an implementation of OpenSHMEM; empty if no variable is set.
std::string symmetric_heap_from_environment();
std::string calibration_file_from_environment();  // BOXCAR_CALIBRATION, or empty
// Returns the folder for files of the user that can be made again: XDG_CACHE_HOME, or .cache in
// HOME; empty if neither is set, or the program has the rights of another user.
std::string cache_folder_from_environment();
std::string tuning_file_from_environment();              // BOXCAR_TUNING, or empty
bool tuning_report_from_environment();                   // BOXCAR_TUNING_REPORT
std::string trace_from_environment();                    // BOXCAR_TRACE, or empty
std::size_t trace_events_from_environment();             // BOXCAR_TRACE_EVENTS, or the default
bool threads_from_environment();                         // BOXCAR_THREADS
bool terminal_from_environment();                        // BOXCAR_TERMINAL
std::optional<bool> progress_thread_from_environment();  // BOXCAR_PROGRESS_THREAD
// Returns BOXCAR_STALL_SECONDS, or the default. 0: Boxcar does not look for PEs that hang.
std::chrono::nanoseconds stall_time_from_environment();
// Returns BOXCAR_LOSS_SECONDS, or the default. 0: Boxcar does not look for lost nodes.
std::chrono::seconds loss_time_from_environment();

}  // namespace boxcar::detail
