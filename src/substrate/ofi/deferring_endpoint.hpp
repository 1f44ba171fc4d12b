// An endpoint of libfabric whose provider carries out deferred work: puts, sums and counts that
// wait for counters (FI_TRIGGER, FI_QUEUE_WORK), and counters of what others put into memory
// (FI_RMA_EVENT). It has a domain of its own, as such an endpoint costs more than one that only
// brings messages. That the provider does what it says is tried when it is opened.
//
// One thread at a time.
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
  // At the provider of this endpoint. Throws system_error, with what it lacks or does not do.
  explicit deferring_endpoint(const fi_info& like);
  deferring_endpoint(const deferring_endpoint&) = delete;
  deferring_endpoint& operator=(const deferring_endpoint&) = delete;
  ~deferring_endpoint();

  [[nodiscard]] std::string provider() const { return name_of(*info_); }
  [[nodiscard]] const fi_info& info() const { return *info_; }
  [[nodiscard]] fid_ep* end() const { return endpoint_.get(); }

  // nullptr if the provider has no more of them.
  [[nodiscard]] owned<fid_cntr> make_counter();
  void give_back(owned<fid_cntr> counter);
  [[nodiscard]] std::string why_no_counter() const;

  // Room for one more operation, which may be fired at any time together with all others; false if
  // there is none. (A provider may forget what it has no room for when it fires.)
  [[nodiscard]] bool book_operation();
  void give_back_operations(std::size_t booked) { operations_ -= booked; }
  [[nodiscard]] std::string why_no_operation() const;

  // Memory that others put into, if a counter is given or `by_others`, or that is put from.
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

  // What others must know of this one, and this one of them.
  [[nodiscard]] std::span<const std::byte> address() const { return address_; }
  // Connected when this returns. Throws system_error if it cannot be reached.
  [[nodiscard]] fi_addr_t meet(std::span<const std::byte> address);
  [[nodiscard]] fi_addr_t myself() const { return myself_; }

  // What a put is made of. It stays where it is until the put has ended.
  struct put_parts {
    iovec local = {};
    fi_rma_iov remote = {};
    void* description = nullptr;
  };
  // `told`: the number that it brings to the other PE, unless that is 0.
  [[nodiscard]] fi_op_rma put_of(put_parts& parts, fi_addr_t to, void* context,
                                 std::uint64_t told = 0) const;

  // What libfabric says if it refuses it; else 0.
  [[nodiscard]] int queue(fi_deferred_work& work);
  // False if the provider does not know how.
  [[nodiscard]] bool cancel(fi_deferred_work& work) noexcept;
  // Nothing is carried out any more, by none of those that use it.
  void shut() noexcept;

  // --- By the PE ---------------------------------------------------------------------------------
  // Each of those that use it says what it calls an operation, by the context, if it is its own.
  using user = const void*;
  using naming = std::function<std::string(const void* context)>;
  void add(user who, naming names) { users_[who] = std::move(names); }
  // Nothing that it has given is called any more.
  void forget(user who) noexcept;
  // A put that waits for nothing. False if there is no room for it now, or it has failed, which
  // `look` tells then; else `ended` is called when it is there, in `look`.
  [[nodiscard]] bool put_now(user who, const fi_op_rma& put, std::function<void()> ended);
  [[nodiscard]] bool is_putting(user who) const;
  // The number by which a put tells the PE that it is there, of which at most so many are under way
  // at a time: then `arrived` is called in `look`. Throws shortage if there is no room for more.
  [[nodiscard]] std::uint64_t be_told(user who, std::size_t at_a_time,
                                      std::function<void()> arrived);

  // Calls what has been asked for. Throws system_error if something that was carried out has
  // failed, or if it has been shut.
  void look();

 private:
  struct posted {
    fi_context2 context{};
    user by = nullptr;
    const void* known_as = nullptr;
    std::function<void()> ended;
  };
  struct telling {
    user who;
    std::size_t at_a_time;
    std::function<void()> arrived;
  };

  void open(const fi_info& like);
  void prove();
  // Of what the PE does at once. (A provider may need it to let others in, too.)
  [[nodiscard]] std::size_t room_to_put_now() const;
  [[nodiscard]] std::size_t most_operations() const;
  // An error in a queue, as text; nothing if there is none.
  [[nodiscard]] std::string problem_in(fid_cq& queue);
  // Of what one of those that use it knows by this context.
  [[nodiscard]] std::string failure_of(const void* context, const std::string& why) const;
  [[nodiscard]] std::uint64_t take_key();
  // Until it is there.
  void put_word(fi_addr_t to, const deferred_work::place& there);

  info_list info_;
  owned<fid_fabric> fabric_;
  owned<fid_domain> domain_;
  owned<fid_av> addresses_;
  owned<fid_cq> ended_;
  owned<fid_cq> told_;  // by puts of others
  owned<fid_ep> endpoint_;
  std::size_t counters_ = 0;
  std::size_t operations_ = 0;
  std::optional<key_pool> keys_;
  std::unique_ptr<std::uint64_t> word_;  // that others write when they meet this one
  region word_region_;
  region word_to_put_;
  std::vector<std::byte> address_;
  fi_addr_t myself_ = FI_ADDR_UNSPEC;
  std::map<std::string, fi_addr_t> met_;
  std::map<user, naming> users_;
  std::map<const void*, std::unique_ptr<posted>> posted_;  // by its context
  std::map<std::uint64_t, telling> tellings_;
  std::size_t told_at_a_time_ = 0;
  std::string problem_;
};

// Why the provider of this endpoint carries out no deferred work; empty if it says that it does.
[[nodiscard]] std::string why_not_deferring(const fi_info& like);

}  // namespace boxcar::detail::ofi
