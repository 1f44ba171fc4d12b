// A libfabric endpoint for deferred work, executed by the provider: puts, atomics and increments of
// counters, triggered by counters (FI_TRIGGER, FI_QUEUE_WORK), and counters of puts from other PEs
// into memory (FI_RMA_EVENT). The endpoint has a separate domain, as deferred work makes an
// endpoint more expensive than messages alone. The constructor tests the provider's promises.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_trigger.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "substrate/deferred_work.hpp"
#include "substrate/ofi/key_pool.hpp"
#include "substrate/ofi/owned.hpp"
#include "substrate/ofi/provider.hpp"

namespace boxcar::detail::ofi {

class deferring_endpoint {
 public:
  // Opens an endpoint of the provider of `like`. Throws system_error with the missing or failing
  // feature of the provider.
  explicit deferring_endpoint(const fi_info& like);
  deferring_endpoint(const deferring_endpoint&) = delete;
  deferring_endpoint& operator=(const deferring_endpoint&) = delete;
  ~deferring_endpoint();

  [[nodiscard]] std::string provider() const { return name_of(*info_); }
  [[nodiscard]] const fi_info& info() const { return *info_; }
  [[nodiscard]] fid_ep* end() const { return endpoint_.get(); }

  // Returns nullptr if the provider has no more counters.
  [[nodiscard]] owned<fid_cntr> make_counter();
  void give_back(owned<fid_cntr> counter);
  [[nodiscard]] std::string why_no_counter() const;

  // Reserves room for one more operation, also for the case of all operations firing at once.
  // Returns false if no room is left. (A provider may lose a firing operation without room.)
  [[nodiscard]] bool book_operation();
  void give_back_operations(std::size_t booked) { operations_ -= booked; }
  [[nodiscard]] std::string why_no_operation() const;

  // Registered memory: with `by_others` a target of puts, counted by `puts` unless null; else a
  // source.
  class region {
   public:
    region() = default;
    region(deferring_endpoint& at, std::span<std::byte> memory, bool by_others, fid_cntr* puts);
    region(const region&) = delete;
    region& operator=(const region&) = delete;
    region(region&& other) noexcept;
    region& operator=(region&& other) noexcept;
    ~region() { close(); }
    [[nodiscard]] deferred_work::place place() const { return {address_, fi_mr_key(made_.get())}; }
    [[nodiscard]] void* description() const {
      return made_ == nullptr ? nullptr : fi_mr_desc(made_.get());
    }

   private:
    void close() noexcept;
    deferring_endpoint* at_ = nullptr;
    owned<fid_mr> made_;
    std::uint64_t address_ = 0;
    std::uint64_t key_ = 0;
  };

  // Returns the address of the endpoint, for `connect` on other PEs.
  [[nodiscard]] std::span<const std::byte> address() const { return address_; }
  // Returns when the endpoint at `address` is connected. Throws system_error if the endpoint is
  // unreachable.
  [[nodiscard]] fi_addr_t connect(std::span<const std::byte> address);
  [[nodiscard]] fi_addr_t myself() const { return myself_; }

  // The buffers of a put. A put_parts object is not moved until the put has ended.
  struct put_parts {
    iovec local = {};
    fi_rma_iov remote = {};
    void* description = nullptr;
  };
  // `told` is the number delivered with the put (FI_REMOTE_CQ_DATA); 0: none.
  [[nodiscard]] fi_op_rma put_of(put_parts& parts, fi_addr_t to, void* context,
                                 std::uint64_t told = 0) const;

  // Returns 0, or libfabric's error code if libfabric refuses the work.
  [[nodiscard]] int queue(fi_deferred_work& work);
  // Returns false if the provider cannot cancel work.
  [[nodiscard]] bool cancel(fi_deferred_work& work) noexcept;
  // Closes the endpoint: no work of any user is executed afterwards.
  void shut() noexcept;

  // --- By the PE ---------------------------------------------------------------------------------
  // A user registers a function `names`. The function describes the user's operation with the given
  // context and returns an empty string for other contexts.
  using user = const void*;
  using naming = std::function<std::string(const void* context)>;
  void add(user who, naming names) { users_[who] = std::move(names); }
  // Removes the user: no function of the user is called afterwards.
  void forget(user who) noexcept;
  // Starts a put immediately. Returns false if there is no room now, or if the put has failed:
  // `look` reports the failure. Otherwise `look` calls `ended` when the data have arrived.
  [[nodiscard]] bool put_now(user who, const fi_op_rma& put, std::function<void()> ended);
  [[nodiscard]] bool is_putting(user who) const;
  // Returns a number for notifying puts: `look` calls `arrived` for each arrived put with the
  // number. At most `at_a_time` puts with the number may be in flight. Throws shortage if the queue
  // has no room for more.
  [[nodiscard]] std::uint64_t add_notification(user who, std::size_t at_a_time,
                                               std::function<void()> arrived);

  // Calls `arrived` and `ended` of finished puts. Throws system_error if work has failed, or if the
  // endpoint has been shut.
  void look();

 private:
  struct posted {
    fi_context2 context{};
    user by = nullptr;
    const void* known_as = nullptr;
    std::function<void()> ended;
  };
  struct notification {
    user who;
    std::size_t at_a_time;
    std::function<void()> arrived;
  };

  void open(const fi_info& like);
  void prove();
  // Returns the number of immediate puts with reserved room. (A provider may need the room to let
  // other PEs in, too.)
  [[nodiscard]] std::size_t room_to_put_now() const;
  [[nodiscard]] std::size_t max_operations() const;
  // Returns the error in a queue as text; empty if there is none.
  [[nodiscard]] std::string problem_in(fid_cq& queue);
  // Returns the message for a failed operation, as described by the user of `context`.
  [[nodiscard]] std::string failure_of(const void* context, const std::string& why) const;
  [[nodiscard]] std::uint64_t take_key();
  // Returns when the word has arrived.
  void put_word(fi_addr_t to, const deferred_work::place& there);

  info_list info_;
  owned<fid_fabric> fabric_;
  owned<fid_domain> domain_;
  owned<fid_av> addresses_;
  owned<fid_cq> ended_;
  owned<fid_cq> notify_queue_;  // notifying puts of other PEs
  owned<fid_ep> endpoint_;
  std::size_t counters_ = 0;
  std::size_t operations_ = 0;
  std::optional<key_pool> keys_;
  std::unique_ptr<std::uint64_t> word_;  // other PEs write the word in `connect`
  region word_region_;
  region word_to_put_;
  std::vector<std::byte> address_;
  fi_addr_t myself_ = FI_ADDR_UNSPEC;
  std::map<std::string, fi_addr_t> connected_;
  std::map<user, naming> users_;
  std::map<const void*, std::unique_ptr<posted>> posted_;  // by context
  std::map<std::uint64_t, notification> notifications_;
  std::size_t max_notifications_in_flight_ = 0;
  std::string problem_;
};

// Returns why the provider of `like` executes no deferred work; empty if the provider claims to.
[[nodiscard]] std::string why_not_deferring(const fi_info& like);

}  // namespace boxcar::detail::ofi
