#include "substrate/environment.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <vector>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

constexpr std::array variables{
    environment_variable{"BOXCAR_PES",
                         "PEs, as threads, of a program that no launcher started (default 1)"},
    environment_variable{"BOXCAR_NODES",
                         "pretended nodes that the PEs are spread over (default: the real ones)"},
    environment_variable{"BOXCAR_SUBSTRATE",
                         "what connects the PEs, if not what is found: alone, openmpi, mpich, mpi, "
                         "shmem, ofi"},
    environment_variable{"BOXCAR_OFI_PROVIDER",
                         "libfabric's provider for BOXCAR_SUBSTRATE=ofi, such as tcp (default: the "
                         "best that can do it)"},
    environment_variable{"BOXCAR_OFI_RMA_BYTES",
                         "libfabric's provider puts and gets so many bytes of a window, or more, "
                         "directly; fewer bytes go by requests (default 8192, 0 with an adapter)"},
    environment_variable{"BOXCAR_LIBRARY_PATH",
                         "folder with Boxcar's libraries for MPI and OpenSHMEM, if not beside the "
                         "program's other libraries"},
    environment_variable{"BOXCAR_SYMMETRIC_BYTES",
                         "OpenSHMEM: symmetric memory that a PE takes at first (default 16 MiB)"},
    environment_variable{"BOXCAR_BUFFER_BYTES",
                         "size of a conveyor's buffers where the program does not give one"},
    environment_variable{"BOXCAR_CALIBRATION",
                         "file of `boxcar calibrate` that collectives within a node follow, or "
                         "none (default: that of this machine in the user's cache folder)"},
    environment_variable{"BOXCAR_TUNING",
                         "file in which conveyors and streams that tune themselves find and keep "
                         "what they have found; that of PE 0 counts (default: none)"},
    environment_variable{"BOXCAR_TUNING_REPORT",
                         "1: PE 0 says on standard error what tuning tries and finds (default 0)"},
    environment_variable{"BOXCAR_STALL_SECONDS",
                         "how long PEs may wait for one another without anything moving before the "
                         "job fails; 0: for ever (default 60)"},
    environment_variable{"BOXCAR_LOSS_SECONDS",
                         "libfabric: how long another node may not answer before the job fails, in "
                         "whole seconds, 2 at least; 0: for ever (default 5)"},
    environment_variable{"BOXCAR_PROGRESS_THREAD",
                         "1: a thread of each process serves PEs of other nodes while its PEs "
                         "compute (default 0, but 1 for programs of OpenSHMEM on Boxcar)"},
    environment_variable{"BOXCAR_TRACE",
                         "file that gets what every PE did, as Perfetto and `boxcar report` show "
                         "it (default: none)"},
    environment_variable{"BOXCAR_TRACE_EVENTS",
                         "number of events that a PE records for the trace, 32 bytes each; further "
                         "events are counted only (default 65536)"},
    environment_variable{"CONVEY_NLOCAL",
                         "C interface: PEs per local group where the program gives none"},
    environment_variable{"CONVEY_BUFFER_SIZE",
                         "C interface: size of buffers that the generic constructors prefer"},
    environment_variable{"BOXCAR_JOB", "set by `boxcar run`: where a PE finds the others"},
    environment_variable{"BOXCAR_THREADS",
                         "set by `boxcar run --threads`: the PEs are threads of one process"},
    environment_variable{"BOXCAR_TERMINAL",
                         "set by `boxcar run`: standard error ends at a terminal"},
    environment_variable{"OMPI_COMM_WORLD_SIZE", "Open MPI's launcher: processes of the job", true},
    environment_variable{"OMPI_COMM_WORLD_LOCAL_SIZE",
                         "Open MPI's launcher: processes of the job on this node", true},
    environment_variable{"OMPI_COMM_WORLD_RANK", "Open MPI's launcher: which of them this is",
                         true},
    environment_variable{"PMI_RANK",
                         "MPICH's launcher and others that speak PMI: which process this is", true},
    environment_variable{"PMI_SIZE", "the same: how many there are", true},
    environment_variable{"PMI_FD", "the same: the descriptor by which the launcher is asked", true},
    environment_variable{"PMIX_RANK", "launchers that speak PMIx: which process this is", true},
    environment_variable{"SLURM_STEP_ID", "srun: the job step", true},
    environment_variable{"SLURM_STEP_NUM_TASKS", "srun: processes of the step", true},
    environment_variable{"SLURM_PROCID", "srun: which of them this is", true},
    environment_variable{"SHMEM_SYMMETRIC_SIZE",
                         "OpenSHMEM, also our part of it: size of its symmetric heap (64M)", true},
    environment_variable{"SMA_SYMMETRIC_SIZE", "the same, of old, and for Open MPI 4", true},
    environment_variable{"SHMEM_SYMMETRIC_HEAP_SIZE", "the same by another name", true},
};

// The name of a variable of the table. A name that the table lacks does not compile, so that Boxcar
// reads no variable missing in `boxcar info`.
class listed_name {
 public:
  consteval listed_name(const char* name) : name_(name) {  // NOLINT: instead of the bare name
    for (const environment_variable& variable : variables) {
      if (std::string_view(variable.name) == name) return;
    }
    throw "a variable that the table lacks";
  }
  [[nodiscard]] std::string text() const { return name_; }
  [[nodiscard]] const char* value() const { return std::getenv(name_); }
  // Returns nullptr in a process with the rights of another user than the user who started the
  // process, as programs with the setuid bit have.
  [[nodiscard]] const char* trusted_value() const { return secure_getenv(name_); }

 private:
  const char* name_;
};

using listed_names = std::initializer_list<listed_name>;

template <typename Number>
std::string number_text(Number number) {
  return std::to_string(static_cast<long long>(number));
}

template <typename Number>
std::optional<Number> number_from(listed_name name, Number least) {
  const char* text = name.value();
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::string_view view(text);
  Number value{};
  const auto [end, problem] = std::from_chars(view.data(), view.data() + view.size(), value);
  // (NaN fails the comparison, too.)
  const bool is_good = problem == std::errc() && end == view.data() + view.size() && value >= least;
  if (!is_good) {
    throw argument_error(name.text() + "=" + text + " is not a number of at least " +
                         number_text(least) + "; correct it or unset it");
  }
  return value;
}

bool is_set(listed_name name) {
  const char* text = name.value();
  return text != nullptr && *text != '\0';
}

std::string text_from(listed_name name) {
  return is_set(name) ? name.value() : "";
}

// Returns the value of a variable with the path of a library to load or a file to write. A user
// cannot make a program with raised rights load the user's code, or write where only the program
// may.
std::string path_from(listed_name name) {
  const char* path = name.trusted_value();
  return path == nullptr ? "" : path;
}

// Returns an empty vector if the text is anything else.
std::vector<int> numbers_between_colons(std::string_view text) {
  std::vector<int> numbers;
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  while (true) {
    const auto [rest, problem] = std::from_chars(at, end, numbers.emplace_back());
    if (problem != std::errc() || (rest != end && *rest != ':')) return {};
    if (rest == end) return numbers;
    at = rest + 1;
  }
}

}  // namespace

std::span<const environment_variable> environment_variables() {
  return variables;
}

const char* value_of(const environment_variable& variable) {
  return std::getenv(variable.name);
}

std::optional<launched_process> launched_by_boxcar() {
  if (!is_set("BOXCAR_JOB")) return std::nullopt;
  const std::string text = text_from("BOXCAR_JOB");
  const std::vector<int> numbers = numbers_between_colons(text);
  if (numbers.size() == 2) return launched_process{numbers[0], numbers[1]};
  if (numbers.size() == 5) {
    return launched_process{numbers[3], numbers[4],
                            share_of_hosts{numbers[0], numbers[1], numbers[2]}};
  }
  throw argument_error("BOXCAR_JOB=" + text +
                       " was not set by `boxcar run`; unset it to start the program on its own");
}

std::string launch_variable(const launched_process& process) {
  std::string text = "BOXCAR_JOB=";
  if (const auto& hosts = process.hosts) {
    for (const int number : {hosts->first_rank, hosts->pes, hosts->bootstrap_descriptor}) {
      text.append(std::to_string(number)).append(":");
    }
  }
  return text + std::to_string(process.control_descriptor) + ":" + std::to_string(process.rank);
}

std::optional<int> pes_from_environment() {
  return number_from<int>("BOXCAR_PES", 1);
}
std::optional<int> nodes_from_environment() {
  return number_from<int>("BOXCAR_NODES", 1);
}
std::optional<std::size_t> buffer_bytes_from_environment() {
  return number_from<std::size_t>("BOXCAR_BUFFER_BYTES", 1);
}
std::optional<int> convey_nlocal_from_environment() {
  return number_from<int>("CONVEY_NLOCAL", 1);
}
std::optional<std::size_t> convey_buffer_size_from_environment() {
  return number_from<std::size_t>("CONVEY_BUFFER_SIZE", 1);
}

std::string substrate_from_environment() {
  return text_from("BOXCAR_SUBSTRATE");
}
std::string ofi_provider_from_environment() {
  return text_from("BOXCAR_OFI_PROVIDER");
}
std::optional<std::size_t> ofi_rma_bytes_from_environment() {
  return number_from<std::size_t>("BOXCAR_OFI_RMA_BYTES", 0);
}
std::string library_path_from_environment() {
  return path_from("BOXCAR_LIBRARY_PATH");
}
std::optional<std::size_t> symmetric_bytes_from_environment() {
  return number_from<std::size_t>("BOXCAR_SYMMETRIC_BYTES", 1);
}

std::optional<std::size_t> symmetric_size_from_environment() {
  const listed_names names{"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"};
  const auto name = std::ranges::find_if(names, is_set);
  if (name == names.end()) return std::nullopt;
  const std::string text = text_from(*name);
  constexpr std::string_view units = "KMGT";
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value, std::chars_format::fixed);
  // A unit, of either case. What follows a unit has no meaning (OpenSHMEM 1.5, section 8).
  const bool has_unit = end != last;
  const std::size_t unit = has_unit ? units.find(static_cast<char>(*end & ~0x20)) : 0;
  if (has_unit) value = std::ldexp(value, 10 * (static_cast<int>(unit) + 1));
  constexpr double most = std::size_t{1} << 62;
  if (problem != std::errc() || unit == std::string_view::npos || !(value >= 0 && value < most)) {
    throw argument_error(name->text() + "=" + text +
                         " is no size: give a number of bytes, or of units of 1024 and so on, as "
                         "in 512K, 64M, 1.5G");
  }
  return static_cast<std::size_t>(value);
}

std::string symmetric_heap_from_environment() {
  std::string set;
  for (const listed_name name :
       listed_names{"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE"}) {
    if (is_set(name)) set += (set.empty() ? "" : ", ") + name.text() + "=" + text_from(name);
  }
  return set;
}

cluster_launcher launched_by_cluster() {
  if (is_set("OMPI_COMM_WORLD_SIZE")) {
    const bool one_node =
        text_from("OMPI_COMM_WORLD_SIZE") == text_from("OMPI_COMM_WORLD_LOCAL_SIZE");
    return one_node ? cluster_launcher::open_mpi_on_one_node : cluster_launcher::open_mpi;
  }
  if (is_set("PMI_RANK")) return cluster_launcher::pmi;
  if (is_set("PMIX_RANK")) return cluster_launcher::pmix;
  if (is_set("SLURM_STEP_ID") && is_set("SLURM_PROCID") &&
      text_from("SLURM_STEP_NUM_TASKS") != "1") {
    return cluster_launcher::slurm_alone;
  }
  return cluster_launcher::none;
}

int processes_from_launcher() {
  int most = number_from<int>("PMIX_RANK", 0).value_or(0) + 1;
  for (const listed_name size : listed_names{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    most = std::max(most, number_from<int>(size, 1).value_or(1));
  }
  return most;
}

std::optional<pmi_process> pmi_process_from_environment() {
  const auto descriptor = number_from<int>("PMI_FD", 0);
  const auto rank = number_from<int>("PMI_RANK", 0);
  const auto size = number_from<int>("PMI_SIZE", 1);
  if (!descriptor || !rank || !size) return std::nullopt;
  return pmi_process{*descriptor, *rank, *size};
}
bool has_pmix_from_environment() {
  return is_set("PMIX_RANK");
}

bool first_of_job() {
  try {
    if (const auto process = launched_by_boxcar()) {
      return process->rank == 0 && (!process->hosts || process->hosts->first_rank == 0);
    }
  } catch (const argument_error&) {
    return true;  // no launcher has set the variable
  }
  if (launched_by_cluster() == cluster_launcher::none) return true;
  for (const listed_name rank :
       listed_names{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (is_set(rank)) return text_from(rank) == "0";
  }
  return true;
}

std::chrono::nanoseconds stall_time_from_environment() {
#ifdef BOXCAR_WAIT_FOR_EVER
  constexpr double otherwise = 0;  // a missing wake-up must not go unnoticed
#else
  constexpr double otherwise = 60;
#endif
  constexpr double longest = 1e9;  // fits in nanoseconds
  const std::chrono::duration<double> seconds(
      std::min(number_from<double>("BOXCAR_STALL_SECONDS", 0).value_or(otherwise), longest));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(seconds);
}

std::chrono::seconds loss_time_from_environment() {
  constexpr int otherwise = 5;
  return std::chrono::seconds(number_from<int>("BOXCAR_LOSS_SECONDS", 0).value_or(otherwise));
}

std::optional<bool> progress_thread_from_environment() {
  const auto wanted = number_from<int>("BOXCAR_PROGRESS_THREAD", 0);
  if (!wanted) return std::nullopt;
  if (*wanted > 1) {
    throw argument_error("BOXCAR_PROGRESS_THREAD=" + std::to_string(*wanted) +
                         " is neither 0 nor 1; correct it or unset it");
  }
  return *wanted == 1;
}

std::string calibration_file_from_environment() {
  return path_from("BOXCAR_CALIBRATION");
}

std::string cache_folder_from_environment() {
  const char* const own = secure_getenv("XDG_CACHE_HOME");
  // (By the XDG Base Directory Specification, relative paths are invalid.)
  if (own != nullptr && *own == '/') return own;
  const char* const home = secure_getenv("HOME");
  return home == nullptr || *home != '/' ? "" : std::string(home) + "/.cache";
}

std::string tuning_file_from_environment() {
  return path_from("BOXCAR_TUNING");
}

bool tuning_report_from_environment() {
  const int wanted = number_from<int>("BOXCAR_TUNING_REPORT", 0).value_or(0);
  if (wanted > 1) {
    throw argument_error("BOXCAR_TUNING_REPORT=" + std::to_string(wanted) +
                         " is neither 0 nor 1; correct it or unset it");
  }
  return wanted == 1;
}

std::string trace_from_environment() {
  return path_from("BOXCAR_TRACE");
}

std::size_t trace_events_from_environment() {
  constexpr std::size_t otherwise = 65536;
  constexpr std::size_t most = std::size_t{1} << 32;
  const auto wanted = number_from<std::size_t>("BOXCAR_TRACE_EVENTS", 1);
  if (wanted.value_or(0) > most) {
    throw argument_error("BOXCAR_TRACE_EVENTS=" + std::to_string(*wanted) + " is more than " +
                         std::to_string(most) + "; correct it or unset it");
  }
  return wanted.value_or(otherwise);
}

bool threads_from_environment() {
  return is_set("BOXCAR_THREADS");
}

bool terminal_from_environment() {
  return listed_name("BOXCAR_TERMINAL").value() != nullptr;
}

}  // namespace boxcar::detail
