#include "substrate/ofi/probe_pair.hpp"

#include <cstring>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi {

info_list find_information(const std::string& provider, std::uint64_t capabilities) {
  info_list hints(libfabric().copy_information(nullptr));
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->caps = capabilities;
  hints->domain_attr->mr_mode =
      FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  if (!provider.empty()) hints->fabric_attr->prov_name = strdup(provider.c_str());
  fi_info* found = nullptr;
  const int code =
      libfabric().get_information(api_version, nullptr, nullptr, 0, hints.get(), &found);
  if (code == -FI_ENODATA) return nullptr;
  check(code, "fi_getinfo");
  return info_list(found);
}

probe_pair::probe_pair(const std::string& provider, std::uint64_t capabilities, bool counts)
    : info_(find_information(provider, capabilities)) {
  if (info_ == nullptr) throw not_offered();
  fabric_ = opened<fid_fabric>("fi_fabric", [&](fid_fabric** made) {
    return libfabric().open_fabric(info_->fabric_attr, made, nullptr);
  });
  domain_ = opened<fid_domain>("fi_domain", [&](fid_domain** made) {
    return fi_domain(fabric_.get(), info_.get(), made, nullptr);
  });
  counter_attributes_.events = FI_CNTR_EVENTS_COMP;
  if (counts) counter_ = make_counter();
  for (side& s : sides_) open(s, capabilities, counts && &s == &sides_[1]);
  std::vector<char> address(256);
  std::size_t bytes = address.size();
  check(fi_getname(&sides_[1].end->fid, address.data(), &bytes), "fi_getname");
  const int inserted = fi_av_insert(sides_[0].others.get(), address.data(), 1, &to_, 0, nullptr);
  if (inserted != 1) throw system_error("fi_av_insert does not take an address");
  here_ = register_words(sides_[0], FI_SEND | FI_READ | FI_WRITE);
  there_ = register_words(sides_[1], FI_RECV | FI_REMOTE_READ | FI_REMOTE_WRITE);
}
void probe_pair::queue(fi_deferred_work& work) {
  check(fi_control(&domain_->fid, FI_QUEUE_WORK, &work), "FI_QUEUE_WORK");
}
void probe_pair::cancel(fi_deferred_work& work) {
  check(fi_control(&domain_->fid, FI_CANCEL_WORK, &work), "FI_CANCEL_WORK");
}
owned<fid_cntr> probe_pair::make_counter() {
  return opened<fid_cntr>("fi_cntr_open", [&](fid_cntr** made) {
    return fi_cntr_open(domain_.get(), &counter_attributes_, made, nullptr);
  });
}
std::optional<fi_cq_data_entry> probe_pair::poll() {
  if (read(sides_[0])) ++ended_here_;
  return read(sides_[1]);
}
bool probe_pair::put(std::size_t word, std::uint64_t value) {
  here()[word] = value;
  iovec local{&here()[word], sizeof value};
  fi_rma_iov remote{there_address() + word * sizeof value, sizeof value, key()};
  void* description = here_description();
  const fi_msg_rma all{.msg_iov = &local,
                       .desc = &description,
                       .iov_count = 1,
                       .addr = to(),
                       .rma_iov = &remote,
                       .rma_iov_count = 1,
                       .context = &context(),
                       .data = 0};
  const int before = ended_here_;
  begin("fi_writemsg",
        [&] { return fi_writemsg(from(), &all, FI_COMPLETION | FI_DELIVERY_COMPLETE); });
  return poll_until([&] { return ended_here_ > before; }) && there()[word] == value;
}
void probe_pair::open(side& s, std::uint64_t capabilities, bool counts) {
  fi_av_attr table{};
  table.type = info_->domain_attr->av_type == FI_AV_MAP ? FI_AV_MAP : FI_AV_TABLE;
  s.others = opened<fid_av>("fi_av_open", [&](fid_av** made) {
    return fi_av_open(domain_.get(), &table, made, nullptr);
  });
  fi_cq_attr queue{};
  queue.size = 256;
  queue.format = FI_CQ_FORMAT_DATA;
  s.ended = opened<fid_cq>("fi_cq_open", [&](fid_cq** made) {
    return fi_cq_open(domain_.get(), &queue, made, nullptr);
  });
  s.end = opened<fid_ep>("fi_endpoint", [&](fid_ep** made) {
    return fi_endpoint(domain_.get(), info_.get(), made, nullptr);
  });
  check(fi_ep_bind(s.end.get(), &s.others->fid, 0), "fi_ep_bind");
  check(fi_ep_bind(s.end.get(), &s.ended->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  if ((capabilities & FI_MULTI_RECV) != 0) use_up_buffers(s);
  if (counts) {
    check(fi_ep_bind(s.end.get(), &counter_->fid, FI_REMOTE_WRITE), "fi_ep_bind of a counter");
  }
  check(fi_enable(s.end.get()), "fi_enable");
}
void probe_pair::use_up_buffers(side& s) {
  std::size_t least = sizeof s.words[0];
  check(fi_setopt(&s.end->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &least, sizeof least),
        "fi_setopt");
}
owned<fid_mr> probe_pair::register_words(side& s, std::uint64_t access) {
  auto region = opened<fid_mr>("fi_mr_reg", [&](fid_mr** made) {
    return fi_mr_reg(domain_.get(), s.words.data(), sizeof s.words, access, 0, ++last_key_, 0, made,
                     nullptr);
  });
  if ((info_->domain_attr->mr_mode & FI_MR_ENDPOINT) != 0) {
    check(fi_mr_bind(region.get(), &s.end->fid, 0), "fi_mr_bind");
    check(fi_mr_enable(region.get()), "fi_mr_enable");
  }
  return region;
}
std::optional<fi_cq_data_entry> probe_pair::read(side& s) {
  fi_cq_data_entry entry{};
  const ssize_t found = fi_cq_read(s.ended.get(), &entry, 1);
  if (found == -FI_EAGAIN) return std::nullopt;
  if (found == -FI_EAVAIL) {
    fi_cq_err_entry error{};
    check(fi_cq_readerr(s.ended.get(), &error, 0), "fi_cq_readerr");
    throw system_error("fails: " + text_of(error.err));
  }
  check(found, "fi_cq_read");
  return entry;
}
}  // namespace boxcar::detail::ofi
