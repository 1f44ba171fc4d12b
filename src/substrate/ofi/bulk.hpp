// Items too large for buffers, between nodes: messages of their own, sent when they are fetched.
// Who fetches one posts where it shall go, and then asks for it; so it never waits anywhere else.
// One of many pieces is asked for a few at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "substrate/ofi/endpoint.hpp"
#include "substrate/ofi/item_request.hpp"
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
  ~bulk_items();

  // To the PE `to`. nullptr if there is no memory beside that of other offers.
  std::unique_ptr<bulk_offer> make_offer(const std::shared_ptr<bulk_items>& self, int to,
                                         std::size_t bytes);
  // Calls `wait` while the transfer makes no progress.
  std::unique_ptr<bulk_delivery> fetch(int from, const bulk_ticket& ticket,
                                       const std::function<void()>& wait);

  // Posts again what could not be. Throws system_error if receiving has failed.
  void poll();

  void received(operation& op, std::size_t bytes, std::uint64_t tag) override;
  void refused(operation& op) override { post(op); }
  void sent(operation& /*op*/) override {}
  void failed(operation& op, const std::string& reason) override;

 private:
  friend class offer;
  struct sealed_request {
    item_request what;
    std::array<std::byte, seal_bytes> seal;
  };
  static constexpr std::size_t receives = 16;
  struct asking {
    std::array<operation, receives> operations;
    std::array<sealed_request, receives> requests;
  };
  void post(operation& op);

  std::shared_ptr<endpoint> at_;
  std::unique_ptr<asking> asking_;
  registered memory_;
  bool has_idle_ = false;
  std::string problem_;
  std::map<std::uint64_t, offer*> offers_;
  std::uint64_t made_ = 0;
  channel next_fetch_ = first_of_items;
};

}  // namespace boxcar::detail::ofi
