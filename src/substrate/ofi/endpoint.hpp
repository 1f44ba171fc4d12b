// The endpoint of a PE: an endpoint of libfabric that reaches all PEs of the job. The endpoint
// looks up the address of a peer at the first message to the peer.
//
// No operation is lost, and nothing waits here without bound. Callers book receives before posting
// them, sends in flight are limited to the provider's transmit queue, and a put with a word needs
// room at the target beforehand (counted_puts.hpp). So receives, sends and words together never
// exceed the completion queue. Messages that the provider cannot take at the moment wait in a FIFO
// queue per peer: a slow peer delays no other peer.
//
// Thread safety: one thread at a time; with a progress thread all calls are under a lock (see
// acquire_lock).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <span>
#include <string>
#include <vector>

#include <boxcar/detail/pe_table.hpp>

#include "substrate/cluster/pace.hpp"
#include "substrate/ofi/bootstrap.hpp"
#include "substrate/ofi/key_pool.hpp"
#include "substrate/ofi/owned.hpp"
#include "substrate/ofi/provider.hpp"
#include "substrate/ofi/registered.hpp"
#include "substrate/ofi/seal.hpp"

namespace boxcar::detail::ofi {

struct operation;

// An operation_owner is notified of the ends of operations. Functions of the endpoint call the
// owner: the owner may post and send, but not poll.
class operation_owner {
 public:
  // A receive has ended: `bytes` bytes with the tag `tag` have come from a PE of the job.
  virtual void received(operation& op, std::size_t bytes, std::uint64_t tag) = 0;
  // A receive has ended without a message: a message without a valid seal has come (seal.hpp), from
  // no PE of the job. The owner posts the receive again, and may overwrite the data.
  virtual void refused(operation& op) = 0;
  // A send has ended: the buffer can be reused, and the message arrives without a further call.
  virtual void sent(operation& op) = 0;
  // The operation has failed, for the reason `reason`. A cancelled receive ends without this call.
  virtual void failed(operation& op, const std::string& reason) = 0;

 protected:
  ~operation_owner() = default;
};

// A word_listener is notified of puts with a word into memory of this PE. The rules for calls of an
// operation_owner hold.
class word_listener {
 public:
  virtual void heard(std::uint64_t word) = 0;

 protected:
  ~word_listener() = default;
};

// A send or a receive. An operation must not move while in flight.
struct operation {
  fi_context2 context{};  // for the provider; first member: the address identifies the operation
  operation_owner* owner = nullptr;
  std::byte* into = nullptr;  // target of a receive
  std::size_t room = 0;       // bytes at `into`, with the seal
  std::uint32_t index = 0;    // for the owner
  bool is_receive = false;
  bool under_way = false;
};

class endpoint {
 public:
  // Collective over the job. Throws system_error. If the job's PEs are on one machine, the endpoint
  // uses the loopback device, where the provider supports the loopback device.
  endpoint(bootstrap& job, const std::string& wanted_provider, bool is_one_machine);
  endpoint(const endpoint&) = delete;
  endpoint& operator=(const endpoint&) = delete;
  ~endpoint();

  [[nodiscard]] int rank() const { return job_.rank(); }
  [[nodiscard]] int size() const { return job_.size(); }
  [[nodiscard]] std::string provider() const { return name_of(*info_); }
  [[nodiscard]] const fi_info& info() const { return *info_; }
  // Returns the numeric host part of the endpoint's address; empty for a non-IP address.
  [[nodiscard]] std::string host_address() const;
  // Returns whether the endpoint reaches no other machine.
  [[nodiscard]] bool stays_on_machine() const { return ofi::stays_on_machine(*info_); }
  [[nodiscard]] std::size_t max_message() const { return info_->ep_attr->max_msg_size; }

  // Another thread will call the endpoint too: from now on acquire_lock locks.
  void expect_threads() { many_threads_ = true; }
  // Returns the lock to hold around the calls of the endpoint, but not while waiting.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> acquire_lock() {
    return many_threads_ ? std::unique_lock(guard_) : std::unique_lock<std::recursive_mutex>();
  }
  // Sets whether this PE has a core of its own.
  void set_has_core(bool has) {
    if (has != has_core_) pace_ = pace(has_core_ = has);
  }

  // Returns how many receives the caller may have posted at a time until give_back_receives: at
  // most `wanted`, and at least 1. Throws system_error if no receive is left.
  [[nodiscard]] std::size_t book_receives(std::size_t wanted);
  void give_back_receives(std::size_t booked) { booked_ -= booked; }

  // Every message ends with a seal (seal.hpp) of seal_bytes bytes.
  //
  // Posts a receive. `into` has room for the seal, too. Returns false if the provider cannot take
  // the receive now.
  bool receive(operation& op, std::span<std::byte> into, const registered& memory,
               std::uint64_t tag, std::uint64_t ignored);
  // Sends `data`, with a seal written behind the data. Precondition: there is room for the seal.
  void send(operation& op, int to, std::span<std::byte> data, const registered& memory,
            std::uint64_t tag);
  // Sends at most max_small_bytes bytes. The caller may overwrite `data` on return; no owner is
  // notified. A message that the provider refuses is sent again later; after long refusal, polling
  // throws system_error.
  static constexpr std::size_t max_small_bytes = small_bytes - seal_bytes;
  void send_small(int to, std::span<const std::byte> data, std::uint64_t tag);

  // Returns whether other PEs can put into and get from registered memory of this PE. This PE takes
  // no part but the progress of its provider when polling.
  [[nodiscard]] bool reaches_memory() const { return (info_->caps & FI_RMA) != 0; }
  // Returns whether a network adapter executes puts and gets, instead of the provider in this
  // process.
  [[nodiscard]] bool has_adapter() const { return info_->nic != nullptr; }
  // Returns whether a message that is sent after a put is received after the put.
  [[nodiscard]] bool sends_after_puts() const {
    return (info_->tx_attr->msg_order & info_->rx_attr->msg_order & FI_ORDER_SAW) != 0;
  }
  // Returns whether two puts of `bytes` bytes each to one PE arrive in the order of their start.
  [[nodiscard]] bool puts_in_order(std::size_t bytes) const {
    return (info_->tx_attr->msg_order & info_->rx_attr->msg_order & FI_ORDER_WAW) != 0 &&
           info_->ep_attr->max_order_waw_size >= bytes;
  }
  [[nodiscard]] std::size_t max_put_at_once() const { return info_->tx_attr->inject_size; }
  // Returns the number of bits, at least 32, of the word that a put can carry; 0 if puts cannot
  // carry a word. The target PE receives the word when the data are there.
  [[nodiscard]] unsigned word_bits() const;
  // Returns how many words may at a time be on their way to this PE or in the completion queue.
  [[nodiscard]] std::size_t max_words() const { return max_words_; }
  void listen_to_words(word_listener& who) { word_listener_ = &who; }
  void ignore_words() { word_listener_ = nullptr; }
  // Puts `data` to byte `at` of memory of another PE. The operation ends like a send, when the data
  // are there. `at_once`: `data` has at most max_put_at_once bytes, the caller may overwrite
  // `data` on return, and `memory` is nullptr. With a word: the other PE must have room for the
  // word. Returns false if the provider cannot take the put now.
  bool put(operation& op, int to, std::span<const std::byte> data, const registered* memory,
           const remote_memory& there, std::size_t at, bool at_once,
           std::optional<std::uint64_t> word = {});
  // Gets `into` from byte `at` of memory of another PE. The operation ends like a send, when the
  // data are here. Returns false if the provider cannot take the get now.
  bool get(operation& op, int from, std::span<std::byte> into, const registered& memory,
           const remote_memory& there, std::size_t at);

  // Makes progress, if polling is due, and notifies the owners of operations that have ended.
  void poll() {
    if (pace_.is_due()) poll_now();
  }
  void poll_now() { ask(max_calls); }
  // Polls the completion queue once, for callers who handle completions as soon as completions are
  // here. (Callers who move much data gain by polling until the queue is empty: each call drives
  // the provider, and over TCP is a system call.)
  void look() {
    if (pace_.is_due()) ask(1);
  }

  // Cancels receives, and waits as long as some of them end. Returns false if receives stay in
  // flight, as when a message is on its way whose sender has stopped: the provider keeps the
  // receives and their buffers. Owners are not notified any more.
  bool cancel(std::span<operation> receives) noexcept;
  // Waits as long as some of the sends end; drops sends that still wait in a queue. Returns false
  // if the provider keeps some sends. Owners are not notified any more.
  bool end_soon(std::span<operation> sends) noexcept;

 private:
  friend class registered;
  friend region_closer;
  static constexpr int max_calls = 8;
  // An outgoing_message is a message to be sent.
  struct outgoing_message {
    operation* op;          // or nullptr: the message is in `small`
    const std::byte* data;  // if not in `small`
    std::size_t bytes;
    void* description;
    std::uint64_t tag;
    std::array<std::byte, small_bytes> small;
  };
  struct refused_message {
    int to;
    outgoing_message what;
    std::chrono::steady_clock::time_point since;
  };
  struct peer {
    fi_addr_t address = FI_ADDR_UNSPEC;
    secret its = 0;  // seals messages to the peer
    std::unique_ptr<std::deque<outgoing_message>> waiting;
  };

  void open(const std::string& wanted_provider, bool is_one_machine);
  // Returns how memory is registered: FI_MR_... .
  [[nodiscard]] int memory_mode() const { return info_->domain_attr->mr_mode; }
  // Returns a key for memory to be registered. Throws shortage.
  [[nodiscard]] std::uint64_t take_key();
  void give_back_key(std::uint64_t key) { keys_->give_back(key); }
  [[nodiscard]] std::string own_address() const;
  void find(int pe, peer& p);
  peer& find(int pe);
  // Returns false if the message must wait.
  bool try_send(int to, const peer& p, const outgoing_message& l);
  void send_or_wait(int to, peer& p, const outgoing_message& l);
  void end_receive(operation& op, std::size_t bytes, std::uint64_t tag) const;
  template <typename Call>
  bool try_transfer(operation& op, const char* function, const Call& call);
  // Reads the completion queue, at most `calls` times.
  void ask(int calls);
  void send_what_waits();
  void send_refused();
  void end(const fi_cq_tagged_entry& entry);
  void end_failed();

  bootstrap& job_;
  secret mine_;
  int turn_ = 0;  // number of the publication of the addresses
  info_list info_;
  owned<fid_fabric> fabric_;
  owned<fid_domain> domain_;
  owned<fid_av> addresses_;
  owned<fid_cq> ended_;
  owned<fid_ep> endpoint_;
  bool many_threads_ = false;
  std::recursive_mutex guard_;
  bool has_core_ = false;
  pace pace_{false};
  pe_table<peer> peers_;
  std::vector<int> have_waiting_;  // PEs with waiting messages
  std::vector<refused_message> refused_;
  word_listener* word_listener_ = nullptr;
  std::size_t max_words_ = 0;
  std::size_t booked_ = 0;
  std::size_t sends_ = 0;         // in flight
  std::optional<key_pool> keys_;  // of registered memory
};

}  // namespace boxcar::detail::ofi
