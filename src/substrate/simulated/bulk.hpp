// The rendezvous of items too large for buffers on a simulated machine: the item stays in its
// memory, and the receiver finds the item by a number.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

class simulated_bulk {
 public:
  std::unique_ptr<bulk_offer> offer(std::size_t bytes);
  // `taken` is called when the item has been read.
  std::unique_ptr<bulk_delivery> fetch(const bulk_ticket& ticket, std::function<void()> taken);

 private:
  struct item;
  class offered;
  class delivered;

  std::map<std::uint64_t, std::shared_ptr<item>> put_up_;
  std::uint64_t last_ = 0;
};

}  // namespace boxcar::detail
