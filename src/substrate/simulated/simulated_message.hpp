// A simulated_message is a message or buffer in flight between PEs of a simulated machine.
#pragma once

#include <cstddef>

namespace boxcar::detail {

class simulated_message {
 public:
  // Ranks are ranks in the job. Messages of one lane arrive in the order in which they were sent.
  simulated_message(int from, int to, const void* lane, std::size_t bytes)
      : from_(from), to_(to), lane_(lane), bytes_(bytes) {}
  virtual ~simulated_message() = default;

  [[nodiscard]] int from() const { return from_; }
  [[nodiscard]] int to() const { return to_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool is_of_lane_of(const simulated_message& other) const {
    return lane_ == other.lane_ && from_ == other.from_ && to_ == other.to_;
  }
  // Returns true for a buffer, and false for a message of Boxcar itself.
  [[nodiscard]] virtual bool is_buffer() const { return false; }
  // Called when the message is in the memory of the receiver's node, where the receiver finds it.
  // Returns false if the message lets the receiver do no more than before.
  virtual bool arrive() = 0;

 private:
  int from_;
  int to_;
  const void* lane_;
  std::size_t bytes_;
};

}  // namespace boxcar::detail
