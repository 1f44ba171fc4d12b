#include "substrate/mpi/last_messages.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <vector>

#include "substrate/mpi/call.hpp"

namespace boxcar::detail::mpi {
namespace {

// PEs that have failed come to the end one after another, as each learns of the failure.
constexpr auto max_drop_time = std::chrono::seconds(1);

void drop_arrived(MPI_Comm c) {
  for (;;) {
    int has_come = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, c, &has_come, &message, &status), "MPI_Improbe");
    if (has_come == 0) return;
    int bytes = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    std::vector<std::byte> dropped(static_cast<std::size_t>(bytes));
    check(MPI_Mrecv(dropped.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
  }
}

}  // namespace

void drop_last_messages(std::span<const MPI_Comm> communicators) noexcept {
  try {
    std::vector<MPI_Request> met(communicators.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < met.size(); ++i) {
      check(MPI_Ibarrier(communicators[i], &met[i]), "MPI_Ibarrier");
    }
    const auto drop_all = [&] {
      for (const MPI_Comm c : communicators) drop_arrived(c);
    };
    const auto all_have_met = [&] {
      drop_all();
      return all_ended(met);
    };
    static_cast<void>(wait_briefly(all_have_met, max_drop_time));
    drop_all();
  } catch (const std::exception&) {
    // A message that cannot be read stays where it is.
  }
}

}  // namespace boxcar::detail::mpi
