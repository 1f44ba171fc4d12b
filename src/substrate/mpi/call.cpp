#include "substrate/mpi/call.hpp"

#include <array>
#include <chrono>
#include <sched.h>
#include <string>

#include "substrate/cluster/refusal.hpp"

namespace boxcar::detail::mpi {
namespace {

// The maximum wait for PEs that may call MPI no more.
constexpr auto longest_end = std::chrono::milliseconds(100);

}  // namespace

void throw_failure(int code, const char* function) {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw_refusal(std::string(function) + " failed: " + text.data());
}

void wait(MPI_Request request, const char* function) {
  for (int done = 0; done == 0;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), function);
    if (done == 0) sched_yield();
  }
}

bool all_ended(std::span<MPI_Request> requests) noexcept {
  int flag = 0;
  const int code =
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE);
  return code == MPI_SUCCESS && flag != 0;
}

void let_go(std::span<MPI_Request> requests) noexcept {
  for (MPI_Request& request : requests) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

bool wait_briefly(const std::function<bool()>& condition) {
  const auto until = std::chrono::steady_clock::now() + longest_end;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= until) return false;
    sched_yield();
  }
  return true;
}

bool end_soon(std::span<MPI_Request> requests) noexcept {
  if (wait_briefly([requests] { return all_ended(requests); })) return true;
  let_go(requests);
  return false;
}

bool give_up(std::span<MPI_Request> receives) noexcept {
  for (MPI_Request& receive : receives) {
    if (receive != MPI_REQUEST_NULL) MPI_Cancel(&receive);
  }
  return end_soon(receives);
}

}  // namespace boxcar::detail::mpi
