// What a provider pretends to be: attributes that only adapters have, over one that is here. A row
// of the matrix of tests.
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
  // Memory is registered in these ways, FI_MR_... .
  int mr_mode = 0;
  // Of a key that the program chooses; 0: as many as the provider has.
  std::size_t mr_key_bytes = 0;
  // So much can be registered at a time, as where `ulimit -l` says so.
  std::size_t most_registered_bytes = SIZE_MAX;
  // A device does it: there is a `nic`, addresses are long and of no known kind, and what
  // fi_av_insert gives for them is no small number.
  bool has_adapter = false;
  // The program's contexts are the provider's to write to while an operation is under way.
  bool uses_contexts = false;
  std::uint64_t lacking_capabilities = 0;
  std::uint64_t lacking_order = 0;
  // What is put and got is under way for a while, and the last comes first.
  bool reorders_transfers = false;
  // Of control and of data; unspecified: as the provider has it. If manual, what is sent, put and
  // got waits until the queue of ends is read.
  fi_progress progress = FI_PROGRESS_UNSPEC;
  // Limits; 0: as the provider has them.
  std::size_t inject_bytes = 0;
  std::size_t message_bytes = 0;
  std::size_t sends = 0;
  std::size_t receives = 0;
  std::size_t counters = 0;
  std::size_t iov_limit = 0;
  // Of the data that a put brings with it; SIZE_MAX: as many as the provider has.
  std::size_t cq_data_bytes = SIZE_MAX;
  // So many calls are told to try again before one is taken.
  unsigned again = 0;
};

[[nodiscard]] const std::vector<pretence>& pretences();

// Ends the program if there is none of this name.
[[nodiscard]] const pretence& pretence_named(std::string_view name);

}  // namespace boxcar::test
