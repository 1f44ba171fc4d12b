// All environment variables that Boxcar reads, in one place.
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
  bool of_others = false;  // a launcher sets it, or it is meant for OpenSHMEM
};

// What `boxcar info` lists: all variables that are ever read here.
std::span<const environment_variable> environment_variables();

// The value of one of them, or nullptr.
const char* value_of(const environment_variable& variable);

// Where the PEs of one host are in a job of several.
struct share_of_hosts {
  int first_rank;          // of the host's first PE, in the whole job
  int pes;                 // of the whole job
  int meeting_descriptor;  // by which the host's first PE meets those of the others
};

// Set by `boxcar run` for the processes that it starts.
struct launched_process {
  int control_descriptor;  // of the memory that the launcher shares with all PEs of the host
  int rank;                // among those
  std::optional<share_of_hosts> hosts = std::nullopt;  // if there are several
};

// What a cluster's launcher left behind for its processes.
enum class cluster_launcher {
  none,
  open_mpi,              // mpirun or oshrun of Open MPI
  open_mpi_on_one_node,  // the same, with all processes on this node
  pmi,                   // mpiexec of MPICH and its relatives, or srun --mpi=pmi2
  pmix,                  // srun --mpi=pmix, prun
  slurm_alone,           // srun without a way for processes to find one another
};
cluster_launcher launched_by_cluster();

// How many processes such a launcher has started, at least, as far as it says; 1 if it does not.
int processes_from_launcher();

// How a process talks to a launcher that speaks the first version of PMI.
struct pmi_process {
  int descriptor;
  int rank;
  int size;
};
std::optional<pmi_process> pmi_process_from_environment();  // PMI_FD, PMI_RANK, PMI_SIZE
bool has_pmix_from_environment();                           // PMIX_RANK

// Whether this process is the first of its launcher's job, or has no launcher. Tells who is to
// print, before there is a world, what all processes would print.
bool first_of_job();

// These read the environment at each call. They throw argument_error if a variable holds nonsense.
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
// How large a symmetric heap shall be, in bytes: SHMEM_SYMMETRIC_SIZE.
std::optional<std::size_t> symmetric_size_from_environment();
// How large OpenSHMEM was told to make its symmetric heap, as "NAME=value" for each variable by
// which one of its implementations can be told; empty if by none.
std::string symmetric_heap_from_environment();
std::string tuning_file_from_environment();   // BOXCAR_TUNING, or empty
bool tuning_report_from_environment();        // BOXCAR_TUNING_REPORT
std::string trace_from_environment();         // BOXCAR_TRACE, or empty
std::size_t trace_events_from_environment();  // BOXCAR_TRACE_EVENTS, or what holds without
bool threads_from_environment();              // BOXCAR_THREADS
bool terminal_from_environment();             // BOXCAR_TERMINAL
bool progress_thread_from_environment();      // BOXCAR_PROGRESS_THREAD
// The same where nobody could be told yet that it holds nonsense: that counts as no.
bool is_progress_thread_wanted() noexcept;
// BOXCAR_STALL_SECONDS, or what holds where it is not set. 0: PEs that hang are not looked for.
std::chrono::nanoseconds stall_time_from_environment();
// BOXCAR_LOSS_SECONDS, or what holds where it is not set. 0: nodes that are lost are not looked
// for.
std::chrono::seconds loss_time_from_environment();

}  // namespace boxcar::detail
