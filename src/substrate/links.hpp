// The links of one hop to and from one kind of PE: the PEs that share memory with this PE, or all
// other PEs. A porter drives one or two sets of links; a substrate provides the remote kind. Calls
// are per buffer, never per item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boxcar/allocator.hpp>

namespace boxcar::detail {

// Every buffer, opened or arrived, begins on a boundary of 64 bytes: items of a hop are as aligned
// in the buffer as in an array, and codecs find the alignment they plan for.
inline constexpr std::size_t buffer_alignment = 64;

// An arrived buffer, which can be read in place until `give_back`.
struct arrival {
  std::byte* data = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t link = 0;  // the index of the incoming link in the link_plan
  int source = 0;          // the sending PE
  static constexpr std::uint32_t largest_slot = (std::uint32_t{1} << 30) - 1;
  std::uint32_t slot : 30 = 0;  // the number of the buffer in the set or link, as the set likes
  bool last : 1 = false;        // the sender will send nothing more in the session
  bool remote : 1 = false;      // from another node; for the porter, with up to two sets of links
};

// Arrivals in the order of reading. Never grows: the capacity is the maximum number of buffers in
// flight on all links together.
class arrival_queue {
 public:
  void reserve(std::size_t capacity) {
    ring_.assign(capacity, arrival{});
    head_ = size_ = 0;
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // Returns the i-th arrival from the front.
  [[nodiscard]] arrival& at(std::size_t i) { return ring_[place(i)]; }
  [[nodiscard]] const arrival& at(std::size_t i) const { return ring_[place(i)]; }
  void push(const arrival& a) { ring_[place(size_++)] = a; }
  arrival pop() {
    const std::size_t front = head_;
    head_ = place(1);
    --size_;
    return ring_[front];
  }
  [[nodiscard]] std::size_t memory_bytes() const { return ring_.size() * sizeof(arrival); }

 private:
  // Returns the index of the i-th arrival from the front; i is at most the capacity.
  [[nodiscard]] std::size_t place(std::size_t i) const {
    const std::size_t index = head_ + i;
    return index < ring_.size() ? index : index - ring_.size();
  }

  std::vector<arrival> ring_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

// The information that both ends need to set up the links of one hop. Collective: every PE of the
// world calls with its own peers, and `a` names `b` in `outgoing` exactly if `b` names `a` in
// `incoming`.
struct link_plan {
  std::vector<int> outgoing;  // the PE at the end of each outgoing link; world ranks, in any order
  std::vector<int> incoming;  // the PE at the start of each incoming link; world ranks, ascending
  std::size_t buffer_bytes = 0;  // a multiple of buffer_alignment, the same on all PEs
  int buffers_per_link = 2;      // 1, 2 or 4, the same on all PEs
  // The PEs go in step: a sender waits for answers before it has sent more than the buffers of a
  // link, and a receiver may have to take in all of them before it gives back any.
  bool in_step = false;
  // The shared memory of the links may stay for later links when the links are gone.
  bool keep_memory = true;
  // The allocator of memory that no other PE needs to see (own_memory.hpp); on all PEs or none.
  allocator* memory = nullptr;
};

class link_set {
 public:
  virtual ~link_set() = default;

  // Returns the next buffer of an outgoing link, to be filled in place, or nullptr while all
  // buffers of the link are in flight or unread. The buffer stays open until `send`. Never blocks.
  virtual std::byte* open(int link) = 0;

  // Hands over the buffer returned by `open`. Everything written to the buffer before is visible to
  // the PE that receives the arrival. `last`: no further buffer follows in the session.
  virtual void send(int link, std::size_t bytes, bool last) = 0;

  // Returns true if the receiver has given back every buffer sent on the link, or has at least
  // taken the buffer off the link.
  virtual bool poll_returned(int link) = 0;

  // Returns true if every sent buffer will arrive without a further call on this PE.
  virtual bool all_sent() { return true; }

  // Appends the buffers that have arrived since the last call, in order per link. Never blocks.
  virtual void poll(arrival_queue& arrived) = 0;

  // Gives back an arrival; the sender may fill the buffer again. In any order.
  virtual void give_back(const arrival& a) = 0;

  // Called by every PE before the first operation of a session. Precondition: no buffer is in
  // flight.
  virtual void start_session() = 0;

  // Returns the bytes of buffers and of the accompanying state, as held on behalf of this PE.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace boxcar::detail
