// Items too large for buffers travel between nodes by rendezvous: in messages of their own, when
// the receiver fetches an item. The receiver first posts receives for the item and then sends a
// request, so an item never waits in other memory. The receiver requests an item of many pieces a
// few pieces at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "substrate/ofi/endpoint.hpp"
#include "substrate/ofi/item_request.hpp"
#include "substrate/ofi/receive_pool.hpp"
#include "substrate/ofi/tags.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

class offer;

class bulk_items final : public operation_owner {
 public:
  // Throws system_error.
  explicit bulk_items(std::shared_ptr<endpoint> at);
  bulk_items(const bulk_items&) = delete;
  bulk_items& operator=(const bulk_items&) = delete;

  // Makes an offer to the PE `to`. Returns nullptr while other offers use up the memory.
  std::unique_ptr<bulk_offer> make_offer(const std::shared_ptr<bulk_items>& self, int to,
                                         std::size_t bytes);
  // Calls `wait` while the transfer makes no progress.
  std::unique_ptr<bulk_delivery> fetch(int from, const bulk_ticket& ticket,
                                       const std::function<void()>& wait);

  // Posts the receives again for which the provider had no room. Throws system_error if a receive
  // has failed.
  void poll();

  void received(operation& op, std::size_t bytes, std::uint64_t tag) override;
  void refused(operation& op) override { receives_.post_again(op); }
  void sent(operation& /*op*/) override {}
  void failed(operation& op, const std::string& reason) override;

 private:
  friend class offer;
  std::shared_ptr<endpoint> at_;
  receive_pool receives_;
  std::string problem_;
  std::map<std::uint64_t, offer*> offers_;
  std::uint64_t made_ = 0;
  channel next_fetch_ = first_of_items;
};

}  // namespace boxcar::detail::ofi
