// How conveyors follow a route: which tag travels with an item so that every stop knows the next
// one and the last knows the source. The routes themselves, which know nothing of tags, are those
// of include/boxcar/route.hpp.
//
// On three of them items visit every hop, and a tag tells the link (conveyors-2019, section 4.3.1);
// where steps are listed, hops before the last that would lead from a PE to itself are left out.
// With n PEs per local group, PE r is written in mixed radix:
//   direct (vector)   one hop, any PE to any PE.
//   matrix            r = n*row + column. Hop 1 within the row to the destination's column, hop 2
//                     within that column. If the last row is short, the PEs of the row before it
//                     stand in for those that it lacks.
//   tensor            r = n*n*x + n*y + z. From (x,y,z) to (x',y',z') by way of (x,y,y') and
//                     (x',y',y): hops 1 and 3 stay within a group, hop 2 leads from (x,y,z) to
//                     (x',z,y) for all x'.
//
// A tag has a high and a low field. What one end of a link can conclude from the identity of the
// other is left out of it, so it is as short as the paper says:
//   matrix   hop 1: destination row                        hop 2: source column, from n on in the
//                                                           row behind that of the sender
//   tensor   hop 1: x', z'       hop 2: z', z              hop 3: x, z
//
// All others are followed by a table: the tag is the destination and the source, on the last hop
// the source, and the links that lead towards each destination are looked up (links_of_route.hpp).
// An item skips the hops where it has nothing to do, but for the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/detail/steps.hpp>

namespace boxcar::detail {

// How a stop treats the tag of a packet that goes on: the high field is the next link, the low
// field stays, and what the sender's identity implies comes in. For all packets of a buffer alike.
struct relabelling {
  std::uint32_t low_bits;   // of the arriving tag
  std::uint32_t low_shift;  // how far the low field moves up in the new tag
  std::uint32_t base;       // the rest of the new tag

  [[nodiscard]] std::uint32_t link(std::uint32_t tag) const { return tag >> low_bits; }
  [[nodiscard]] std::uint32_t tag(std::uint32_t old) const {
    return ((old & ((std::uint32_t{1} << low_bits) - 1)) << low_shift) | base;
  }
};

// Two numbers below it must fit in a tag.
inline constexpr int largest_tensor_group = 65536;

class tagged_route {
 public:
  static tagged_route direct(int pes);
  // Throw argument_error, with the values that would work, if the group does not divide.
  static tagged_route matrix(int pes, int group);
  static tagged_route tensor(int pes, int group);
  // A matrix of groups of up to as many PEs as there are, whose last row may be short.
  static tagged_route matrix_with_short_row(int pes, int group);
  // The one with this many hops: 1, 2 or 3.
  static tagged_route with_hops(int hops, int pes, int group);
  // By a table: any route of at least two stages. Throws argument_error if the tags would be too
  // long.
  static tagged_route by_table(int pes, int stages);

  [[nodiscard]] int hops() const { return hops_; }
  [[nodiscard]] bool is_by_table() const { return group_ == 0; }
  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] int group() const { return group_; }  // 0: by table
  // Of a tag, how many belong to the source; of a matrix or by a table.
  [[nodiscard]] std::uint32_t source_bits() const { return source_bits_; }

  // Not by a table: the PEs that the links of a hop (0, 1, ...) lead to from `pe`, in the order of
  // the links; and those that have links to it, ascending: the same, unless the last row is short.
  [[nodiscard]] std::vector<int> peers(int hop, int pe) const;
  [[nodiscard]] std::vector<int> senders(int hop, int pe) const;
  // How many links of a hop lead from the PE that has most.
  [[nodiscard]] std::size_t most_links(int hop) const;
  // Bytes of the tags that travel on a hop: 0, 1, 2 or 4.
  [[nodiscard]] int tag_bytes(int hop) const { return tag_bytes_[static_cast<std::size_t>(hop)]; }

  // The way of an item: its first step from the source, what happens to its tag where it arrives
  // over `hop` from `sender` at `at` and goes on (neither by a table), and how the final tag tells
  // the source.
  [[nodiscard]] grouped_step start() const;
  [[nodiscard]] relabelling change(int hop, int sender, int at) const;
  // Of two and three hops, not by a table: how an item sets out from `pe` to every PE, and how one
  // goes on that has arrived there over `hop` with each listed tag, but for the `base` of its
  // change. Links are those of the next hop; hops that would lead to `pe` itself are left out,
  // unless `all_hops`, and links numbered behind those of the hop that is left out.
  [[nodiscard]] std::vector<link_and_tag> first_steps(int pe, bool all_hops = false) const;
  [[nodiscard]] std::vector<link_and_tag> next_steps(int hop, int pe) const;
  // A look takes less than computing. First steps are worth a list unless PEs are very many, and
  // what becomes of the tags that arrive over a hop, or on the last the sources that they tell, if
  // they have one byte: of so many, else 0.
  [[nodiscard]] bool lists_first_steps() const;
  [[nodiscard]] std::uint32_t listed_tags(int hop) const;
  [[nodiscard]] std::size_t list_bytes() const;
  [[nodiscard]] origin source(int sender) const;

  [[nodiscard]] std::string describe() const;

 private:
  // The link of a hop that leads to its own PE, and how many links that hop has.
  struct loop {
    std::uint32_t link;
    std::uint32_t links;
    relabelling change;  // of what would arrive over it
  };

  tagged_route(int hops, int pes, int group);
  // Of a matrix; the PEs of its last row, if that is short, else 0.
  [[nodiscard]] int rows() const;
  [[nodiscard]] int in_short_row() const;
  // Those of `pe` that may be left out, of `hop` and those right behind it.
  [[nodiscard]] std::vector<loop> loops(int hop, int pe) const;
  static link_and_tag without(const std::vector<loop>& loops, link_and_tag step);

  int hops_;
  int pes_;
  int group_;
  std::uint32_t group_bits_;       // enough for the numbers below the group size
  std::uint32_t source_bits_ = 0;  // of a final tag, of a matrix or by a table
  std::vector<int> tag_bytes_;     // on each hop
};

}  // namespace boxcar::detail
