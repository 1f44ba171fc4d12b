#include "substrate/ofi/registered.hpp"

#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <string>
#include <sys/resource.h>

#include "substrate/cluster/refusal.hpp"
#include "substrate/memory_errors.hpp"
#include "substrate/ofi/call.hpp"
#include "substrate/ofi/endpoint.hpp"

namespace boxcar::detail::ofi {
namespace {

std::string too_much_registered(const std::string& provider, std::size_t bytes) {
  rlimit locked{};
  const bool is_limited =
      getrlimit(RLIMIT_MEMLOCK, &locked) == 0 && locked.rlim_cur != RLIM_INFINITY;
  return provider + " cannot register " + std::to_string(bytes) +
         " bytes of memory: " + ofi::text_of(-FI_ENOMEM) +
         "; let processes lock more (`ulimit -l` " +
         (is_limited ? "is " + std::to_string(locked.rlim_cur / 1024) + " KiB" : "has no limit") +
         "), or keep fewer or smaller buffers, windows and large items at a time";
}

}  // namespace

registered::registered(endpoint& at, std::byte* data, std::size_t bytes, use of) {
  const auto lock = at.acquire_lock();
  const int mode = at.memory_mode();
  const bool is_wanted = of == use::by_others || (mode & FI_MR_LOCAL) != 0;
  if (!is_wanted || bytes == 0) return;
  std::uint64_t access = FI_SEND | FI_RECV;
  if (of == use::transfers) access = FI_READ | FI_WRITE;
  if (of == use::by_others) access = FI_REMOTE_READ | FI_REMOTE_WRITE;
  const bool by_address = (mode & FI_MR_VIRT_ADDR) != 0;
  address_ = by_address ? reinterpret_cast<std::uint64_t>(data) : 0;
  if ((mode & FI_MR_ALLOCATED) != 0) {
    // Registered pages must exist.
    constexpr std::size_t page = 4096;
    for (std::size_t i = 0; i < bytes; i += page) {
      *const_cast<volatile std::byte*>(data + i) = std::byte{};
    }
    *const_cast<volatile std::byte*>(data + bytes - 1) = std::byte{};
  }
  // The endpoint chooses the key, unless the provider chooses keys.
  const bool takes_key = (mode & FI_MR_PROV_KEY) == 0;
  const std::uint64_t key = takes_key ? at.take_key() : 0;
  fid_mr* made = nullptr;
  const int code = fi_mr_reg(at.domain_.get(), data, bytes, access, 0, key, 0, &made, nullptr);
  if (code != 0 && takes_key) at.give_back_key(key);
  if (code == -FI_ENOMEM) throw_refusal<shortage>(too_much_registered(at.provider(), bytes));
  check(code, "fi_mr_reg");
  region_ = {made, region_closer{&at, key}};
  if ((mode & FI_MR_ENDPOINT) != 0) {
    check(fi_mr_bind(region_.get(), &at.endpoint_->fid, 0), "fi_mr_bind");
    check(fi_mr_enable(region_.get()), "fi_mr_enable");
  }
}

void region_closer::operator()(fid_mr* region) const {
  const auto lock = at->acquire_lock();
  fi_close(&region->fid);
  if ((at->memory_mode() & FI_MR_PROV_KEY) == 0) at->give_back_key(key);
}

}  // namespace boxcar::detail::ofi
