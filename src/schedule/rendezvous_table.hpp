// The table of messages that a PE receives from PEs of its node by rendezvous (rendezvous_record).
// The table lies in the memory of the receiver's adapter, where senders look up their messages;
// records are sorted by sender and by message number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trigger/records.hpp"

namespace boxcar::detail {

class rendezvous_table {
 public:
  static std::size_t bytes_for(std::size_t num_rendezvous);
  // The receiver's data of a message.
  struct arrival {
    std::int32_t sender = 0;  // local rank
    std::int32_t number = 0;
    std::uint64_t bytes = 0;
    rendezvous_end into = {};
  };
  // Called by the owner, whose local rank is `receiver`. Precondition: the memory has the size
  // bytes_for(all.size()) and is aligned to a cache line.
  static void create(std::span<std::byte> memory, std::int32_t receiver, std::vector<arrival> all);

  // Called by all PEs of the node, after `create`.
  explicit rendezvous_table(std::span<std::byte> memory);
  // Returns the record of a message from the sender with the local rank. Precondition: the record
  // exists.
  [[nodiscard]] rendezvous_record& find(std::int32_t sender, std::int32_t number) const;

 private:
  std::span<rendezvous_record> all_;
};

}  // namespace boxcar::detail
