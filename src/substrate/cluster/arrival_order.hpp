// An arrival_order puts the received buffers of each sender into the order of sending. A network
// may complete the messages of one sender in another order. So the trailer (trailer.hpp) numbers
// the buffers of a link, and a buffer that has overtaken earlier buffers of its link waits for the
// earlier buffers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "substrate/cluster/trailer.hpp"
#include "substrate/links.hpp"
#include "substrate/rank_list.hpp"

namespace boxcar::detail {

class arrival_order {
 public:
  struct sender {
    int rank;  // in the job
    std::uint32_t link;
    int pe;             // in the world
    unsigned next = 0;  // number of the buffer expected next
  };

  // PE i of the plan's world is PE `members[i]` of the job. `max_buffers` limits the buffers that
  // are received and not given back.
  arrival_order(const link_plan& plan, const rank_list& members, std::size_t max_buffers) {
    for (std::size_t i = 0; i < plan.incoming.size(); ++i) {
      const int pe = plan.incoming[i];
      senders_.push_back({members[pe], static_cast<std::uint32_t>(i), pe});
    }
    std::ranges::sort(senders_, {}, &sender::rank);
    early_.reserve(max_buffers);
  }

  // Returns the sender with the rank `rank` in the job; nullptr if the PE has no link to this PE.
  [[nodiscard]] sender* find(int rank) {
    const auto found = std::ranges::lower_bound(senders_, rank, {}, &sender::rank);
    return found == senders_.end() || found->rank != rank ? nullptr : &*found;
  }

  // Adds the buffer `slot` with a message of `bytes` bytes, trailer included, at `data`. Calls
  // `push(arrival)` for each buffer of the sender whose turn has come.
  template <typename Push>
  void add(sender& from, std::byte* data, std::size_t bytes, std::uint32_t slot, const Push& push) {
    const std::size_t filled = bytes - trailer_bytes;
    const arrival added{.data = data,
                        .bytes = static_cast<std::uint32_t>(filled),
                        .link = from.link,
                        .source = from.pe,
                        .slot = slot & arrival::largest_slot,
                        .last = is_last(data[filled])};
    if (number_in(data[filled]) != from.next) return early_.push_back(added);
    push(added);
    from.next = next_number(from.next);
    const auto is_next = [&from](const arrival& a) {
      return a.link == from.link && number_in(a.data[a.bytes]) == from.next;
    };
    for (auto next = early_.end();
         (next = std::ranges::find_if(early_, is_next)) != early_.end();) {
      push(*next);
      early_.erase(next);
      from.next = next_number(from.next);
    }
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return senders_.size() * sizeof(sender) + early_.capacity() * sizeof(arrival);
  }

 private:
  std::vector<sender> senders_;  // ascending by rank
  std::vector<arrival> early_;   // buffers that have overtaken earlier buffers of their sender
};

}  // namespace boxcar::detail
