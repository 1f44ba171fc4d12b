#include "ofi/pretending_provider.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "ofi/shown_information.hpp"

namespace boxcar::test {
namespace {

constexpr int refused_end_code = 7777;  // the provider's own number
constexpr const char* words_of_refused_end = "the pretending provider does not want to";

// An address of a device: a mark, the length of the real one, and that turned about.
constexpr std::size_t adapter_address_bytes = 96;
constexpr char address_mark = 'P';
constexpr char address_turn = 0x5a;
// What fi_av_insert gives for one.
constexpr fi_addr_t handle_mark = 0x00c0de0000000000;
constexpr fi_addr_t handle_step = 0x140;
// A key of the provider's.
constexpr std::uint64_t key_mark = 0xfab0000000000000;
constexpr std::uint64_t key_marks = 0xffff000000000000;
constexpr std::uint64_t key_step = 0x101;
// What is no address of memory, but may be one within a region.
constexpr std::uint64_t largest_offset = std::uint64_t{1} << 40;
constexpr std::size_t all_memory = std::size_t{1} << 47;
// Transfers that are under way together, and so many times the queue is looked at before they go.
constexpr std::size_t held_together = 4;
constexpr unsigned looks_before_release = 3;

// --- What is the same for the whole process ------------------------------------------------------

struct domain_object;

struct everywhere {
  std::recursive_mutex guard;
  pretence how;
  bool ends_at_violation = false;
  std::vector<std::string> violations;
  std::vector<refused_call> unwanted;
  int refused = 0;
  const domain_object* latest = nullptr;  // what a world that has failed left is spared
  std::map<std::string, int, std::less<>> begun;
};

// Never destroyed: libfabric is called at the very end.
everywhere& here() {
  static auto* only = [] {
    auto* made = new everywhere;
    if (const char* name = std::getenv("BOXCAR_TEST_PRETENCE")) {
      made->how = pretence_named(name);
      made->ends_at_violation = true;
    }
    return made;
  }();
  return *only;
}

void violation(const std::string& what) {
  std::fprintf(stderr, "pretending provider: %s\n", what.c_str());
  if (here().ends_at_violation) std::abort();
  here().violations.push_back(what);
}

// What is asked of this library, or in any function of libfabric. The user has promised to call
// for a domain by one thread at a time (FI_THREAD_DOMAIN), and here is one domain at work only.
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
int refused(const domain_object& at, std::string_view function, std::size_t bytes) {
  if (&at != here().latest) return 0;
  for (refused_call& r : here().unwanted) {
    if (r.function != function || bytes < r.at_least || bytes > r.at_most) continue;
    if (r.spared > 0) {
      --r.spared;
    } else if (r.refused > 0) {
      --r.refused;
      ++here().refused;
      return r.code;
    }
  }
  return 0;
}

// Calls that libfabric makes itself, of a provider that a layer uses, are not for this one.
// (Objects, too, are called by their own functions.)
thread_local int calls_inside = 0;

template <typename Call>
auto really(const Call& call) {
  ++calls_inside;
  const auto result = call();
  --calls_inside;
  return result;
}

template <typename Function>
Function next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    std::fprintf(stderr, "pretending provider: there is no %s\n", name);
    std::abort();
  }
  return reinterpret_cast<Function>(found);
}

// --- Objects of libfabric, with some of their functions replaced ---------------------------------

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

struct domain_object;

// Memory that is registered, as the user has it.
struct region {
  fid_mr shown{};  // first
  fi_ops functions{};
  domain_object* of = nullptr;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::uint64_t access = 0;
  std::uint64_t requested_key = 0;
  fid_mr* real = nullptr;  // once it is enabled
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
  std::set<std::uint64_t> keys;  // of the program's choice
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
  bool is_tagged = false;
  replaced<fi_ops> any;
  replaced<fi_ops_cq> functions;
  std::map<void*, flight> flights;
  std::deque<fi_cq_err_entry> errors;
};

// A transfer that the provider has not been told yet.
struct held_transfer {
  bool is_get = false;
  void* data = nullptr;
  std::size_t bytes = 0;
  std::vector<std::byte> copy;
  void* description = nullptr;
  fi_addr_t pe = 0;
  fi_rma_iov there{};
  void* context = nullptr;
  std::uint64_t flags = 0;
};

struct endpoint_object {
  domain_object* of = nullptr;
  fid_ep* self = nullptr;
  queue_object* ends = nullptr;
  std::size_t most_sends = 0;
  std::size_t most_receives = 0;
  std::size_t most_injected = 0;
  std::size_t longest = 0;
  std::size_t sends = 0;
  std::size_t receives = 0;
  unsigned calls = 0;
  unsigned looks = 0;
  std::vector<held_transfer> held;
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

// Calls the real one of a table that was replaced.
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

// --- Memory --------------------------------------------------------------------------------------

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

std::optional<std::uint64_t> real_key(const domain_object& d, std::uint64_t shown) {
  if ((d.how.mr_mode & FI_MR_PROV_KEY) == 0) return shown;
  const std::uint64_t number = shown & ~key_marks;
  if ((shown & key_marks) != key_mark || number == 0 || number % key_step != 0) return {};
  return number / key_step - 1;
}

int enable(region& r) {
  domain_object& d = *r.of;
  const bool by_program = (d.how.mr_mode & FI_MR_PROV_KEY) == 0;
  const std::uint64_t key = by_program ? r.requested_key : d.next_key++;
  // Where peers tell addresses, all of the memory is one region for them, whose first byte is at 0.
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

int bind_region(fid* f, fid* to, std::uint64_t /*flags*/) {
  const locked lock(here().guard);
  region& r = of<region>(f);
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
  if (bytes > d.how.most_registered_bytes - d.registered_bytes) return -FI_ENOMEM;
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

// --- Addresses -----------------------------------------------------------------------------------

int insert_addresses(fid_av* av, const void* shown, std::size_t count, fi_addr_t* handles,
                     std::uint64_t flags, void* context) {
  const locked lock(here().guard);
  address_object& a = of<address_object>(&av->fid);
  if (!a.of->how.has_adapter) {
    return really(
        [&] { return a.functions.real->insert(av, shown, count, handles, flags, context); });
  }
  if (count != 1) return -FI_ENOSYS;
  const auto* text = static_cast<const char*>(shown);
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(text[1]));
  if (text[0] != address_mark || length + 2 > adapter_address_bytes) {
    violation("an address is not as it was shown");
    return -FI_EINVAL;
  }
  std::string real(text + 2, length);
  for (char& c : real) c = static_cast<char>(c ^ address_turn);
  const int inserted =
      really([&] { return a.functions.real->insert(av, real.data(), 1, handles, flags, context); });
  if (inserted == 1) *handles = handle_mark | (*handles + 1) * handle_step;
  return inserted;
}

bool find_address(const domain_object& d, fi_addr_t& handle) {
  if (!d.how.has_adapter || handle == FI_ADDR_UNSPEC) return true;
  const fi_addr_t number = handle ^ handle_mark;
  if (number == 0 || number % handle_step != 0) {
    violation("a handle of an address is none that fi_av_insert gave");
    return false;
  }
  handle = number / handle_step - 1;
  return true;
}

int show_address(fid* f, void* into, std::size_t* bytes) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(f);
  if (!e.of->how.has_adapter) return e.names.real->getname(f, into, bytes);
  if (*bytes < adapter_address_bytes) {
    *bytes = adapter_address_bytes;
    return -FI_ETOOSMALL;
  }
  std::array<char, adapter_address_bytes> text{};
  std::size_t length = text.size() - 2;
  const int code = really([&] { return e.names.real->getname(f, text.data() + 2, &length); });
  if (code != 0) return code;
  for (std::size_t i = 0; i < length; ++i) {
    text[i + 2] = static_cast<char>(text[i + 2] ^ address_turn);
  }
  text[0] = address_mark;
  text[1] = static_cast<char>(length);
  std::memcpy(into, text.data(), text.size());
  *bytes = text.size();
  return 0;
}

// --- Operations ----------------------------------------------------------------------------------

void scribble(const domain_object& d, void* context) {
  if (d.scribbles && context != nullptr) std::memset(context, 0xee, sizeof(fi_context2));
}

struct post {
  const char* function;
  const void* data;
  std::size_t bytes;
  void* description;
  std::uint64_t access;
  void* context;
  bool is_receive = false;
  bool is_injected = false;
};

// 0, or why the operation is not begun. `real` is the description that the provider wants.
int check(endpoint_object& e, const post& p, void*& real, region*& memory) {
  if (const int code = refused(*e.of, p.function, p.bytes)) return -code;
  const pretence& how = e.of->how;
  if (how.again != 0 && e.calls++ % (how.again + 1) != how.again) return -FI_EAGAIN;
  const std::string what = std::string(p.function) + " of " + std::to_string(p.bytes) + " bytes ";
  if (p.is_injected && p.bytes > e.most_injected) {
    violation(what + "at once, where " + std::to_string(e.most_injected) + " can be");
    return -FI_EINVAL;
  }
  if (!p.is_receive && p.bytes > e.longest) {
    violation(what + "where messages have at most " + std::to_string(e.longest));
    return -FI_EMSGSIZE;
  }
  real = nullptr;
  memory = nullptr;
  if (p.description != nullptr) {
    const auto found = all_of<region>().find(static_cast<const fid*>(p.description));
    if (found == all_of<region>().end() || found->second->of != e.of) {
      violation(what + "with a description of no memory that is registered");
      return -FI_EINVAL;
    }
    region& r = *found->second;
    const auto* data = static_cast<const std::byte*>(p.data);
    if (r.real == nullptr || (r.bound_to != nullptr && r.bound_to != &e.self->fid)) {
      violation(what + "with memory that is not enabled at this endpoint");
      return -FI_EINVAL;
    }
    if (data < r.data || data + p.bytes > r.data + r.bytes || (r.access & p.access) != p.access) {
      violation(what + "outside the memory that is registered, or for another use");
      return -FI_EINVAL;
    }
    memory = &r;
    real = fi_mr_desc(r.real);
  } else if ((how.mr_mode & FI_MR_LOCAL) != 0 && !p.is_injected && p.bytes != 0) {
    violation(what + "without registered memory");
    return -FI_EINVAL;
  }
  if (p.context != nullptr && e.ends->flights.contains(p.context)) {
    violation(what + "with the context of an operation that is under way");
    return -FI_EINVAL;
  }
  if (e.ends->flights.size() >= e.ends->size) {
    violation(what + "for whose end the queue has no room");
    return -FI_EINVAL;
  }
  if (p.context == nullptr) return 0;
  return (p.is_receive ? e.receives == e.most_receives : e.sends == e.most_sends) ? -FI_EAGAIN : 0;
}

template <typename Call>
ssize_t begin(endpoint_object& e, const post& p, const Call& call) {
  void* description = nullptr;
  region* memory = nullptr;
  if (const int code = check(e, p, description, memory)) return code;
  // (The provider may yet end it in this call.)
  scribble(*e.of, p.context);
  const ssize_t code = really([&] { return call(description); });
  if (code != 0) return code;
  ++here().begun[p.function];
  if (p.context == nullptr) return 0;
  e.ends->flights[p.context] = {p.function, p.bytes, p.is_receive, memory, &e};
  if (memory != nullptr) ++memory->in_use;
  ++(p.is_receive ? e.receives : e.sends);
  return 0;
}

ssize_t receive_tagged(fid_ep* ep, void* data, std::size_t bytes, void* description, fi_addr_t from,
                       std::uint64_t tag, std::uint64_t ignored, void* context) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(&ep->fid);
  return begin(e, {"fi_trecv", data, bytes, description, FI_RECV, context, true}, [&](void* real) {
    return e.tagged.real->recv(ep, data, bytes, real, from, tag, ignored, context);
  });
}

ssize_t send_tagged(fid_ep* ep, const void* data, std::size_t bytes, void* description,
                    fi_addr_t to, std::uint64_t tag, void* context) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(&ep->fid);
  if (!find_address(*e.of, to)) return -FI_EINVAL;
  return begin(e, {"fi_tsend", data, bytes, description, FI_SEND, context}, [&](void* real) {
    return e.tagged.real->send(ep, data, bytes, real, to, tag, context);
  });
}

ssize_t inject_tagged(fid_ep* ep, const void* data, std::size_t bytes, fi_addr_t to,
                      std::uint64_t tag) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(&ep->fid);
  if (!find_address(*e.of, to)) return -FI_EINVAL;
  const post p{"fi_tinject", data, bytes, nullptr, 0, nullptr, false, true};
  return begin(e, p, [&](void*) { return e.tagged.real->inject(ep, data, bytes, to, tag); });
}

bool find_memory(const domain_object& d, fi_rma_iov& there) {
  const std::optional<std::uint64_t> key = real_key(d, there.key);
  const bool by_address = (d.how.mr_mode & FI_MR_VIRT_ADDR) != 0;
  if (!key || by_address != (there.addr > largest_offset)) {
    violation(!key ? "a key is none that was handed out"
                   : "byte " + std::to_string(there.addr) + " of memory is told " +
                         (by_address ? "where addresses are wanted" : "as an address"));
    return false;
  }
  there.key = *key;
  return true;
}

ssize_t start(endpoint_object& e, const held_transfer& t) {
  if (t.is_get) {
    return e.transfers.real->read(e.self, t.data, t.bytes, t.description, t.pe, t.there.addr,
                                  t.there.key, t.context);
  }
  const void* data = t.copy.empty() ? t.data : t.copy.data();
  iovec from{const_cast<void*>(data), t.bytes};
  void* description = t.description;
  fi_msg_rma all{};
  all.msg_iov = &from;
  all.desc = &description;
  all.iov_count = 1;
  all.addr = t.pe;
  all.rma_iov = &t.there;
  all.rma_iov_count = 1;
  all.context = t.context;
  return e.transfers.real->writemsg(e.self, &all, t.flags);
}

ssize_t transfer(endpoint_object& e, post p, held_transfer t) {
  if (!find_address(*e.of, t.pe) || !find_memory(*e.of, t.there)) return -FI_EINVAL;
  return begin(e, p, [&](void* real) -> ssize_t {
    t.description = real;
    if (!e.of->how.reorders_transfers) return start(e, t);
    if (p.is_injected) {
      const auto* data = static_cast<const std::byte*>(t.data);
      t.copy.assign(data, data + t.bytes);
    }
    e.held.push_back(std::move(t));
    return 0;
  });
}

// The last comes first.
void release_transfers(endpoint_object& e) {
  if (e.held.empty()) return;
  if (e.held.size() < held_together && ++e.looks % looks_before_release != 0) return;
  while (!e.held.empty()) {
    const ssize_t code = really([&] { return start(e, e.held.back()); });
    if (code == -FI_EAGAIN) return;
    if (code != 0) {
      fi_cq_err_entry error{};
      error.op_context = e.held.back().context;
      error.err = static_cast<int>(-code);
      e.ends->errors.push_back(error);
    }
    e.held.pop_back();
  }
}

ssize_t put(fid_ep* ep, const fi_msg_rma* all, std::uint64_t flags) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(&ep->fid);
  if (all->iov_count != 1 || all->rma_iov_count != 1 ||
      all->msg_iov->iov_len != all->rma_iov->len) {
    violation("a put has more parts than one, or two lengths");
    return -FI_EINVAL;
  }
  if ((flags & FI_DELIVERY_COMPLETE) == 0) {
    violation("a put ends before it is there");
    return -FI_EINVAL;
  }
  held_transfer t;
  t.data = all->msg_iov->iov_base;
  t.bytes = all->msg_iov->iov_len;
  t.pe = all->addr;
  t.there = *all->rma_iov;
  t.context = all->context;
  t.flags = flags;
  const bool is_injected = (flags & FI_INJECT) != 0;
  return transfer(e,
                  {"fi_writemsg", t.data, t.bytes, all->desc == nullptr ? nullptr : all->desc[0],
                   FI_WRITE, all->context, false, is_injected},
                  t);
}

ssize_t get(fid_ep* ep, void* data, std::size_t bytes, void* description, fi_addr_t from,
            std::uint64_t at, std::uint64_t key, void* context) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(&ep->fid);
  held_transfer t;
  t.is_get = true;
  t.data = data;
  t.bytes = bytes;
  t.pe = from;
  t.there = {at, bytes, key};
  t.context = context;
  return transfer(e, {"fi_read", data, bytes, description, FI_READ, context}, t);
}

std::optional<flight> end(queue_object& q, void* context) {
  const auto found = q.flights.find(context);
  if (found == q.flights.end()) return {};
  flight f = found->second;
  q.flights.erase(found);
  if (f.memory != nullptr) --f.memory->in_use;
  --(f.is_receive ? f.at->receives : f.at->sends);
  scribble(*q.of, context);
  return f;
}

ssize_t read_queue(fid_cq* cq, void* into, std::size_t count) {
  const locked lock(here().guard);
  queue_object& q = of<queue_object>(&cq->fid);
  if (!q.is_tagged) return q.functions.real->read(cq, into, count);
  if (const int code = refused(*q.of, "fi_cq_read", 0)) return -code;
  for (const auto& [f, e] : all_of<endpoint_object>()) {
    if (e->ends == &q) release_transfers(*e);
  }
  if (!q.errors.empty()) return -FI_EAVAIL;
  const ssize_t found = really([&] { return q.functions.real->read(cq, into, count); });
  if (found <= 0) return found;
  auto* entries = static_cast<fi_cq_tagged_entry*>(into);
  ssize_t kept = 0;
  for (ssize_t i = 0; i < found; ++i) {
    const std::optional<flight> f = end(q, entries[i].op_context);
    const int code = f ? refused(*q.of, "the end of " + f->by, f->bytes) : 0;
    if (code == 0) {
      entries[kept++] = entries[i];
      continue;
    }
    fi_cq_err_entry error{};
    error.op_context = entries[i].op_context;
    error.flags = entries[i].flags;
    error.err = code;
    error.prov_errno = refused_end_code;
    q.errors.push_back(error);
  }
  return kept == 0 ? -FI_EAVAIL : kept;
}

ssize_t read_error(fid_cq* cq, fi_cq_err_entry* into, std::uint64_t flags) {
  const locked lock(here().guard);
  queue_object& q = of<queue_object>(&cq->fid);
  if (!q.errors.empty()) {
    *into = q.errors.front();
    q.errors.pop_front();
    end(q, into->op_context);
    return 1;
  }
  const ssize_t found = really([&] { return q.functions.real->readerr(cq, into, flags); });
  if (found > 0) end(q, into->op_context);
  return found;
}

const char* words_of_error(fid_cq* cq, int number, const void* data, char* into,
                           std::size_t bytes) {
  const locked lock(here().guard);
  if (number == refused_end_code) return words_of_refused_end;
  return of<queue_object>(&cq->fid).functions.real->strerror(cq, number, data, into, bytes);
}

// --- Making of objects ---------------------------------------------------------------------------

int open_addresses(fid_domain* domain, fi_av_attr* attributes, fid_av** made, void* context) {
  const locked lock(here().guard);
  domain_object& d = of<domain_object>(&domain->fid);
  if (calls_inside != 0) return d.functions.real->av_open(domain, attributes, made, context);
  fi_av_attr real = *attributes;
  if (d.how.has_adapter && real.type != FI_AV_MAP) {
    violation("addresses are kept in a table, and not by the provider's handles");
    return -FI_EINVAL;
  }
  if (d.how.has_adapter) real.type = FI_AV_TABLE;
  const int code = really([&] { return d.functions.real->av_open(domain, &real, made, context); });
  if (code != 0) return code;
  auto a = std::make_unique<address_object>();
  a->of = &d;
  a->any.take((*made)->fid.ops);
  a->any.ours.close = [](fid* f) {
    return close_object<address_object>(f, "a table of addresses");
  };
  a->functions.take((*made)->ops);
  a->functions.ours.insert = insert_addresses;
  all_of<address_object>()[&(*made)->fid] = std::move(a);
  return 0;
}

int open_queue(fid_domain* domain, fi_cq_attr* attributes, fid_cq** made, void* context) {
  const locked lock(here().guard);
  domain_object& d = of<domain_object>(&domain->fid);
  if (calls_inside != 0) return d.functions.real->cq_open(domain, attributes, made, context);
  const int code =
      really([&] { return d.functions.real->cq_open(domain, attributes, made, context); });
  if (code != 0) return code;
  auto q = std::make_unique<queue_object>();
  q->of = &d;
  q->size = attributes->size;
  q->is_tagged = attributes->format == FI_CQ_FORMAT_TAGGED;
  q->any.take((*made)->fid.ops);
  q->any.ours.close = [](fid* f) { return close_object<queue_object>(f, "a queue of ends"); };
  q->functions.take((*made)->ops);
  q->functions.ours.read = read_queue;
  q->functions.ours.readerr = read_error;
  q->functions.ours.strerror = words_of_error;
  all_of<queue_object>()[&(*made)->fid] = std::move(q);
  return 0;
}

int bind_endpoint(fid* f, fid* to, std::uint64_t flags) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(f);
  if (to->fclass == FI_CLASS_CQ) e.ends = &of<queue_object>(to);
  return really([&] { return e.any.real->bind(f, to, flags); });
}

int close_endpoint(fid* f) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(f);
  for (const auto& [key, r] : all_of<region>()) {
    if (r->bound_to == f) violation("an endpoint is closed to which memory is bound");
  }
  if (e.ends != nullptr) {
    std::erase_if(e.ends->flights, [&](const auto& one) {
      if (one.second.at != &e) return false;
      if (one.second.memory != nullptr) --one.second.memory->in_use;
      return true;
    });
  }
  return close_object<endpoint_object>(f, "an endpoint");
}

// What libfabric gave for the endpoints that were shown last.
std::vector<fi_info*>& originals() {
  static auto* all = new std::vector<fi_info*>;
  return *all;
}

bool is_same(const char* a, const char* b) {
  return a == nullptr || b == nullptr ? a == b : std::strcmp(a, b) == 0;
}

// The one that is shown as this.
fi_info* original_of(const fi_info& shown) {
  for (fi_info* one : originals()) {
    if (is_same(one->fabric_attr->prov_name, shown.fabric_attr->prov_name) &&
        is_same(one->fabric_attr->name, shown.fabric_attr->name) &&
        is_same(one->domain_attr->name, shown.domain_attr->name)) {
      return one;
    }
  }
  violation("an endpoint is opened by what fi_getinfo has not given");
  return nullptr;
}

int open_endpoint(fid_domain* domain, fi_info* shown, fid_ep** made, void* context) {
  const locked lock(here().guard);
  domain_object& d = of<domain_object>(&domain->fid);
  if (calls_inside != 0) return d.functions.real->endpoint(domain, shown, made, context);
  fi_info* real = original_of(*shown);
  if (real == nullptr) return -FI_EINVAL;
  const int code = really([&] { return d.functions.real->endpoint(domain, real, made, context); });
  if (code != 0) return code;
  auto e = std::make_unique<endpoint_object>();
  e->of = &d;
  e->self = *made;
  e->most_sends = shown->tx_attr->size;
  e->most_receives = shown->rx_attr->size;
  e->most_injected = shown->tx_attr->inject_size;
  e->longest = shown->ep_attr->max_msg_size;
  e->any.take((*made)->fid.ops);
  e->any.ours.close = close_endpoint;
  e->any.ours.bind = bind_endpoint;
  e->names.take((*made)->cm);
  e->names.ours.getname = show_address;
  e->tagged.take((*made)->tagged);
  e->tagged.ours.recv = receive_tagged;
  e->tagged.ours.send = send_tagged;
  e->tagged.ours.inject = inject_tagged;
  if ((*made)->rma != nullptr) {
    e->transfers.take((*made)->rma);
    e->transfers.ours.writemsg = put;
    e->transfers.ours.read = get;
  }
  all_of<endpoint_object>()[&(*made)->fid] = std::move(e);
  return 0;
}

struct fabric_object {
  pretence how;
  replaced<fi_ops> any;
  replaced<fi_ops_fabric> functions;
};

int open_domain(fid_fabric* fabric, fi_info* shown, fid_domain** made, void* context) {
  const locked lock(here().guard);
  fabric_object& f = of<fabric_object>(&fabric->fid);
  if (calls_inside != 0) return f.functions.real->domain(fabric, shown, made, context);
  fi_info* real = original_of(*shown);
  if (real == nullptr) return -FI_EINVAL;
  const int code = really([&] { return f.functions.real->domain(fabric, real, made, context); });
  if (code != 0) return code;
  auto d = std::make_unique<domain_object>();
  d->how = f.how;
  d->self = *made;
  d->scribbles = f.how.uses_contexts && (real->mode & (FI_CONTEXT | FI_CONTEXT2)) == 0;
  d->any.take((*made)->fid.ops);
  d->any.ours.close = [](fid* one) { return close_object<domain_object>(one, "a domain"); };
  d->functions.take((*made)->ops);
  d->functions.ours.av_open = open_addresses;
  d->functions.ours.cq_open = open_queue;
  d->functions.ours.endpoint = open_endpoint;
  d->memory.take((*made)->mr);
  d->memory.ours.reg = register_memory;
  here().latest = d.get();
  all_of<domain_object>()[&(*made)->fid] = std::move(d);
  return 0;
}

// --- libfabric's functions
// --------------------------------------------------------------------------

using get_information = int (*)(std::uint32_t, const char*, const char*, std::uint64_t,
                                const fi_info*, fi_info**);

int show(std::uint32_t version, const char* node, const char* service, std::uint64_t flags,
         const fi_info* hints, fi_info** made) {
  static const auto real = next<get_information>("fi_getinfo");
  if (calls_inside != 0 || hints == nullptr) {
    return real(version, node, service, flags, hints, made);
  }
  const locked lock(here().guard);
  const pretence& how = here().how;
  if (!suits(*hints, how)) return -FI_ENODATA;
  fi_info* wanted = fi_dupinfo(hints);
  if (how.has_adapter && wanted->addr_format == FI_ADDR_CXI) {
    wanted->addr_format = FI_SOCKADDR_IN;
  }
  const int code = really([&] { return real(version, node, service, flags, wanted, made); });
  fi_freeinfo(wanted);
  if (code != 0) return code;
  for (fi_info* one : originals()) fi_freeinfo(one);
  originals().clear();
  for (fi_info* one = *made; one != nullptr; one = one->next) {
    originals().push_back(fi_dupinfo(one));
    alter(*one, how);
  }
  return 0;
}

int open_fabric(fi_fabric_attr* attributes, fid_fabric** made, void* context) {
  using open = int (*)(fi_fabric_attr*, fid_fabric**, void*);
  static const auto real = next<open>("fi_fabric");
  if (calls_inside != 0) return real(attributes, made, context);
  const locked lock(here().guard);
  const int code = really([&] { return real(attributes, made, context); });
  if (code != 0) return code;
  auto f = std::make_unique<fabric_object>();
  f->how = here().how;
  f->any.take((*made)->fid.ops);
  f->any.ours.close = [](fid* one) { return close_object<fabric_object>(one, "a fabric"); };
  f->functions.take((*made)->ops);
  f->functions.ours.domain = open_domain;
  all_of<fabric_object>()[&(*made)->fid] = std::move(f);
  return 0;
}

}  // namespace

void pretend(const pretence& how) {
  const locked lock(here().guard);
  here().how = how;
}

std::vector<std::string> take_violations() {
  const locked lock(here().guard);
  return std::exchange(here().violations, {});
}

void refuse(const refused_call& unwanted) {
  const locked lock(here().guard);
  here().unwanted.push_back(unwanted);
}

void refuse_nothing() {
  const locked lock(here().guard);
  here().unwanted.clear();
  here().refused = 0;
}

int count_refused() {
  const locked lock(here().guard);
  return here().refused;
}

std::string text_of_refused_end() {
  return std::string(fi_strerror(FI_EIO)) + " (" + words_of_refused_end + ")";
}

int count_begun(std::string_view function) {
  const locked lock(here().guard);
  const auto found = here().begun.find(function);
  return found == here().begun.end() ? 0 : found->second;
}

}  // namespace boxcar::test

// What follows is called by Boxcar's library in place of libfabric's own functions.

int fi_getinfo(std::uint32_t version, const char* node, const char* service, std::uint64_t flags,
               const fi_info* hints, fi_info** made) {
  return boxcar::test::show(version, node, service, flags, hints, made);
}

int fi_fabric(fi_fabric_attr* attributes, fid_fabric** made, void* context) {
  return boxcar::test::open_fabric(attributes, made, context);
}
