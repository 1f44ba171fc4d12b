// Pivoting: moves the packets that have arrived over a hop into the lanes of the next hop, or of a
// later hop (conveyors-2019, section 4.3.1).
#pragma once

#include <cstddef>
#include <cstdint>

#include "conveyor/hops.hpp"
#include "porter/porter.hpp"
#include "route/steps_of_pe.hpp"

namespace boxcar::detail {

class pivot {
 public:
  // Moves packets that arrive over `hop`.
  pivot(const steps_of_pe& steps, hops& all, int hop);

  // `item_bytes` is the size of every item; 0: each packet contains its size (elastic).
  void start_session(std::size_t item_bytes);

  // Moves arrived packets on, until nothing is left or there is no room.
  void run();

  // Returns whether no arrived packet of the hop remains to be moved.
  [[nodiscard]] bool idle() { return !busy_ && !from_.poll_items(); }

  // Returns the number of moved packets in the session, if all have one size.
  [[nodiscard]] std::uint64_t moved() const { return moved_; }

 private:
  // Moves the packets of a buffer from `cursor_` on; returns false if there was no room for a
  // packet. A separate mover exists for each method of finding steps, and for each common item
  // size, for which the compiler turns a copy into a load and a store.
  using mover = bool (*)(pivot&);
  template <typename Steps, std::size_t ItemBytes>
  static bool move_fixed(pivot& p);
  template <typename Steps>
  static bool move_elastic(pivot& p);
  template <typename Steps>
  static mover mover_for(std::size_t item_bytes);

  template <typename Steps>
  [[nodiscard]] Steps steps_here() const {
    return steps_.steps_behind<Steps>(hop_, current_.source, hops_.lanes());
  }
  bool make_room(const lane& l) { return hops_.make_room(hops_.link_of(l)); }

  const steps_of_pe& steps_;
  hops& hops_;
  porter& from_;
  int hop_;            // over which packets arrive
  bool busy_ = false;  // a buffer is not completely moved yet
  std::size_t item_bytes_ = 0;
  std::uint64_t moved_ = 0;
  mover move_ = nullptr;
  arrival current_;
  const std::byte* cursor_ = nullptr;
};

}  // namespace boxcar::detail
