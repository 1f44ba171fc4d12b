// What one PE sends and receives with: an endpoint of libfabric that reaches all PEs of the job,
// each found when it is first sent to.
//
// Nothing that is begun here is lost, and nothing waits in here without bound. Receives are booked
// before they are posted, no more sends are under way than the endpoint takes, and what others put
// here with a word they were given room for (counted_puts.hpp): so together they never are more
// than the completion queue holds. What the provider does not take at the moment
// waits in a row for each PE, in order, so that a PE that is hard to reach holds up nobody else.
//
// One thread at a time: with a progress thread all is done under a lock (see keep_out).
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
#include "substrate/ofi/key_pool.hpp"
#include "substrate/ofi/meeting.hpp"
#include "substrate/ofi/owned.hpp"
#include "substrate/ofi/provider.hpp"
#include "substrate/ofi/seal.hpp"

namespace boxcar::detail::ofi {

struct operation;

// Who is told that an operation has ended. Called within functions of the endpoint: it may post and
// send, but not poll.
class operation_owner {
 public:
  // A receive: so many bytes have come from a PE of the job, with this tag.
  virtual void received(operation& op, std::size_t bytes, std::uint64_t tag) = 0;
  // A receive: what has come is of no PE of the job (seal.hpp), and is to be overwritten. The
  // receive has ended without a message, and is to be posted again.
  virtual void refused(operation& op) = 0;
  // What was sent can be overwritten, and gets there without a further call.
  virtual void sent(operation& op) = 0;
  // It has failed, for this reason. One that was cancelled just ends.
  virtual void failed(operation& op, const std::string& reason) = 0;

 protected:
  ~operation_owner() = default;
};

// Who is told of puts into memory of this PE that bring a word with them. Called as an owner.
class word_listener {
 public:
  virtual void heard(std::uint64_t word) = 0;

 protected:
  ~word_listener() = default;
};

// A send or a receive. Stays where it is while it is under way.
struct operation {
  fi_context2 context{};  // the provider's, and the first member: it is known by its address
  operation_owner* owner = nullptr;
  std::byte* into = nullptr;  // of a receive
  std::size_t room = 0;       // there, with that for the seal
  std::uint32_t index = 0;    // for the owner
  bool is_receive = false;
  bool under_way = false;
};

// Memory of a PE that others can put into and get from. Travels between PEs as plain bytes.
struct remote_memory {
  std::uint64_t address = 0;  // of its first byte, as the provider wants to be told
  std::uint64_t key = 0;
};

// Memory that operations name, registered if the provider wants that. Whoever makes and drops it
// need not keep out others.
class endpoint;
struct region_closer {
  endpoint* at = nullptr;
  std::uint64_t key = 0;
  void operator()(fid_mr* region) const;
};
class registered {
 public:
  enum class use {
    messages,   // is sent from and received into
    transfers,  // is put from and got into
    by_others   // others put into it and get from it: registered in any case
  };
  registered() = default;
  // What is in it may be lost. Throws system_error; shortage if no more can be registered now.
  registered(endpoint& at, std::byte* data, std::size_t bytes, use of = use::messages);
  // Of memory that is used by others.
  [[nodiscard]] remote_memory place() const { return {address_, fi_mr_key(region_.get())}; }
  [[nodiscard]] void* description() const {
    return region_ == nullptr ? nullptr : fi_mr_desc(region_.get());
  }
  // The provider may yet use it.
  void abandon() { static_cast<void>(region_.release()); }

 private:
  std::unique_ptr<fid_mr, region_closer> region_;
  std::uint64_t address_ = 0;
};

class endpoint {
 public:
  // Collective over the job. Throws system_error. If its PEs are on one machine, the endpoint is on
  // the loopback device, where the provider has that.
  endpoint(meeting& job, const std::string& wanted_provider, bool is_one_machine);
  endpoint(const endpoint&) = delete;
  endpoint& operator=(const endpoint&) = delete;
  ~endpoint();

  [[nodiscard]] int rank() const { return job_.rank(); }
  [[nodiscard]] int size() const { return job_.size(); }
  [[nodiscard]] std::string provider() const { return name_of(*info_); }
  [[nodiscard]] const fi_info& info() const { return *info_; }
  // That of its address which belongs to the node, in numbers; empty if it is of another kind.
  [[nodiscard]] std::string host_address() const;
  // No other machine is reached.
  [[nodiscard]] bool stays_on_machine() const { return ofi::stays_on_machine(*info_); }
  [[nodiscard]] std::size_t longest_message() const { return info_->ep_attr->max_msg_size; }

  // Another thread will call, too: from now on it keeps out who calls here.
  void expect_threads() { many_threads_ = true; }
  // To be held around what follows, but not while waiting.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> keep_out() {
    return many_threads_ ? std::unique_lock(guard_) : std::unique_lock<std::recursive_mutex>();
  }
  // This PE need not share its core.
  void set_has_core(bool has) {
    if (has != has_core_) pace_ = pace(has_core_ = has);
  }

  // So many receives can be posted at a time by who asks, until they are given back; perhaps fewer
  // than were asked for, but one at least. Throws system_error if there is none.
  [[nodiscard]] std::size_t book_receives(std::size_t wanted);
  void give_back_receives(std::size_t booked) { booked_ -= booked; }

  // Every message has a seal behind it (seal.hpp), of seal_bytes.
  //
  // False if the provider cannot take it now. `into` has room for the seal, too.
  bool receive(operation& op, std::span<std::byte> into, const registered& memory,
               std::uint64_t tag, std::uint64_t ignored);
  // The seal is written behind the data, where there must be room for it.
  void send(operation& op, int to, std::span<std::byte> data, const registered& memory,
            std::uint64_t tag);
  // At most most_small_bytes. They may be overwritten when this returns; nobody is told when they
  // are sent. What the provider refuses to send is tried again, and if that goes on for long,
  // polling throws system_error.
  static constexpr std::size_t most_small_bytes = small_bytes - seal_bytes;
  void send_small(int to, std::span<const std::byte> data, std::uint64_t tag);

  // Whether others can put into and get from memory of this PE that is registered for that; the
  // PE that has it has no part in it but what its provider does when it polls.
  [[nodiscard]] bool reaches_memory() const { return (info_->caps & FI_RMA) != 0; }
  // A device does that, and not the provider in this process.
  [[nodiscard]] bool has_adapter() const { return info_->nic != nullptr; }
  // What is sent after a put is received after it, too.
  [[nodiscard]] bool sends_after_puts() const {
    return (info_->tx_attr->msg_order & info_->rx_attr->msg_order & FI_ORDER_SAW) != 0;
  }
  // A put is there before one to the same PE that is begun after it, each of so many bytes.
  [[nodiscard]] bool puts_in_order(std::size_t bytes) const {
    return (info_->tx_attr->msg_order & info_->rx_attr->msg_order & FI_ORDER_WAW) != 0 &&
           info_->ep_attr->max_order_waw_size >= bytes;
  }
  [[nodiscard]] std::size_t most_put_at_once() const { return info_->tx_attr->inject_size; }
  // Puts can bring a word of so many bits, 32 at least, which the PE that they go to is told when
  // the data are there; 0: they cannot.
  [[nodiscard]] unsigned word_bits() const;
  // So many words may be on their way to this PE, or here and not told, at a time.
  [[nodiscard]] std::size_t most_words() const { return most_words_; }
  void listen_to_words(word_listener& who) { word_listener_ = &who; }
  void ignore_words() { word_listener_ = nullptr; }
  // To byte `at` of memory of another PE; the operation ends as one that is sent, when the data are
  // there. `at_once`: there are at most most_put_at_once bytes, which may be overwritten when this
  // returns, and no memory is named. With a word, which the other PE must have room for. False if
  // the provider cannot take it now.
  bool put(operation& op, int to, std::span<const std::byte> data, const registered* memory,
           const remote_memory& there, std::size_t at, bool at_once,
           std::optional<std::uint64_t> word = {});
  // From there; the same, when the data are here.
  bool get(operation& op, int from, std::span<std::byte> into, const registered& memory,
           const remote_memory& there, std::size_t at);

  // Gets on with what is under way, if it is worth asking, and tells the owners of what has ended.
  void poll() {
    if (pace_.is_due()) poll_now();
  }
  void poll_now() { ask(most_calls); }
  // Asks the provider once, for what is answered as soon as it is here. (Whoever moves much gains
  // by asking until there is no more: each call drives the provider on, and over TCP is a system
  // call.)
  void look() {
    if (pace_.is_due()) ask(1);
  }

  // Ends receives that nobody waits for. False if that does not happen soon, as when a message is
  // on its way whose sender does not go on: then the provider keeps them, and where they write to.
  // Their owner is told nothing any more.
  bool cancel(std::span<operation> receives) noexcept;
  // Waits until these sends have ended, but not for long; those that only wait here are dropped.
  // False if the provider keeps some. Their owner is told nothing any more.
  bool end_soon(std::span<operation> sends) noexcept;

 private:
  friend class registered;
  friend region_closer;
  static constexpr int most_calls = 8;
  // What is to be sent.
  struct letter {
    operation* op;          // or nullptr: small
    const std::byte* data;  // if not small
    std::size_t bytes;
    void* description;
    std::uint64_t tag;
    std::array<std::byte, small_bytes> small;
  };
  struct refused_letter {
    int to;
    letter what;
    std::chrono::steady_clock::time_point since;
  };
  struct peer {
    fi_addr_t address = FI_ADDR_UNSPEC;
    secret its = 0;  // with which what goes to it is sealed
    std::unique_ptr<std::deque<letter>> waiting;
  };

  void open(const std::string& wanted_provider, bool is_one_machine);
  // How memory is registered: FI_MR_... .
  [[nodiscard]] int memory_mode() const { return info_->domain_attr->mr_mode; }
  // Of memory to be registered. Throws shortage.
  [[nodiscard]] std::uint64_t take_key();
  void give_back_key(std::uint64_t key) { keys_->give_back(key); }
  [[nodiscard]] std::string own_address() const;
  void find(int pe, peer& p);
  peer& find(int pe);
  // False if it must wait.
  bool try_send(int to, const peer& p, const letter& l);
  void send_or_wait(int to, peer& p, const letter& l);
  void end_receive(operation& op, std::size_t bytes, std::uint64_t tag) const;
  template <typename Call>
  bool try_transfer(operation& op, const char* function, const Call& call);
  // Asks the provider what has ended, so many times if there is more.
  void ask(int calls);
  void send_what_waits();
  void send_refused();
  void end(const fi_cq_tagged_entry& entry);
  void end_failed();

  meeting& job_;
  secret mine_;
  int turn_ = 0;  // of the meeting, in which the addresses were shown
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
  std::vector<int> have_waiting_;  // PEs for which something waits
  std::vector<refused_letter> refused_;
  word_listener* word_listener_ = nullptr;
  std::size_t most_words_ = 0;
  std::size_t booked_ = 0;
  std::size_t sends_ = 0;         // under way
  std::optional<key_pool> keys_;  // of registered memory
};

}  // namespace boxcar::detail::ofi
