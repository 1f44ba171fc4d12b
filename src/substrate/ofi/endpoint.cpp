#include "substrate/ofi/endpoint.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <netdb.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <sched.h>
#include <sys/socket.h>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "basis/hexadecimal.hpp"
#include "substrate/cluster/machine.hpp"
#include "substrate/cluster/refusal.hpp"
#include "substrate/memory_errors.hpp"
#include "substrate/ofi/call.hpp"
#include "substrate/ofi/published_endpoint.hpp"
#include "substrate/ofi/random_number.hpp"
#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi {
namespace {

constexpr auto longest_end = std::chrono::milliseconds(100);
// A small message may be refused for max_refusal. (Answers to the last messages of a world may
// go to PEs that have left the world: then all other PEs are about to leave.)
constexpr auto max_refusal = std::chrono::seconds(3);
// A call of fi_cq_read returns at most ends_at_once completions.
constexpr std::size_t ends_at_once = 16;
// Limits of words that come with puts.
constexpr std::size_t room_for_words = 1024;
constexpr std::size_t fewest_word_bytes = 4;

// The machine of this process, and for an endpoint on the loopback device also the network
// namespace to which the device belongs.
std::string machine_of(const fi_info& endpoint) {
  const machine_identity here = identify_machine();
  const std::string machine = std::to_string(here.machine);
  return is_loopback(endpoint) ? machine + ' ' + std::to_string(here.loopback) : machine;
}

// Waits until no operation is in flight. Returns false when for `longest_end` none has ended.
template <typename Poll>
bool wait_for_end(std::span<operation> operations, const Poll& poll) noexcept {
  // (On a busy machine some polls may take all of the time.)
  constexpr int min_polls = 100;
  const auto count = [&] { return std::ranges::count_if(operations, &operation::under_way); };
  auto until = std::chrono::steady_clock::now() + longest_end;
  auto left = count();
  for (int polls = 0; std::ranges::any_of(operations, &operation::under_way); ++polls) {
    if (polls >= min_polls && std::chrono::steady_clock::now() >= until) {
      const auto now_left = count();
      if (now_left == left) return false;
      left = now_left;
      until = std::chrono::steady_clock::now() + longest_end;
      polls = 0;
    }
    try {
      poll();
    } catch (const std::exception&) {
      return false;
    }
    sched_yield();
  }
  return true;
}

}  // namespace

endpoint::endpoint(bootstrap& job, const std::string& wanted_provider, bool is_one_machine)
    : job_(job), mine_(random_number()), peers_(job.size()) {
  // A PE that fails here still publishes a record: the other PEs wait for the record.
  std::string problem;
  published_endpoint mine{
      .version = version, .provider = {}, .machine = {}, .secret = {}, .address = {}};
  try {
    open(wanted_provider, is_one_machine);
    mine.provider = info_->fabric_attr->prov_name;
    if (stays_on_machine()) mine.machine = machine_of(*info_);
    mine.secret =
        to_hexadecimal(std::string_view(reinterpret_cast<const char*>(&mine_), sizeof mine_));
    mine.address = own_address();
  } catch (const system_error& e) {
    problem = e.what();
  }
  turn_ = job_.fence_count();
  job_.publish(text_of(mine));
  if (!problem.empty()) throw system_error(problem);
}

endpoint::~endpoint() = default;

std::uint64_t endpoint::take_key() {
  if (const auto key = keys_->take()) return *key;
  throw_refusal<shortage>(provider() + " has keys of " +
                          std::to_string(8 * info_->domain_attr->mr_key_size) +
                          " bits for registered memory, and all are in use: keep fewer conveyors, "
                          "windows and large items at a time");
}

void endpoint::open(const std::string& wanted_provider, bool is_one_machine) {
  info_ = choose_provider(wanted_provider, is_one_machine);
  fi_info& info = *info_;
  keys_.emplace(info.domain_attr->mr_key_size);
  fabric_ = opened<fid_fabric>("fi_fabric", [&](fid_fabric** made) {
    return libfabric().open_fabric(info.fabric_attr, made, nullptr);
  });
  domain_ = opened<fid_domain>("fi_domain", [&](fid_domain** made) {
    return fi_domain(fabric_.get(), &info, made, nullptr);
  });
  fi_av_attr table{};
  table.type = info.domain_attr->av_type == FI_AV_MAP ? FI_AV_MAP : FI_AV_TABLE;
  table.count = static_cast<std::size_t>(size());
  addresses_ = opened<fid_av>("fi_av_open", [&](fid_av** made) {
    return fi_av_open(domain_.get(), &table, made, nullptr);
  });
  fi_cq_attr queue{};
  max_words_ = word_bits() == 0 ? 0 : room_for_words;
  queue.size = info.rx_attr->size + info.tx_attr->size + max_words_;
  queue.format = FI_CQ_FORMAT_TAGGED;
  queue.wait_obj = FI_WAIT_NONE;
  ended_ = opened<fid_cq>("fi_cq_open", [&](fid_cq** made) {
    return fi_cq_open(domain_.get(), &queue, made, nullptr);
  });
  endpoint_ = opened<fid_ep>("fi_endpoint", [&](fid_ep** made) {
    return fi_endpoint(domain_.get(), &info, made, nullptr);
  });
  check(fi_ep_bind(endpoint_.get(), &addresses_->fid, 0), "fi_ep_bind");
  check(fi_ep_bind(endpoint_.get(), &ended_->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  check(fi_enable(endpoint_.get()), "fi_enable");
}

std::string endpoint::own_address() const {
  std::string address(64, '\0');
  std::size_t bytes = address.size();
  int code = fi_getname(&endpoint_->fid, address.data(), &bytes);
  if (code == -FI_ETOOSMALL) {
    address.resize(bytes);
    code = fi_getname(&endpoint_->fid, address.data(), &bytes);
  }
  check(code, "fi_getname");
  address.resize(bytes);
  return address;
}

std::string endpoint::host_address() const {
  const std::string own = own_address();
  sockaddr_storage address{};
  const bool is_of_internet = info_->addr_format == FI_SOCKADDR ||
                              info_->addr_format == FI_SOCKADDR_IN ||
                              info_->addr_format == FI_SOCKADDR_IN6;
  if (!is_of_internet || own.size() > sizeof address) return {};
  own.copy(reinterpret_cast<char*>(&address), own.size());
  std::array<char, NI_MAXHOST> text{};
  if (getnameinfo(reinterpret_cast<sockaddr*>(&address), static_cast<socklen_t>(own.size()),
                  text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) {
    return {};
  }
  return text.data();
}

void endpoint::find(int pe, peer& p) {
  const published_endpoint its = endpoint_from(job_.lookup(pe, turn_));
  const std::string who = "PE " + std::to_string(pe);
  if (its.version != version) {
    throw system_error(who + " runs Boxcar " + its.version + ", and this PE Boxcar " + version +
                       ": install the same version on all nodes");
  }
  if (its.address.empty()) {
    throw system_error(who + " has no endpoint of libfabric; what it says tells why");
  }
  if (its.provider != info_->fabric_attr->prov_name) {
    throw system_error(who + " uses libfabric's provider " + its.provider + ", and this PE " +
                       info_->fabric_attr->prov_name +
                       ": set BOXCAR_OFI_PROVIDER to one that all nodes have");
  }
  if (!its.machine.empty() && its.machine != machine_of(*info_)) {
    throw system_error(who + " is on another machine, which " + provider() +
                       " does not reach: set BOXCAR_OFI_PROVIDER to a provider that does, or see "
                       "why `boxcar info` finds no network but this machine's own");
  }
  const std::string published = from_hexadecimal(its.secret);
  if (published.size() != sizeof p.its) {
    throw system_error(who +
                       " has not told this PE its secret, without which it takes no message: "
                       "install the same build of Boxcar on all nodes");
  }
  std::memcpy(&p.its, published.data(), sizeof p.its);
  // The provider reads as many bytes as its addresses have.
  const std::size_t bytes = own_address().size();
  if (info_->addr_format != FI_ADDR_STR && its.address.size() != bytes) {
    throw system_error(who + " has told an address of " + std::to_string(its.address.size()) +
                       " bytes, and those of " + provider() + " have " + std::to_string(bytes) +
                       ": install the same libfabric on all nodes");
  }
  const int inserted =
      fi_av_insert(addresses_.get(), its.address.data(), 1, &p.address, 0, nullptr);
  if (inserted == 1) return;
  p.address = FI_ADDR_UNSPEC;
  check(inserted, "fi_av_insert");
  throw system_error("fi_av_insert does not take the address of " + who);
}

endpoint::peer& endpoint::find(int pe) {
  peer& p = peers_[static_cast<std::uint32_t>(pe)];
  if (p.address == FI_ADDR_UNSPEC) find(pe, p);
  return p;
}

std::size_t endpoint::book_receives(std::size_t wanted) {
  const std::size_t room = info_->rx_attr->size - std::min(booked_, info_->rx_attr->size);
  if (room == 0 && wanted != 0) {
    throw system_error(provider() + " lets a PE post " + std::to_string(info_->rx_attr->size) +
                       " receives, and all are in use: keep fewer conveyors and parts of worlds "
                       "at a time, or let the provider have more, as by FI_OFI_RXM_RX_SIZE");
  }
  const std::size_t got = std::min(wanted, room);
  booked_ += got;
  return got;
}

bool endpoint::receive(operation& op, std::span<std::byte> into, const registered& memory,
                       std::uint64_t tag, std::uint64_t ignored) {
  op.is_receive = true;
  const ssize_t code = fi_trecv(endpoint_.get(), into.data(), into.size(), memory.description(),
                                FI_ADDR_UNSPEC, tag, ignored, &op.context);
  if (code == -FI_EAGAIN) return false;
  check(code, "fi_trecv");
  op.into = into.data();
  op.room = into.size();
  op.under_way = true;
  return true;
}

bool endpoint::try_send(int to, const peer& p, const outgoing_message& l) {
  if (l.op == nullptr) {
    const ssize_t code = fi_tinject(endpoint_.get(), l.small.data(), l.bytes, p.address, l.tag);
    if (code == -FI_EAGAIN) return false;
    if (code != 0) refused_.push_back({to, l, std::chrono::steady_clock::now()});
    return true;
  }
  if (sends_ == info_->tx_attr->size) return false;
  const ssize_t code =
      fi_tsend(endpoint_.get(), l.data, l.bytes, l.description, p.address, l.tag, &l.op->context);
  if (code == -FI_EAGAIN) return false;
  if (code != 0) {
    l.op->under_way = false;
    if (l.op->owner != nullptr) {
      l.op->owner->failed(*l.op, "fi_tsend failed: " + ofi::text_of(code));
    }
    return true;
  }
  ++sends_;
  return true;
}

void endpoint::send_or_wait(int to, peer& p, const outgoing_message& l) {
  if (p.waiting == nullptr && try_send(to, p, l)) {
    pace_.something_ended();
    return;
  }
  if (p.waiting == nullptr) {
    p.waiting = std::make_unique<std::deque<outgoing_message>>();
    have_waiting_.push_back(to);
  }
  p.waiting->push_back(l);
}

void endpoint::send(operation& op, int to, std::span<std::byte> data, const registered& memory,
                    std::uint64_t tag) {
  peer& p = find(to);
  write_seal(data.data() + data.size(), p.its);
  op.is_receive = false;
  op.under_way = true;
  send_or_wait(to, p, {&op, data.data(), data.size() + seal_bytes, memory.description(), tag, {}});
}

void endpoint::send_small(int to, std::span<const std::byte> data, std::uint64_t tag) {
  peer& p = find(to);
  outgoing_message l{nullptr, nullptr, data.size() + seal_bytes, nullptr, tag, {}};
  std::ranges::copy(data, l.small.begin());
  write_seal(l.small.data() + data.size(), p.its);
  send_or_wait(to, p, l);
}

template <typename Call>
bool endpoint::try_transfer(operation& op, const char* function, const Call& call) {
  op.is_receive = false;
  if (sends_ == info_->tx_attr->size) return false;
  const ssize_t code = call();
  if (code == -FI_EAGAIN) return false;
  check(code, function);
  op.under_way = true;
  ++sends_;
  pace_.something_ended();
  return true;
}

unsigned endpoint::word_bits() const {
  const std::size_t bytes = info_->domain_attr->cq_data_size;
  if (!reaches_memory() || bytes < fewest_word_bytes) return 0;
  return static_cast<unsigned>(8 * std::min(bytes, sizeof(std::uint64_t)));
}

bool endpoint::put(operation& op, int to, std::span<const std::byte> data, const registered* memory,
                   const remote_memory& there, std::size_t at, bool at_once,
                   std::optional<std::uint64_t> word) {
  const peer& p = find(to);
  iovec from{const_cast<std::byte*>(data.data()), data.size()};
  fi_rma_iov into{there.address + at, data.size(), there.key};
  void* description = memory == nullptr ? nullptr : memory->description();
  const fi_msg_rma all{.msg_iov = &from,
                       .desc = &description,
                       .iov_count = 1,
                       .addr = p.address,
                       .rma_iov = &into,
                       .rma_iov_count = 1,
                       .context = &op.context,
                       .data = word.value_or(0)};
  const std::uint64_t flags = FI_COMPLETION | FI_DELIVERY_COMPLETE |
                              (at_once ? std::uint64_t{FI_INJECT} : 0) |
                              (word ? std::uint64_t{FI_REMOTE_CQ_DATA} : 0);
  return try_transfer(op, "fi_writemsg", [&] { return fi_writemsg(endpoint_.get(), &all, flags); });
}

bool endpoint::get(operation& op, int from, std::span<std::byte> into, const registered& memory,
                   const remote_memory& there, std::size_t at) {
  const peer& p = find(from);
  return try_transfer(op, "fi_read", [&] {
    return fi_read(endpoint_.get(), into.data(), into.size(), memory.description(), p.address,
                   there.address + at, there.key, &op.context);
  });
}

void endpoint::send_what_waits() {
  std::erase_if(have_waiting_, [this](int pe) {
    peer& p = peers_[static_cast<std::uint32_t>(pe)];
    while (!p.waiting->empty() && try_send(pe, p, p.waiting->front())) p.waiting->pop_front();
    if (!p.waiting->empty()) return false;
    p.waiting.reset();
    return true;
  });
}

void endpoint::send_refused() {
  std::string problem;
  std::erase_if(refused_, [&](const refused_message& r) {
    const peer& p = peers_[static_cast<std::uint32_t>(r.to)];
    const outgoing_message& l = r.what;
    const ssize_t code = fi_tinject(endpoint_.get(), l.small.data(), l.bytes, p.address, l.tag);
    if (code == 0) return true;
    // The error is thrown once: notice of the failure must yet travel through this endpoint.
    if (std::chrono::steady_clock::now() - r.since < max_refusal) return false;
    problem = "sending to PE " + std::to_string(r.to) + " of the job by " + provider() +
              " failed: fi_tinject failed: " + ofi::text_of(code);
    return true;
  });
  if (!problem.empty()) throw_refusal(problem);
}

void endpoint::ask(int calls) {
  bool any = false;
  for (; calls != 0; --calls) {
    std::array<fi_cq_tagged_entry, ends_at_once> entries;
    const ssize_t found = fi_cq_read(ended_.get(), entries.data(), entries.size());
    if (found == -FI_EAGAIN) break;
    any = true;
    if (found == -FI_EAVAIL) {
      end_failed();
      continue;
    }
    check(found, "fi_cq_read");
    for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) end(entries[i]);
  }
  any ? pace_.something_ended() : pace_.nothing_ended();
  if (!have_waiting_.empty()) send_what_waits();
  if (!refused_.empty()) send_refused();
}

void endpoint::end(const fi_cq_tagged_entry& entry) {
  // The completion is of no operation of this PE, even if op_context is set. (Some providers set
  // FI_REMOTE_CQ_DATA also in the origin's completion of a put with a word.)
  constexpr std::uint64_t of_this_pe = FI_SEND | FI_RECV | FI_READ | FI_WRITE;
  if ((entry.flags & FI_REMOTE_CQ_DATA) != 0 && (entry.flags & of_this_pe) == 0) {
    if (word_listener_ != nullptr) word_listener_->heard(entry.data);
    return;
  }
  if (entry.op_context == nullptr) return;
  auto& op = *static_cast<operation*>(entry.op_context);
  op.under_way = false;
  if (!op.is_receive) --sends_;
  if (op.owner == nullptr) return;
  if (op.is_receive) {
    end_receive(op, entry.len, entry.tag);
  } else {
    op.owner->sent(op);
  }
}

void endpoint::end_receive(operation& op, std::size_t bytes, std::uint64_t tag) const {
  if (bytes > op.room || !is_sealed({op.into, bytes}, mine_)) return op.owner->refused(op);
  if (rank_in(tag) >= size()) {
    return op.owner->failed(op, "PE " + std::to_string(rank_in(tag)) +
                                    " has sent a message, and the job has " +
                                    std::to_string(size()) + " PEs");
  }
  op.owner->received(op, bytes - seal_bytes, tag);
}

void endpoint::end_failed() {
  fi_cq_err_entry entry{};
  const ssize_t code = fi_cq_readerr(ended_.get(), &entry, 0);
  if (code == -FI_EAGAIN) return;
  check(code, "fi_cq_readerr");
  if (entry.op_context == nullptr) return;  // an operation without a waiting caller
  auto& op = *static_cast<operation*>(entry.op_context);
  op.under_way = false;
  if (!op.is_receive) --sends_;
  if (op.owner == nullptr || (entry.err == FI_ECANCELED && op.is_receive)) return;
  // The PEs of the job have agreed on the size of each message: a longer message has no seal.
  if (entry.err == FI_ETRUNC && op.is_receive) return op.owner->refused(op);
  std::array<char, 256> words{};
  const char* more =
      fi_cq_strerror(ended_.get(), entry.prov_errno, entry.err_data, words.data(), words.size());
  std::string reason = ofi::text_of(entry.err);
  if (more != nullptr && *more != '\0' && reason != more) reason += std::string(" (") + more + ")";
  op.owner->failed(op, reason);
}

bool endpoint::cancel(std::span<operation> receives) noexcept {
  for (operation& op : receives) {
    op.owner = nullptr;
    if (op.under_way) fi_cancel(&endpoint_->fid, &op.context);
  }
  return wait_for_end(receives, [this] { poll_now(); });
}

bool endpoint::end_soon(std::span<operation> sends) noexcept {
  for (operation& op : sends) op.owner = nullptr;
  if (wait_for_end(sends, [this] { poll_now(); })) return true;
  const auto is_of_these = [&](const outgoing_message& l) {
    return l.op >= sends.data() && l.op < sends.data() + sends.size();
  };
  for (const int pe : have_waiting_) {
    auto& waiting = *peers_[static_cast<std::uint32_t>(pe)].waiting;
    for (const outgoing_message& l : waiting) {
      if (is_of_these(l)) l.op->under_way = false;
    }
    std::erase_if(waiting, is_of_these);
  }
  return std::ranges::none_of(sends, &operation::under_way);
}

}  // namespace boxcar::detail::ofi
