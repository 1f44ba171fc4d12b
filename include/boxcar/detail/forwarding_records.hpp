// The forwarding records of a PE say where messages go whose object is not on the PE: where the
// object went from this PE in the session, or where an object is whose home is this PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boxcar/detail/collection_message.hpp>
#include <boxcar/detail/collection_objects.hpp>

namespace boxcar::detail {

template <typename Index>
class forwarding_records {
 public:
  struct record {
    int next = 0;             // does not change while used: messages keep their order
    int newest = 0;           // the newest location that the PE knows
    std::uint64_t epoch = 0;  // of the newest location
    bool is_used = false;     // a message was forwarded in the session
  };

  // Called when nothing is in flight. Notes of objects that have left are forgotten; homes switch
  // to the newest locations. `is_home(index)`: this PE is the home.
  template <typename IsHome>
  void start_session(const IsHome& is_home) {
    for (const Index& index : touched_) {
      const auto found = records_.find(index);
      if (found == records_.end()) continue;
      record& r = found->second;
      r.is_used = false;
      r.next = r.newest;
      if (!is_home(index)) records_.erase(found);
    }
    touched_.clear();
  }

  // Returns false if the PE has forwarded nothing in the session.
  [[nodiscard]] bool any_used() const { return !touched_.empty(); }
  [[nodiscard]] bool contains(const Index& index) const { return records_.contains(index); }
  // Returns the next PE of a message, and notes that the path is used; nothing without a record.
  [[nodiscard]] std::optional<int> use(const Index& index) {
    const auto found = records_.find(index);
    if (found == records_.end()) return std::nullopt;
    record& r = found->second;
    if (!r.is_used) touched_.push_back(index);
    r.is_used = true;
    return r.next;
  }

  // Messages go to `pe` from now on. Precondition: no message is on another path.
  void set(const Index& index, int pe, std::uint64_t epoch) {
    records_[index] = {.next = pe, .newest = pe, .epoch = epoch, .is_used = false};
    touched_.push_back(index);
  }
  // Notes at the home where an object is. An older epoch never replaces a newer epoch.
  void update(const location_message<Index>& at) {
    record& r = records_[at.index];
    if (at.epoch <= r.epoch) return;
    r.epoch = at.epoch;
    r.newest = at.pe;
    if (r.is_used) return;
    r.next = at.pe;
    touched_.push_back(at.index);
  }
  // Returns the record of an object that has come to the PE, and forgets the record.
  std::optional<record> take(const Index& index) {
    const auto found = records_.find(index);
    if (found == records_.end()) return std::nullopt;
    const record r = found->second;
    records_.erase(found);
    return r;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return records_.size() * (sizeof(*records_.begin()) + 2 * sizeof(void*)) +
           touched_.capacity() * sizeof(Index);
  }

 private:
  std::unordered_map<Index, record, container_hash<Index>> records_;
  std::vector<Index> touched_;  // indices whose record changed or was used in the session
};

}  // namespace boxcar::detail
