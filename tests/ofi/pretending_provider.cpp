#include "ofi/pretending_provider.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <rdma/fi_trigger.h>
#include <utility>

#include "ofi/pretending_addresses.hpp"
#include "ofi/pretending_memory.hpp"
#include "ofi/pretending_objects.hpp"
#include "ofi/pretending_operations.hpp"
#include "ofi/shown_information.hpp"

namespace boxcar::test {
namespace pretending {
namespace {

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
  if (attributes->format == FI_CQ_FORMAT_TAGGED) q->entry_bytes = sizeof(fi_cq_tagged_entry);
  if (attributes->format == FI_CQ_FORMAT_DATA) q->entry_bytes = sizeof(fi_cq_data_entry);
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
  if (to->fclass == FI_CLASS_CQ && (flags & FI_TRANSMIT) != 0) e.ends = &of<queue_object>(to);
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

// The information from libfabric behind the latest pretended information.
std::vector<fi_info*>& originals() {
  static auto* all = new std::vector<fi_info*>;
  return *all;
}

bool is_same(const char* a, const char* b) {
  return a == nullptr || b == nullptr ? a == b : std::strcmp(a, b) == 0;
}

// The original behind the pretended information.
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
  e->max_sends = shown->tx_attr->size;
  e->max_receives = shown->rx_attr->size;
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

void spoil(fi_deferred_work& work) {
  constexpr std::uint64_t nobodys = 0xbad0bad;
  if (work.op_type == FI_OP_WRITE) {
    const_cast<fi_rma_iov*>(work.op.rma->msg.rma_iov)->key = nobodys;
  } else {
    const_cast<fi_rma_ioc*>(work.op.atomic->msg.rma_iov)->key = nobodys;
  }
}

int control_domain(fid* f, int command, void* argument) {
  const locked lock(here().guard);
  domain_object& d = of<domain_object>(f);
  if (calls_inside == 0 && command == FI_QUEUE_WORK) {
    if (const int code = refused(d, "deferred work", 0)) return -code;
    ++here().begun["deferred work"];
    auto& work = *static_cast<fi_deferred_work*>(argument);
    const bool is_transfer = work.op_type == FI_OP_WRITE || work.op_type == FI_OP_ATOMIC;
    if (is_transfer && refused(d, "the end of deferred work", 0) != 0) spoil(work);
  }
  return really([&] { return d.any.real->control(f, command, argument); });
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
  d->any.ours.control = control_domain;
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

// --- libfabric's functions -----------------------------------------------------------------------

template <typename Function>
Function next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    std::fprintf(stderr, "pretending provider: there is no %s\n", name);
    std::abort();
  }
  return reinterpret_cast<Function>(found);
}

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
}  // namespace pretending

using pretending::here;
using pretending::locked;

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
  return std::string(fi_strerror(FI_EIO)) + " (" + pretending::words_of_refused_end + ")";
}

int count_begun(std::string_view function) {
  const locked lock(here().guard);
  const auto found = here().begun.find(function);
  return found == here().begun.end() ? 0 : found->second;
}

}  // namespace boxcar::test

// Boxcar's library calls the following functions in place of libfabric's own functions.

int fi_getinfo(std::uint32_t version, const char* node, const char* service, std::uint64_t flags,
               const fi_info* hints, fi_info** made) {
  return boxcar::test::pretending::show(version, node, service, flags, hints, made);
}

int fi_fabric(fi_fabric_attr* attributes, fid_fabric** made, void* context) {
  return boxcar::test::pretending::open_fabric(attributes, made, context);
}
