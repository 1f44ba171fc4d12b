// The state of the pretending provider: for the whole process, and for each libfabric object of its
// user. Some functions of the objects are replaced.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ofi/pretence.hpp"
#include "ofi/pretending_provider.hpp"

namespace boxcar::test::pretending {

// --- The whole process ---------------------------------------------------------------------------

struct domain_object;

struct everywhere {
  std::recursive_mutex guard;
  pretence how;
  bool ends_at_violation = false;
  std::vector<std::string> violations;
  std::vector<refused_call> unwanted;
  int refused = 0;
  const domain_object* latest = nullptr;  // objects left by a failed world are exempt from checks
  std::map<std::string, int, std::less<>> begun;
};

everywhere& here();

// A rule is broken.
void violation(const std::string& what);

// A guard for calls to this library and to any function of libfabric. The user has promised to call
// for a domain by one thread at a time (FI_THREAD_DOMAIN), and only one domain is at work here.
class locked {
 public:
  explicit locked(std::recursive_mutex& guard) : lock_(guard, std::try_to_lock) {
    if (lock_.owns_lock()) return;
    lock_.lock();
    violation("two threads call at a time");
  }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

// 0, or the error that the call returns.
int refused(const domain_object& at, std::string_view function, std::size_t bytes);

// Depth of real calls: calls that libfabric makes itself, of a provider under a layer, bypass the
// pretending provider. (Objects, too, are called by their own functions.)
inline thread_local int calls_inside = 0;

template <typename Call>
auto really(const Call& call) {
  ++calls_inside;
  const auto result = call();
  --calls_inside;
  return result;
}

// --- Objects -------------------------------------------------------------------------------------

// A table of functions of an object.
template <typename Table>
class replaced {
 public:
  // Afterwards `ours` may be changed.
  void take(Table*& place) {
    place_ = &place;
    real = place;
    std::memcpy(&ours, real, std::min(real->size, sizeof(Table)));
    place = &ours;
  }
  void give_back() {
    if (place_ != nullptr) *place_ = real;
  }
  Table* real = nullptr;
  Table ours{};

 private:
  Table** place_ = nullptr;
};

// A registered memory region, as the user has it.
struct region {
  fid_mr shown{};  // first
  fi_ops functions{};
  domain_object* of = nullptr;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::uint64_t access = 0;
  std::uint64_t requested_key = 0;
  fid_mr* real = nullptr;  // set once the region is enabled
  fid* bound_to = nullptr;
  int in_use = 0;  // by operations
};

struct domain_object {
  pretence how;
  fid_domain* self = nullptr;
  bool scribbles = false;
  replaced<fi_ops> any;
  replaced<fi_ops_domain> functions;
  replaced<fi_ops_mr> memory;
  std::set<std::uint64_t> keys;  // keys that the program chose
  std::uint64_t next_key = 0;
  std::size_t registered_bytes = 0;
};

struct address_object {
  domain_object* of = nullptr;
  replaced<fi_ops> any;
  replaced<fi_ops_av> functions;
};

// An operation.
struct flight {
  std::string by;
  std::size_t bytes = 0;
  bool is_receive = false;
  region* memory = nullptr;
  struct endpoint_object* at = nullptr;
};

struct queue_object {
  domain_object* of = nullptr;
  std::size_t size = 0;
  std::size_t entry_bytes = 0;  // 0: a queue of another kind, which is not checked
  replaced<fi_ops> any;
  replaced<fi_ops_cq> functions;
  std::map<void*, flight> flights;
  std::deque<fi_cq_err_entry> errors;
};

// A transfer that the provider has not started yet.
struct held_transfer {
  bool is_get = false;
  void* data = nullptr;
  std::size_t bytes = 0;
  std::vector<std::byte> copy;
  void* description = nullptr;
  fi_addr_t pe = 0;
  fi_rma_iov there{};
  void* context = nullptr;
  std::uint64_t data_for_queue = 0;
  std::uint64_t flags = 0;
};

// An operation that has not started yet.
struct waiting_operation {
  void* context = nullptr;
  std::function<ssize_t()> start;
};

struct endpoint_object {
  domain_object* of = nullptr;
  fid_ep* self = nullptr;
  queue_object* ends = nullptr;
  std::size_t max_sends = 0;
  std::size_t max_receives = 0;
  std::size_t most_injected = 0;
  std::size_t longest = 0;
  std::size_t sends = 0;
  std::size_t receives = 0;
  unsigned calls = 0;
  unsigned looks = 0;
  std::vector<held_transfer> held;
  std::deque<waiting_operation> waiting;  // for the queue to be read
  replaced<fi_ops> any;
  replaced<fi_ops_cm> names;
  replaced<fi_ops_tagged> tagged;
  replaced<fi_ops_rma> transfers;
};

template <typename Object>
std::map<const fid*, std::unique_ptr<Object>>& all_of() {
  static auto* all = new std::map<const fid*, std::unique_ptr<Object>>;
  return *all;
}
template <typename Object>
Object& of(const fid* f) {
  return *all_of<Object>().at(f);
}

// Calls the original function of a replaced table.
template <typename Object>
int close_object(fid* f, const char* what) {
  const locked lock(here().guard);
  Object& o = of<Object>(f);
  if constexpr (requires { o.functions; }) o.functions.give_back();
  if constexpr (requires { o.memory; }) o.memory.give_back();
  if constexpr (requires { o.names; }) {
    o.names.give_back();
    o.tagged.give_back();
    o.transfers.give_back();
  }
  o.any.give_back();
  const int code = really([&] { return f->ops->close(f); });
  if (code != 0) {
    violation(std::string(what) + " is closed while it is used: " + fi_strerror(-code));
  }
  all_of<Object>().erase(f);
  return code;
}

}  // namespace boxcar::test::pretending
