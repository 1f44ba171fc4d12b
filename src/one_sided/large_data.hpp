// The data of requests and replies that are too large for messages (rendezvous): the sender offers
// the data, a ticket travels in the place of the data, and the receiver fetches the data in the
// background (substrate::begin_fetch_bulk).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "one_sided/request.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// The maximum size of the data of one request or reply.
inline constexpr std::size_t max_large_bytes = std::size_t{1} << 18;

// The large data of one PE in a world. Functions are local, and are called under the lock of the
// mailbox's owner.
class large_data {
 public:
  explicit large_data(substrate& world) : world_(world) {}

  // Returns whether data may go to and come from a PE of another node in this way.
  [[nodiscard]] bool is_possible() const { return world_.fetches_in_background(); }

  // Offers a copy of data to the PE `to`. Returns nothing while `most_offered` offers for requests
  // are not taken, or while there is no memory.
  [[nodiscard]] std::optional<bulk_ticket> offer(int to, std::span<const std::byte> data);
  // Offers `bytes` bytes that `write` writes, as a reply to the PE `to`. Returns nothing while
  // there is no memory.
  [[nodiscard]] std::optional<bulk_ticket> offer_reply(
      int to, std::size_t bytes, const std::function<void(std::span<std::byte>)>& write);
  // Returns whether the PE `to` has taken all offers for requests.
  [[nodiscard]] bool has_taken_all(int to);
  // Returns whether other PEs have taken all offers.
  [[nodiscard]] bool are_all_taken();

  // Begin to fetch the data of a request, or a reply, by a ticket of the PE `from`. `then` is
  // called with the data by `settle`, for the tickets of one PE in the order of the calls. Return
  // false if no PE gives such a ticket.
  using consumer = std::function<void(std::span<const std::byte>)>;
  [[nodiscard]] bool fetch(int from, std::span<const std::byte> ticket, consumer then) {
    return begin_fetch(from, false, ticket, std::move(then));
  }
  [[nodiscard]] bool fetch_reply(int from, std::span<const std::byte> ticket, consumer then) {
    return begin_fetch(from, true, ticket, std::move(then));
  }
  // Hands the data that have arrived to their consumers, and frees the offers that were taken.
  // Returns false if no data have arrived.
  bool settle();
  [[nodiscard]] bool is_fetching() const { return !fetches_.empty(); }
  // Returns whether data of a request of the PE are on their way. (Replies need no order with
  // requests, and come only when the PE calls Boxcar.)
  [[nodiscard]] bool is_fetching_request_of(int pe) const;
  [[nodiscard]] bool is_idle() const { return fetches_.empty() && offers_.empty(); }

 private:
  static constexpr std::size_t most_offered = 32;

  struct offered {
    int to;
    bool is_reply;
    std::unique_ptr<bulk_offer> data;
  };
  struct fetched {
    int from;
    bool is_reply;
    std::unique_ptr<bulk_delivery> data;
    std::size_t bytes;
    consumer then;
  };

  std::optional<bulk_ticket> put_up(int to, bool is_reply, std::size_t bytes,
                                    const std::function<void(std::span<std::byte>)>& write);
  [[nodiscard]] bool begin_fetch(int from, bool is_reply, std::span<const std::byte> ticket,
                                 consumer then);
  void forget_taken();
  [[nodiscard]] bool is_behind_another(std::size_t i) const;

  substrate& world_;
  std::vector<offered> offers_;
  std::vector<fetched> fetches_;
};

}  // namespace boxcar::detail
