// A counter on each PE notifies the PE of data that other PEs have put into its memory (the
// counters of "Reducing Synchronization Overhead Through Bundled Communication", Dinan and others,
// 2014, here counting-puts-2014). docs/one-sided.md explains counters with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/object_handle.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// The amount that a counted operation adds.
enum class counts : std::uint8_t {
  messages,  // 1, also for a put of no bytes
  bytes      // the number of bytes of the put
};

// The PE that adds to a counter on another node.
enum class managed_by : std::uint8_t {
  automatic,  // the receiver
  sender,     // the sender, behind the data: a separate message
  receiver    // the PE that executes the put: the request names the counter
};

struct counter_options {
  counts what = counts::messages;
  managed_by managed = managed_by::automatic;
};

namespace detail {
struct counter_access;
}

// The handle of a counter on one PE; each PE has a counter. When the counter of a PE shows a
// counted operation, the data of the operation are visible to the PE; the counter says nothing of
// earlier operations. A PE holds a cache line for the counter, whatever the number of PEs. A
// counter that has reached the largest number, 2^63 - 1, keeps the value, whatever is added, until
// the counter is set.
//
// Movable; a moved-from counter may only be destroyed or assigned to. Destruction is local: other
// PEs may still add to the PE's counter as long as they have their handles. Operations throw
// world_error if the world has failed.
class counter {
 public:
  // Collective. All counters are 0. Throws argument_error on all PEs if the options differ between
  // PEs.
  explicit counter(const world& w, const counter_options& options = {});

  // Local. Returns the PE's own counter, as far as visible to the PE by now: if other PEs are on
  // other nodes, the call serves them first.
  [[nodiscard]] std::int64_t value() const;
  // Local. Sets the PE's own counter. An operation in flight adds to the old value or to the new
  // value; the program is responsible for the order. Throws argument_error if the value is
  // negative.
  void set(std::int64_t value);
  // Local. Returns when the PE's own counter is at least `at_least`; immediately if the counter is
  // already. Meanwhile the PE serves other PEs. Throws argument_error if `at_least` is negative.
  void wait(std::int64_t at_least);
  // Local. Returns whether the PE's own counter is at least `at_least`. The call returns
  // immediately, or within a few milliseconds if there is nothing to do.
  [[nodiscard]] bool test(std::int64_t at_least);

  // Adds `n` to the counter of any PE, ordered only behind puts before a fence. Throws
  // argument_error if the PE does not exist, or `n` is negative.
  void add(int pe, std::int64_t n = 1);

  [[nodiscard]] counts what() const;

 private:
  friend detail::counter_access;

  detail::object_handle handle_;
};

}  // namespace boxcar
