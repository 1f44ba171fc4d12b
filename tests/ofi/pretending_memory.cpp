#include "ofi/pretending_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace boxcar::test::pretending {
namespace {

// A key of the provider's.
constexpr std::uint64_t key_mark = 0xfab0000000000000;
constexpr std::uint64_t key_marks = 0xffff000000000000;
constexpr std::uint64_t key_step = 0x101;
constexpr std::size_t all_memory = std::size_t{1} << 47;

bool is_there(const std::byte* data, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(data) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(data) + bytes;
  std::vector<unsigned char> pages((end - first + page - 1) / page);
  if (mincore(reinterpret_cast<void*>(first), end - first, pages.data()) != 0) return false;
  return std::ranges::all_of(pages, [](unsigned char p) { return (p & 1) != 0; });
}

std::uint64_t shown_key(const domain_object& d, std::uint64_t real) {
  return (d.how.mr_mode & FI_MR_PROV_KEY) == 0 ? real : key_mark | (real + 1) * key_step;
}

int enable(region& r) {
  domain_object& d = *r.of;
  const bool by_program = (d.how.mr_mode & FI_MR_PROV_KEY) == 0;
  const std::uint64_t key = by_program ? r.requested_key : d.next_key++;
  // With virtual addresses, all memory is one region for peers, whose first byte is at 0.
  const bool by_address = (d.how.mr_mode & FI_MR_VIRT_ADDR) != 0 &&
                          (r.access & (FI_REMOTE_READ | FI_REMOTE_WRITE)) != 0;
  const void* data = by_address ? nullptr : r.data;
  const std::size_t bytes = by_address ? all_memory : r.bytes;
  const int code = really([&] {
    return d.memory.real->reg(&d.self->fid, data, bytes, r.access, 0, key, 0, &r.real, nullptr);
  });
  if (code != 0) return code;
  r.shown.mem_desc = &r;
  r.shown.key = shown_key(d, fi_mr_key(r.real));
  return 0;
}

int close_region(fid* f) {
  const locked lock(here().guard);
  region& r = of<region>(f);
  if (r.in_use != 0) violation("memory is given back of which operations are under way");
  const int code = r.real == nullptr ? 0 : really([&] { return fi_close(&r.real->fid); });
  r.of->registered_bytes -= r.bytes;
  r.of->keys.erase(r.requested_key);
  all_of<region>().erase(f);
  return code;
}

int bind_region(fid* f, fid* to, std::uint64_t flags) {
  const locked lock(here().guard);
  region& r = of<region>(f);
  if (to->fclass == FI_CLASS_CNTR && r.real != nullptr) {
    return really([&] { return fi_mr_bind(r.real, to, flags); });
  }
  if (to->fclass != FI_CLASS_EP) return -FI_ENOSYS;
  if ((r.of->how.mr_mode & FI_MR_ENDPOINT) == 0) {
    violation("memory is bound to an endpoint of a provider that does not want that");
    return -FI_EINVAL;
  }
  r.bound_to = to;
  return 0;
}

int control_region(fid* f, int command, void* /*argument*/) {
  const locked lock(here().guard);
  region& r = of<region>(f);
  if (command != FI_ENABLE) return -FI_ENOSYS;
  if (r.bound_to == nullptr || r.real != nullptr) {
    violation("memory is enabled that is not bound to an endpoint, or enabled before");
    return -FI_EINVAL;
  }
  return enable(r);
}

}  // namespace

std::optional<std::uint64_t> real_key(const domain_object& d, std::uint64_t shown) {
  if ((d.how.mr_mode & FI_MR_PROV_KEY) == 0) return shown;
  const std::uint64_t number = shown & ~key_marks;
  if ((shown & key_marks) != key_mark || number == 0 || number % key_step != 0) return {};
  return number / key_step - 1;
}

int register_memory(fid* f, const void* data, std::size_t bytes, std::uint64_t access,
                    std::uint64_t offset, std::uint64_t key, std::uint64_t flags, fid_mr** made,
                    void* context) {
  const locked lock(here().guard);
  domain_object& d = of<domain_object>(f);
  if (calls_inside != 0) {
    return d.memory.real->reg(f, data, bytes, access, offset, key, flags, made, context);
  }
  if (const int code = refused(d, "fi_mr_reg", bytes)) return -code;
  if (offset != 0 || flags != 0 || bytes == 0) {
    violation("memory is registered with an offset or flags, or none");
    return -FI_EINVAL;
  }
  if (bytes > d.how.max_registered_bytes - d.registered_bytes) return -FI_ENOMEM;
  if ((d.how.mr_mode & FI_MR_ALLOCATED) != 0 &&
      !is_there(static_cast<const std::byte*>(data), bytes)) {
    violation("memory of " + std::to_string(bytes) + " bytes is registered that has no pages yet");
    return -FI_EINVAL;
  }
  if ((d.how.mr_mode & FI_MR_PROV_KEY) == 0) {
    const std::size_t bits = 8 * d.how.mr_key_bytes;
    if (bits != 0 && bits < 64 && key >> bits != 0) {
      violation("key " + std::to_string(key) + " has more than " + std::to_string(bits) + " bits");
      return -FI_EINVAL;
    }
    if (!d.keys.insert(key).second) {
      violation("key " + std::to_string(key) + " is in use");
      return -FI_ENOKEY;
    }
  }
  auto r = std::make_unique<region>();
  r->functions.size = sizeof(fi_ops);
  r->functions.close = close_region;
  r->functions.bind = bind_region;
  r->functions.control = control_region;
  r->shown.fid = {FI_CLASS_MR, nullptr, &r->functions};
  r->shown.key = FI_KEY_NOTAVAIL;
  r->of = &d;
  r->data = static_cast<const std::byte*>(data);
  r->bytes = bytes;
  r->access = access;
  r->requested_key = key;
  if ((d.how.mr_mode & FI_MR_ENDPOINT) == 0) {
    if (const int code = enable(*r)) {
      d.keys.erase(key);
      return code;
    }
  }
  d.registered_bytes += bytes;
  *made = &r->shown;
  all_of<region>()[&r->shown.fid] = std::move(r);
  return 0;
}

}  // namespace boxcar::test::pretending
