// An endpoint of libfabric whose provider carries out deferred work: puts, sums and counts that
// wait for counters (FI_TRIGGER, FI_QUEUE_WORK), and counters of what others put into memory
// (FI_RMA_EVENT). It has a domain of its own, as such an endpoint costs more than one that only
// brings messages. That the provider does what it says is tried when it is opened.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_trigger.h>
#include <span>
#include <string>
#include <vector>

#include "substrate/deferred_work.hpp"
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

  // Throws shortage if the provider has no more of them.
  [[nodiscard]] owned<fid_cntr> make_counter();
  void give_back(owned<fid_cntr> counter);

  // Room for one more operation, which may be fired at any time together with all others; shortage
  // if there is none. (A provider may forget what it has no room for when it fires.)
  void book_operation();
  void give_back_operations(std::size_t booked) { operations_ -= booked; }

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

  void queue(fi_deferred_work& work);
  // False if the provider does not know how.
  [[nodiscard]] bool cancel(fi_deferred_work& work) noexcept;
  // Nothing is carried out any more, by none of those that use it.
  void shut() noexcept;

  // Throws system_error if something that was carried out has failed, or if it has been shut.
  void require_success();

 private:
  void open(const fi_info& like);
  void prove();
  [[nodiscard]] std::uint64_t take_key();
  // Until it is there.
  void put_word(fi_addr_t to, const deferred_work::place& there);

  info_list info_;
  owned<fid_fabric> fabric_;
  owned<fid_domain> domain_;
  owned<fid_av> addresses_;
  owned<fid_cq> ended_;
  owned<fid_ep> endpoint_;
  std::size_t counters_ = 0;
  std::size_t operations_ = 0;
  std::uint64_t next_key_ = 0;
  std::vector<std::uint64_t> old_keys_;
  std::unique_ptr<std::uint64_t> word_;  // that others write when they meet this one
  region word_region_;
  region word_to_put_;
  std::vector<std::byte> address_;
  fi_addr_t myself_ = FI_ADDR_UNSPEC;
  std::map<std::string, fi_addr_t> met_;
  std::string problem_;
};

// Why the provider of this endpoint carries out no deferred work; empty if it says that it does.
[[nodiscard]] std::string why_not_deferring(const fi_info& like);

}  // namespace boxcar::detail::ofi
