// Pivoting: moving the packets that have arrived over one hop into the lanes of the next, or of one
// behind it (conveyors-2019, section 4.3.1).
#pragma once

#include <cstddef>
#include <cstdint>

#include "conveyor/hops.hpp"
#include "porter/porter.hpp"
#include "route/steps_of_pe.hpp"

namespace boxcar::detail {

class pivot {
 public:
  // Of what arrives over `hop`.
  pivot(const steps_of_pe& steps, hops& all, int hop);

  // `item_bytes`: of every item; 0: each packet tells (elastic).
  void start_session(std::size_t item_bytes);

  // Moves what has arrived on, until there is nothing left or no room.
  void run();

  // Nothing that has arrived over its hop remains to be moved.
  [[nodiscard]] bool idle() { return !busy_ && !from_.has_items(); }

  // Packets of one size that were moved in this session.
  [[nodiscard]] std::uint64_t moved() const { return moved_; }

 private:
  // Moves the packets of a buffer from `cursor_` on; false if there was no room for one. There is
  // one for each way in which steps are found, and for each size of item that is common, so that
  // copying it is a load and a store.
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
  bool busy_ = false;  // there is a buffer that is not yet moved entirely
  std::size_t item_bytes_ = 0;
  std::uint64_t moved_ = 0;
  mover move_ = nullptr;
  arrival current_;
  const std::byte* cursor_ = nullptr;
};

}  // namespace boxcar::detail
