// The messages that a PE gets from PEs of its node by meetings, in the memory of its adapter, where
// their senders find them: in the order of senders and of their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trigger/records.hpp"

namespace boxcar::detail {

class meeting_table {
 public:
  static std::size_t bytes_for(std::size_t meetings);
  // What a receiver knows of a message.
  struct arrival {
    std::int32_t sender = 0;  // its place in the node
    std::int32_t number = 0;
    std::uint64_t bytes = 0;
    meeting_end into = {};
  };
  // By the PE that has it, which is at this place of the node; in memory of this size that is
  // aligned to a line.
  static void create(std::span<std::byte> memory, std::int32_t receiver, std::vector<arrival> all);

  // By all, after that.
  explicit meeting_table(std::span<std::byte> memory);
  // The one of this number from the sender at this place; there is one.
  [[nodiscard]] meeting_record& find(std::int32_t sender, std::int32_t number) const;

 private:
  std::span<meeting_record> all_;
};

}  // namespace boxcar::detail
