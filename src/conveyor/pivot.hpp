// Pivoting: moving the packets that have arrived over one hop into the lanes of the next, or of one
// behind it (conveyors-2019, section 4.3.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boxcar/detail/first_step.hpp>

#include "conveyor/hops.hpp"
#include "porter/porter.hpp"
#include "route/tagged_route.hpp"

namespace boxcar::detail {

class pivot {
 public:
  // Of what arrives at `pe` over `hop`. `table`: if the path is followed by one.
  pivot(const tagged_route& path, const tabled_step& table, hops& all, int hop, int pe);

  // `item_bytes`: of every item; 0: each packet tells (elastic).
  void start_session(std::size_t item_bytes);

  // Moves what has arrived on, until there is nothing left or no room.
  void run();

  // Nothing that has arrived over its hop remains to be moved.
  [[nodiscard]] bool idle() { return !busy_ && !from_.has_items(); }

  [[nodiscard]] std::size_t memory_bytes() const { return turns_.size() * sizeof(turn); }
  // Packets of one size that were moved in this session.
  [[nodiscard]] std::uint64_t moved() const { return moved_; }

 private:
  // Moves packets from `cursor_` on; false if there was no room for one. There is one for each size
  // of item that is common, so that copying it is a load and a store, and for each sort of tags.
  enum class tags {
    listed,           // of one byte, before and after
    link,             // of a matrix: nothing but the link
    link_and_source,  // of a tensor
    by_table
  };
  using mover = bool (*)(pivot&);
  template <std::size_t ItemBytes, tags Tags>
  static bool move_fixed(pivot& p);
  template <tags Tags>
  static bool move_elastic(pivot& p);
  template <tags Tags>
  static mover mover_of_fixed(std::size_t item_bytes);

  // Where packets with a tag go on, and their next tag, but for `change_.base`.
  struct turn {
    std::uint32_t lane_offset;  // in bytes, from the first of the next hop
    std::uint32_t tag;
  };
  static std::vector<turn> turns(const std::vector<link_and_tag>& steps);

  const tagged_route& path_;
  tabled_step table_;
  hops& hops_;
  porter& from_;
  int hop_;                   // over which packets arrive
  std::uint32_t first_link_;  // of the next hop; by a table, of the first
  lane* lanes_;               // from that on
  std::uint32_t last_links_;  // where those of the last hop begin
  std::uint8_t tag_bytes_before_;
  std::uint8_t tag_bytes_after_;
  std::uint8_t last_tag_bytes_;
  bool busy_ = false;  // there is a buffer that is not yet moved entirely
  std::size_t item_bytes_ = 0;
  std::uint64_t moved_ = 0;
  mover move_ = nullptr;
  std::vector<turn> turns_;  // of all tags, if they are listed
  arrival current_;
  const std::byte* cursor_ = nullptr;
  relabelling change_{};
};

}  // namespace boxcar::detail
