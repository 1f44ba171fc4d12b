// The path of a conveyor's items along a route: the tag of an item, from which every stop derives
// the next stop, and the last stop derives the source. The routes themselves, which have no tags,
// are in include/boxcar/route.hpp.
//
// On three routes items make every hop, and a tag encodes the links (conveyors-2019, section
// 4.3.1); where steps are listed, hops before the last that would lead from a PE to itself are
// skipped. With n PEs per local group, PE r is written in mixed radix:
//   direct (vector)   one hop, any PE to any PE.
//   matrix            r = n*row + column. Hop 1 within the row to the destination's column, hop 2
//                     within that column. If the last row is short, the PEs of the row before it
//                     stand in for the missing PEs.
//   tensor            r = n*n*x + n*y + z. From (x,y,z) to (x',y',z') by way of (x,y,y') and
//                     (x',y',y): hops 1 and 3 stay within a group, hop 2 leads from (x,y,z) to
//                     (x',z,y) for all x'.
//
// A tag has a high and a low field. A tag omits data that an end of a link can derive from the
// identity of the other end; hence a tag is as short as in the paper:
//   matrix   hop 1: destination row                        hop 2: source column, from n on in the
//                                                           row behind that of the sender
//   tensor   hop 1: x', z'       hop 2: z', z              hop 3: x, z
//
// Paths by table follow all other routes: a tag is the destination and the source, on the last hop
// only the source, and links towards each destination are looked up (links_of_route.hpp). An item
// skips hops on which it need not move, except the last hop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/detail/steps.hpp>

namespace boxcar::detail {

// The change of a packet's tag at a stop: the high field becomes the next link, the low field
// stays, and data implied by the sender's identity are added. The change is equal for all packets
// of a buffer.
struct relabelling {
  std::uint32_t low_bits;   // of the arriving tag
  std::uint32_t low_shift;  // left shift of the low field in the new tag
  std::uint32_t base;       // the rest of the new tag

  [[nodiscard]] std::uint32_t link(std::uint32_t tag) const { return tag >> low_bits; }
  [[nodiscard]] std::uint32_t tag(std::uint32_t old) const {
    return ((old & ((std::uint32_t{1} << low_bits) - 1)) << low_shift) | base;
  }
};

// Two numbers below the group size must fit in a tag.
inline constexpr int largest_tensor_group = 65536;

class tagged_route {
 public:
  static tagged_route direct(int pes);
  // Throw argument_error, with the possible values, unless the group divides.
  static tagged_route matrix(int pes, int group);
  static tagged_route tensor(int pes, int group);
  // Returns a matrix whose last row may be short. `group` is at most the number of PEs.
  static tagged_route matrix_with_short_row(int pes, int group);
  // Returns the route with the number of hops: 1, 2 or 3.
  static tagged_route with_hops(int hops, int pes, int group);
  // Returns a path by table, for any route of at least two stages. Throws argument_error if the
  // tags would be too long.
  static tagged_route by_table(int pes, int stages);

  [[nodiscard]] int hops() const { return hops_; }
  [[nodiscard]] bool is_by_table() const { return group_ == 0; }
  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] int group() const { return group_; }  // 0: by table
  // Returns the number of bits of the source in a tag. Precondition: a matrix, or by table.
  [[nodiscard]] std::uint32_t source_bits() const { return source_bits_; }

  // Return the destinations of the links of a hop (0, 1, ...) from `pe` in the order of the links,
  // and the PEs that have links to `pe`, ascending. The two are equal unless the last row is short.
  // Precondition: not by table.
  [[nodiscard]] std::vector<int> peers(int hop, int pe) const;
  [[nodiscard]] std::vector<int> senders(int hop, int pe) const;
  // Returns the maximum number of links of a PE on a hop.
  [[nodiscard]] std::size_t max_links(int hop) const;
  // Returns the bytes of the tags on a hop: 0, 1, 2 or 4.
  [[nodiscard]] int tag_bytes(int hop) const { return tag_bytes_[static_cast<std::size_t>(hop)]; }

  // The path of an item: its first step from the source; the change of its tag at `at` after a hop
  // from `sender` (not by table); and below, how the final tag encodes the source.
  [[nodiscard]] grouped_step start() const;
  [[nodiscard]] relabelling change(int hop, int sender, int at) const;
  // Return the first step of an item from `pe` to every PE, and the next step of an item that has
  // arrived over `hop` with each listed tag, without the `base` of the change. Precondition: two or
  // three hops, not by table. Links are links of the next hop. Hops from `pe` to itself are skipped
  // unless `all_hops`; links after a skipped hop are numbered behind the links of the skipped hop.
  [[nodiscard]] std::vector<link_and_tag> first_steps(int pe, bool all_hops = false) const;
  [[nodiscard]] std::vector<link_and_tag> next_steps(int hop, int pe) const;
  // A lookup takes less time than a computation. First steps are listed unless there are very many
  // PEs. If the tags of a hop have one byte, the changes of the tags, or on the last hop their
  // sources, are listed too: listed_tags returns the number of tags, else 0.
  [[nodiscard]] bool lists_first_steps() const;
  [[nodiscard]] std::uint32_t listed_tags(int hop) const;
  [[nodiscard]] std::size_t list_bytes() const;
  [[nodiscard]] origin source(int sender) const;

  [[nodiscard]] std::string describe() const;

 private:
  // The link of a hop that leads to its own PE, and the number of links of the hop.
  struct loop {
    std::uint32_t link;
    std::uint32_t links;
    relabelling change;  // of a tag that would arrive over the link
  };

  tagged_route(int hops, int pes, int group);
  // Return the rows of a matrix, and the PEs of its last row if the row is short, else 0.
  [[nodiscard]] int rows() const;
  [[nodiscard]] int in_short_row() const;
  // Returns the hops of `pe` that may be skipped: `hop` and the hops right behind it.
  [[nodiscard]] std::vector<loop> loops(int hop, int pe) const;
  static link_and_tag without(const std::vector<loop>& loops, link_and_tag step);

  int hops_;
  int pes_;
  int group_;
  std::uint32_t group_bits_;       // enough for the numbers below the group size
  std::uint32_t source_bits_ = 0;  // of a final tag, of a matrix or by table
  std::vector<int> tag_bytes_;     // on each hop
};

}  // namespace boxcar::detail
