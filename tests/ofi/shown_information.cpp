#include "ofi/shown_information.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

namespace boxcar::test {
namespace {

int close_device(fid* f) {
  auto* device = reinterpret_cast<fid_nic*>(f);
  free(device->device_attr->name);
  free(device->device_attr);
  free(device->bus_attr);
  free(device->link_attr);
  free(device);
  return 0;
}

fid_nic* make_device();

// libfabric requests a copy.
int control_device(fid* /*f*/, int command, void* made) {
  if (command != FI_DUP) return -FI_ENOSYS;
  *static_cast<fid_nic**>(made) = make_device();
  return 0;
}

fid_nic* make_device() {
  static fi_ops functions{};
  functions.size = sizeof functions;
  functions.close = close_device;
  functions.control = control_device;
  auto* device = static_cast<fid_nic*>(calloc(1, sizeof(fid_nic)));
  device->fid = {FI_CLASS_NIC, nullptr, &functions};
  device->device_attr = static_cast<fi_device_attr*>(calloc(1, sizeof(fi_device_attr)));
  device->device_attr->name = strdup("pretended");
  device->bus_attr = static_cast<fi_bus_attr*>(calloc(1, sizeof(fi_bus_attr)));
  device->link_attr = static_cast<fi_link_attr*>(calloc(1, sizeof(fi_link_attr)));
  return device;
}

void limit(std::size_t& value, std::size_t most) {
  if (most != 0) value = std::min(value, most);
}

}  // namespace

void alter(fi_info& info, const pretence& how) {
  info.caps &= ~how.lacking_capabilities;
  info.tx_attr->caps &= ~how.lacking_capabilities;
  info.rx_attr->caps &= ~how.lacking_capabilities;
  info.tx_attr->msg_order &= ~how.lacking_order;
  info.rx_attr->msg_order &= ~how.lacking_order;
  info.domain_attr->mr_mode |= how.mr_mode;
  limit(info.domain_attr->mr_key_size, how.mr_key_bytes);
  limit(info.tx_attr->inject_size, how.inject_bytes);
  limit(info.tx_attr->size, how.sends);
  limit(info.rx_attr->size, how.receives);
  limit(info.domain_attr->cntr_cnt, how.counters);
  limit(info.ep_attr->max_msg_size, how.message_bytes);
  limit(info.tx_attr->iov_limit, how.iov_limit);
  limit(info.tx_attr->rma_iov_limit, how.iov_limit);
  limit(info.rx_attr->iov_limit, how.iov_limit);
  limit(info.domain_attr->mr_iov_limit, how.iov_limit);
  info.domain_attr->cq_data_size = std::min(info.domain_attr->cq_data_size, how.cq_data_bytes);
  if (how.uses_contexts) info.mode |= FI_CONTEXT2;
  if (how.progress != FI_PROGRESS_UNSPEC) {
    info.domain_attr->control_progress = how.progress;
    info.domain_attr->data_progress = how.progress;
  }
  if (!how.has_adapter) return;
  info.addr_format = FI_ADDR_CXI;
  info.domain_attr->av_type = FI_AV_MAP;
  free(info.src_addr);
  info.src_addr = nullptr;
  info.src_addrlen = 0;
  if (info.nic == nullptr) info.nic = make_device();
}

bool suits(const fi_info& hints, const pretence& how) {
  const auto lacks = [](std::uint64_t wanted, std::uint64_t lacking) {
    return (wanted & lacking) != 0;
  };
  const auto is_automatic = [](fi_progress wanted) { return wanted == FI_PROGRESS_AUTO; };
  const bool wants_automatic = is_automatic(hints.domain_attr->control_progress) ||
                               is_automatic(hints.domain_attr->data_progress);
  return !(wants_automatic && how.progress == FI_PROGRESS_MANUAL) &&
         !lacks(hints.caps, how.lacking_capabilities) &&
         !lacks(hints.tx_attr->msg_order, how.lacking_order) &&
         !lacks(hints.rx_attr->msg_order, how.lacking_order) &&
         (hints.domain_attr->mr_mode & how.mr_mode) == how.mr_mode &&
         (!how.uses_contexts || (hints.mode & FI_CONTEXT2) != 0);
}

}  // namespace boxcar::test
