// Pivoting: moving the packets that have arrived over one hop into the lanes of the next
// (conveyors-2019, section 4.3.1).
#pragma once

#include <cstddef>
#include <cstdint>

#include "porter/porter.hpp"
#include "route/tagged_route.hpp"

namespace boxcar::detail {

// How packets are laid out on two successive hops.
struct pivot_layout {
  std::size_t item_bytes;  // 0: each packet tells (elastic)
  int tag_bytes_before;
  int tag_bytes_after;
};

class pivot {
 public:
  pivot(const tagged_route& path, int hop, porter& from, porter& into)
      : path_(path), hop_(hop), from_(from), into_(into) {}

  void start_session(const pivot_layout& layout);

  // Moves what has arrived on, until there is nothing left or no room.
  void run();

  // Nothing that has arrived over the first hop remains to be moved.
  [[nodiscard]] bool idle() { return !busy_ && !from_.has_items(); }

 private:
  // Moves packets from `cursor_` on; false if there was no room for one. There is one for each size
  // of item that is common, so that copying it is a load and a store, and one for tags that are
  // nothing but a link (those of a matrix).
  using mover = bool (*)(pivot&);
  template <std::size_t ItemBytes, bool LowField>
  static bool move_fixed(pivot& p);
  static bool move_elastic(pivot& p);
  template <bool LowField>
  static mover mover_of_fixed(std::size_t item_bytes);

  const tagged_route& path_;
  int hop_;  // over which packets arrive
  porter& from_;
  porter& into_;
  pivot_layout layout_{};
  mover move_ = nullptr;
  bool busy_ = false;  // there is a buffer that is not yet moved entirely
  arrival current_;
  const std::byte* cursor_ = nullptr;
  relabelling change_{};
};

}  // namespace boxcar::detail
