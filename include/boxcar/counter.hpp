// A counter on each PE, by which a PE learns what others have put into its memory (the counters of
// "Reducing Synchronization Overhead Through Bundled Communication", Dinan and others, 2014, here
// counting-puts-2014). docs/one-sided.md explains it with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/object_handle.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// What one counted operation adds.
enum class counts : std::uint8_t {
  messages,  // 1, also if it puts no bytes
  bytes      // as many as it puts
};

// Who adds to a counter on another node.
enum class managed_by : std::uint8_t {
  automatic,  // the receiver
  sender,     // the sender, behind the data: a message of its own
  receiver    // whoever carries out the put: the request says which counter
};

struct counter_options {
  counts what = counts::messages;
  managed_by managed = managed_by::automatic;
};

namespace detail {
struct counter_access;
}

// One PE's handle of a counter of each PE. When the counter of a PE shows a counted operation, the
// data of that operation are visible to the PE; of earlier ones it says nothing. What a PE holds
// for it, a cache line, does not depend on the number of PEs. A counter that has reached the
// largest number, 2^63 - 1, stays there, whatever is added, until it is set.
//
// It can be moved; what it was moved from is good for nothing. To destroy it is local: others may
// still add to this PE's counter for as long as they have theirs. Operations throw world_error if
// the world has failed.
class counter {
 public:
  // Collective. All are 0. Throws argument_error on all PEs if the options are not the same on all.
  explicit counter(const world& w, const counter_options& options = {});

  // This PE's own; local. It is what this PE can see by now: where others are on other nodes, this
  // serves them.
  [[nodiscard]] std::int64_t value() const;
  // What is under way is added to the new value, or was to the old one: that is the program's
  // business. Throws argument_error if it is negative.
  void set(std::int64_t value);
  // Returns when it is at least that; at once if it is already. Serves others meanwhile. Throws
  // argument_error if that is negative.
  void wait(std::int64_t at_least);
  // Whether it is. Returns at once, or if there is nothing to do within a few milliseconds.
  [[nodiscard]] bool test(std::int64_t at_least);

  // Adds to the counter of any PE, in no order with puts but those before a fence. Throws
  // argument_error if there is no such PE, or n is negative.
  void add(int pe, std::int64_t n = 1);

  [[nodiscard]] counts what() const;

 private:
  friend detail::counter_access;

  detail::object_handle handle_;
};

}  // namespace boxcar
