// Packets that handlers sent while no buffer was free, in order per link. A handler cannot wait for
// a buffer, because buffers become free only when other PEs handle their contents; hence the memory
// grows as needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace boxcar::detail {

class held_back {
 public:
  struct packet {
    std::vector<std::byte> item;
    std::uint32_t word;       // destination
    std::uint32_t size_word;  // of an array
    bool whole = false;       // a large array that has not been offered yet
  };

  [[nodiscard]] bool empty() const { return by_link_.empty(); }
  [[nodiscard]] bool has(std::uint32_t link) const {
    return !by_link_.empty() && by_link_.contains(link);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  // Returns the links with packets.
  [[nodiscard]] std::vector<std::uint32_t> links() const {
    std::vector<std::uint32_t> all;
    for (const auto& [link, packets] : by_link_) all.push_back(link);
    return all;
  }

  void add(std::uint32_t link, packet p) {
    by_link_[link].push_back(std::move(p));
    ++size_;
  }
  // Returns the oldest packet of a link. Precondition: has(link).
  [[nodiscard]] packet& first(std::uint32_t link) { return by_link_.at(link).front(); }
  void remove_first(std::uint32_t link) {
    std::deque<packet>& packets = by_link_.at(link);
    packets.pop_front();
    --size_;
    if (packets.empty()) by_link_.erase(link);
  }

 private:
  std::map<std::uint32_t, std::deque<packet>> by_link_;  // no deque is empty
  std::size_t size_ = 0;
};

}  // namespace boxcar::detail
