#include "launcher/control_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>

#include <boxcar/error.hpp>

#include "substrate/environment.hpp"
#include "substrate/processes/process_memory.hpp"
#include "substrate/shared_memory/shared_memory_substrate.hpp"

namespace boxcar::launcher {
namespace {

descriptor make_file(std::size_t bytes) {
  return above_those_of_scripts(descriptor(detail::create_nameless_file(bytes)));
}

}  // namespace

descriptor above_those_of_scripts(const descriptor& low) {
  constexpr rlim_t usual_number = 100;
  rlimit open_files{};
  getrlimit(RLIMIT_NOFILE, &open_files);
  // Scripts use numbers below 10.
  const rlim_t least = std::min(usual_number, std::max<rlim_t>(10, open_files.rlim_cur / 2));
  const int number = fcntl(low.number(), F_DUPFD_CLOEXEC, static_cast<int>(least));
  if (number < 0) {
    const bool is_limit = errno == EINVAL || errno == EMFILE;
    throw system_error("cannot share memory with the PEs: " +
                       (is_limit ? "a process may have no more than " +
                                       std::to_string(open_files.rlim_cur) +
                                       " files open; allow more by `ulimit -n`"
                                 : std::string(std::strerror(errno))));
  }
  return descriptor(number);
}

control_memory::control_memory(int pes, int nodes)
    : file_(make_file(detail::job_bytes(pes))),
      pages_(detail::mapping::of_file(file_.number(), detail::job_bytes(pes))) {
  detail::describe_job(pages_.data(), pes, nodes);
}

detail::job_block& control_memory::job() const {
  return *reinterpret_cast<detail::job_block*>(pages_.data());
}

void control_memory::hand_to_child(int rank, const larger_job* whole) const {
  fcntl(file_.number(), F_SETFD, 0);  // survive exec
  detail::launched_process process{file_.number(), rank};
  if (whole != nullptr && whole->bootstrap_descriptor >= 0) {
    process.hosts = {whole->first_rank, whole->pes, whole->bootstrap_descriptor};
    constexpr int bootstrap_rank = 0;
    if (rank == bootstrap_rank) fcntl(whole->bootstrap_descriptor, F_SETFD, 0);
  }
  const std::string variable = detail::launch_variable(process);
  const std::size_t equals = variable.find('=');
  setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
}

std::optional<told_failure> first_failure(const detail::job_block& job) {
  // The load acquires the text written before.
  if (job.failed.load(std::memory_order_acquire) != 2) return std::nullopt;
  const int rank = job.failed_rank;
  if (rank < 0 || static_cast<std::uint32_t>(rank) >= job.pes) return std::nullopt;
  return told_failure{
      rank, std::string(job.failure_text, strnlen(job.failure_text, sizeof job.failure_text))};
}

detail::presence_word::seen presence_of(detail::job_block& job, int rank) {
  return job.pe(rank).presence.look();
}

std::string waiting_in(detail::job_block& job, int rank) {
  const detail::pe_block& pe = job.pe(rank);
  detail::pe_report report;
  if (pe.report.read(report)) return detail::doing(report);
  if (pe.waiting_in.is_empty()) return {};
  const std::string doing = detail::doing(pe.waiting_in.text());
  const std::string part = pe.waiting_in_part.text();
  return part.empty() ? doing : doing + " of a part of the world (" + part + ")";
}

}  // namespace boxcar::launcher
