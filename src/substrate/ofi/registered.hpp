// A registered object is memory for operations, registered if the provider requires registration.
// The constructor and the destructor lock the endpoint themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>

namespace boxcar::detail::ofi {

class endpoint;

// Memory of a PE that other PEs can put into and get from. PEs exchange remote_memory as plain
// bytes.
struct remote_memory {
  std::uint64_t address = 0;  // of the first byte, in the provider's terms
  std::uint64_t key = 0;
};

struct region_closer {
  endpoint* at = nullptr;
  std::uint64_t key = 0;
  void operator()(fid_mr* region) const;
};

class registered {
 public:
  enum class use {
    messages,   // sources of sends, buffers of receives
    transfers,  // sources of puts, targets of gets
    by_others   // targets of remote puts and sources of remote gets: always registered
  };

  registered() = default;
  // The constructor may overwrite the data. Throws system_error; shortage if the provider can
  // register no more memory now.
  registered(endpoint& at, std::byte* data, std::size_t bytes, use of = use::messages);
  // Precondition: the memory is registered for use by_others.
  [[nodiscard]] remote_memory place() const { return {address_, fi_mr_key(region_.get())}; }
  [[nodiscard]] void* description() const {
    return region_ == nullptr ? nullptr : fi_mr_desc(region_.get());
  }
  // Leaks the registration, as the provider may still use the memory.
  void abandon() { static_cast<void>(region_.release()); }

 private:
  std::unique_ptr<fid_mr, region_closer> region_;
  std::uint64_t address_ = 0;
};

}  // namespace boxcar::detail::ofi
