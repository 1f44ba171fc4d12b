#include "ofi/pretence.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

namespace boxcar::test {
namespace {

constexpr int as_of_verbs = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;

std::vector<pretence> make_pretences() {
  return {
      {.name = "nothing"},
      // Pretences with a single property.
      {.name = "local", .mr_mode = FI_MR_LOCAL},
      {.name = "allocated", .mr_mode = FI_MR_LOCAL | FI_MR_ALLOCATED},
      {.name = "provider_keys", .mr_mode = FI_MR_PROV_KEY},
      {.name = "virtual_addresses", .mr_mode = FI_MR_VIRT_ADDR},
      {.name = "endpoint_bound", .mr_mode = FI_MR_ENDPOINT},
      {.name = "keys_of_a_byte", .mr_mode = FI_MR_LOCAL, .mr_key_bytes = 1},
      // Pretences with the combinations of real adapters.
      {.name = "verbs",
       .mr_mode = as_of_verbs,
       .has_adapter = true,
       .iov_limit = 1,
       .cq_data_bytes = 4},
      {.name = "cxi",
       .mr_mode = FI_MR_ENDPOINT | FI_MR_ALLOCATED,
       .mr_key_bytes = 4,
       .has_adapter = true,
       .uses_contexts = true,
       .lacking_order = FI_ORDER_SAW | FI_ORDER_WAW | FI_ORDER_RAW | FI_ORDER_WAR,
       .reorders_transfers = true,
       .inject_bytes = 192},
      {.name = "efa",
       .mr_mode = as_of_verbs,
       .has_adapter = true,
       .uses_contexts = true,
       .lacking_capabilities = FI_ATOMIC | FI_RMA_EVENT | FI_MULTI_RECV | FI_TRIGGER,
       .lacking_order = FI_ORDER_SAW | FI_ORDER_WAW | FI_ORDER_RAW | FI_ORDER_WAR | FI_ORDER_WAS,
       .reorders_transfers = true,
       .inject_bytes = 64,
       .iov_limit = 1,
       .cq_data_bytes = 4},
      {.name = "opx",
       .mr_mode = FI_MR_VIRT_ADDR,
       .has_adapter = true,
       .lacking_order = FI_ORDER_SAW | FI_ORDER_WAW | FI_ORDER_RAW | FI_ORDER_WAR | FI_ORDER_WAS,
       .reorders_transfers = true,
       .inject_bytes = 64},
      // Pretences with scarce resources.
      {.name = "no_data_of_puts", .has_adapter = true, .cq_data_bytes = 0},
      {.name = "no_transfers",
       .lacking_capabilities = FI_RMA | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE |
                               FI_ATOMIC | FI_RMA_EVENT | FI_MULTI_RECV | FI_TRIGGER},
      {.name = "short_messages",
       .mr_mode = as_of_verbs,
       .inject_bytes = 64,
       .message_bytes = std::size_t{1} << 20,
       .receives = 128,
       .iov_limit = 1},
      {.name = "short_queues",
       .mr_mode = FI_MR_LOCAL,
       .has_adapter = true,
       .sends = 4,
       .receives = 128},
      {.name = "little_registered",
       .mr_mode = as_of_verbs,
       .max_registered_bytes = std::size_t{3} << 20,
       .has_adapter = true},
      // Pretences without progress by itself.
      {.name = "manual_progress", .progress = FI_PROGRESS_MANUAL},
      {.name = "busy", .mr_mode = FI_MR_LOCAL, .has_adapter = true, .again = 5},
  };
}

}  // namespace

const std::vector<pretence>& pretences() {
  static const std::vector<pretence> all = make_pretences();
  return all;
}

const pretence& pretence_named(std::string_view name) {
  const auto found = std::ranges::find(pretences(), name, &pretence::name);
  if (found != pretences().end()) return *found;
  std::fprintf(stderr, "no provider pretends to be %.*s\n", static_cast<int>(name.size()),
               name.data());
  std::abort();
}

}  // namespace boxcar::test
