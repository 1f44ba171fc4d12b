#include "ofi/pretending_operations.hpp"

#include <optional>
#include <utility>

#include "ofi/pretending_addresses.hpp"
#include "ofi/pretending_memory.hpp"

namespace boxcar::test::pretending {
namespace {

constexpr int refused_end_code = 7777;  // the provider's own number
// Larger values are addresses of memory; smaller values may be offsets within a region.
constexpr std::uint64_t largest_offset = std::uint64_t{1} << 40;
// The number of transfers in flight together, and of polls of the queue before they start.
constexpr std::size_t held_together = 4;
constexpr unsigned looks_before_release = 3;

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

// Returns 0, or the error code for an operation that is not started. `real` is set to the memory
// descriptor of the provider.
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
  return (p.is_receive ? e.receives == e.max_receives : e.sends == e.max_sends) ? -FI_EAGAIN : 0;
}

template <typename Call>
ssize_t begin(endpoint_object& e, const post& p, const Call& call) {
  void* description = nullptr;
  region* memory = nullptr;
  if (const int code = check(e, p, description, memory)) return code;
  // (The provider may still complete the operation in this call.)
  scribble(*e.of, p.context);
  if (e.of->how.progress == FI_PROGRESS_MANUAL && !p.is_receive) {
    e.waiting.push_back({p.context, [call, description] { return call(description); }});
  } else if (const ssize_t code = really([&] { return call(description); })) {
    return code;
  }
  ++here().begun[p.function];
  if (p.context == nullptr) return 0;
  e.ends->flights[p.context] = {p.function, p.bytes, p.is_receive, memory, &e};
  if (memory != nullptr) ++memory->in_use;
  ++(p.is_receive ? e.receives : e.sends);
  return 0;
}

}  // namespace

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
  const auto call = e.tagged.real->send;
  return begin(e, {"fi_tsend", data, bytes, description, FI_SEND, context},
               [=](void* real) { return call(ep, data, bytes, real, to, tag, context); });
}

ssize_t inject_tagged(fid_ep* ep, const void* data, std::size_t bytes, fi_addr_t to,
                      std::uint64_t tag) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(&ep->fid);
  if (!find_address(*e.of, to)) return -FI_EINVAL;
  const post p{"fi_tinject", data, bytes, nullptr, 0, nullptr, false, true};
  // The buffer may be overwritten after the return.
  const auto* first = static_cast<const std::byte*>(data);
  return begin(e, p,
               [copy = std::vector(first, first + bytes), call = e.tagged.real->inject, ep, to,
                tag](void*) { return call(ep, copy.data(), copy.size(), to, tag); });
}

namespace {

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
  all.data = t.data_for_queue;
  return e.transfers.real->writemsg(e.self, &all, t.flags);
}

ssize_t transfer(endpoint_object& e, post p, held_transfer t) {
  if (!find_address(*e.of, t.pe) || !find_memory(*e.of, t.there)) return -FI_EINVAL;
  if (p.is_injected) {
    const auto* data = static_cast<const std::byte*>(t.data);
    t.copy.assign(data, data + t.bytes);
  }
  return begin(e, p, [at = &e, held = std::move(t)](void* real) -> ssize_t {
    held_transfer now = held;
    now.description = real;
    if (!at->of->how.reorders_transfers) return start(*at, now);
    at->held.push_back(std::move(now));
    return 0;
  });
}

void end_badly(endpoint_object& e, void* context, ssize_t code) {
  fi_cq_err_entry error{};
  error.op_context = context;
  error.err = static_cast<int>(-code);
  e.ends->errors.push_back(error);
}

// Operations start in the order of their posting.
void start_waiting(endpoint_object& e) {
  while (!e.waiting.empty()) {
    const ssize_t code = really(e.waiting.front().start);
    if (code == -FI_EAGAIN) return;
    if (code != 0) end_badly(e, e.waiting.front().context, code);
    e.waiting.pop_front();
  }
}

// The last comes first.
void release_transfers(endpoint_object& e) {
  if (e.held.empty()) return;
  if (e.held.size() < held_together && ++e.looks % looks_before_release != 0) return;
  while (!e.held.empty()) {
    const ssize_t code = really([&] { return start(e, e.held.back()); });
    if (code == -FI_EAGAIN) return;
    if (code != 0) end_badly(e, e.held.back().context, code);
    e.held.pop_back();
  }
}

}  // namespace

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
  const bool brings_data = (flags & FI_REMOTE_CQ_DATA) != 0;
  t.data_for_queue = brings_data ? all->data : 0;
  const std::size_t bytes = e.of->how.cq_data_bytes;
  if (brings_data && (bytes == 0 || (bytes < sizeof all->data && all->data >> 8 * bytes != 0))) {
    violation("a put brings " + std::to_string(all->data) + " with it, where there are " +
              std::to_string(bytes) + " bytes");
    return -FI_EINVAL;
  }
  return transfer(
      e,
      {brings_data ? "fi_writemsg with data" : "fi_writemsg", t.data, t.bytes,
       all->desc == nullptr ? nullptr : all->desc[0], FI_WRITE, all->context, false, is_injected},
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

namespace {

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

}  // namespace

ssize_t read_queue(fid_cq* cq, void* into, std::size_t count) {
  const locked lock(here().guard);
  queue_object& q = of<queue_object>(&cq->fid);
  if (q.entry_bytes == 0) return q.functions.real->read(cq, into, count);
  if (const int code = refused(*q.of, "fi_cq_read", 0)) return -code;
  for (const auto& [f, e] : all_of<endpoint_object>()) {
    if (e->ends != &q) continue;
    start_waiting(*e);
    release_transfers(*e);
  }
  if (!q.errors.empty()) return -FI_EAVAIL;
  const ssize_t found = really([&] { return q.functions.real->read(cq, into, count); });
  if (found <= 0) return found;
  // Entries of other formats are a prefix of fi_cq_data_entry.
  const auto entry = [&](ssize_t i) -> fi_cq_data_entry& {
    auto* const first = static_cast<std::byte*>(into);
    return *reinterpret_cast<fi_cq_data_entry*>(first +
                                                static_cast<std::size_t>(i) * q.entry_bytes);
  };
  ssize_t kept = 0;
  const auto keep = [&](ssize_t i) {
    if (kept != i) std::memcpy(&entry(kept), &entry(i), q.entry_bytes);
    ++kept;
  };
  for (ssize_t i = 0; i < found; ++i) {
    // Completions of puts of other PEs.
    constexpr std::uint64_t of_this_pe = FI_SEND | FI_RECV | FI_READ | FI_WRITE;
    if ((entry(i).flags & FI_REMOTE_CQ_DATA) != 0 && (entry(i).flags & of_this_pe) == 0) {
      keep(i);
      continue;
    }
    const std::optional<flight> f = end(q, entry(i).op_context);
    const int code = f ? refused(*q.of, "the end of " + f->by, f->bytes) : 0;
    if (code == 0) {
      keep(i);
      continue;
    }
    fi_cq_err_entry error{};
    error.op_context = entry(i).op_context;
    error.flags = entry(i).flags;
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

}  // namespace boxcar::test::pretending
