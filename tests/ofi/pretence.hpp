// The attributes that a pretending provider has: attributes of adapters, over a provider of this
// machine. A pretence is a row of the matrix of tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <rdma/fabric.h>
#include <string>
#include <string_view>
#include <vector>

namespace boxcar::test {

struct pretence {
  std::string name;
  // The modes of memory registration, FI_MR_... .
  int mr_mode = 0;
  // The size of a key chosen by the program; 0: the size of the provider.
  std::size_t mr_key_bytes = 0;
  // The limit on registered memory at a time, like `ulimit -l`.
  std::size_t max_registered_bytes = SIZE_MAX;
  // The provider has a device: there is a `nic`, addresses are long and of an unknown format, and
  // the addresses from fi_av_insert are no small numbers.
  bool has_adapter = false;
  // The provider may write to the program's contexts while an operation is in flight.
  bool uses_contexts = false;
  std::uint64_t lacking_capabilities = 0;
  std::uint64_t lacking_order = 0;
  // Puts and gets are in flight for a while, and the last completes first.
  bool reorders_transfers = false;
  // The progress of control and data; unspecified: as the provider has it. If manual, messages,
  // puts and gets wait until the completion queue is read.
  fi_progress progress = FI_PROGRESS_UNSPEC;
  // Limits; 0: as the provider has them.
  std::size_t inject_bytes = 0;
  std::size_t message_bytes = 0;
  std::size_t sends = 0;
  std::size_t receives = 0;
  std::size_t counters = 0;
  std::size_t iov_limit = 0;
  // The size of the immediate data of a put; SIZE_MAX: the size of the provider.
  std::size_t cq_data_bytes = SIZE_MAX;
  // The number of calls that return FI_EAGAIN before a call is accepted.
  unsigned again = 0;
};

[[nodiscard]] const std::vector<pretence>& pretences();

// Ends the program if no pretence has the name.
[[nodiscard]] const pretence& pretence_named(std::string_view name);

}  // namespace boxcar::test
