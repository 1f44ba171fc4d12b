// Steps are the parts of a route that are used for every item: a step costs a look-up, or shifts
// and multiplications, and no division. src/route/tagged_route.hpp explains the numbering.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/lane.hpp>

namespace boxcar::detail {

// The link of an item, and the tag to write.
struct link_and_tag {
  std::uint32_t link;
  std::uint32_t tag;
};

// A step in the form for writing packets: the lane, the tag, and the number of bytes of the tag
// that count.
struct step {
  lane* to;
  std::uint32_t tag;
  std::size_t tag_bytes;
};

// A step as an entry of a list, which takes a part of the first-level cache.
struct listed_step {
  std::uint16_t lane_offset;  // in bytes, from the first lane
  std::uint16_t tag_bytes;
  std::uint32_t tag;

  [[nodiscard]] static bool can_hold(std::size_t links) { return links <= 65536 / sizeof(lane); }
  [[nodiscard]] step from(lane* lanes) const {
    auto* const first = reinterpret_cast<std::byte*>(lanes);
    return {reinterpret_cast<lane*>(first + lane_offset), tag, tag_bytes};
  }
};

// Exact division of numbers below 2^32 by a fixed divisor.
class fixed_divisor {
 public:
  fixed_divisor() = default;
  explicit fixed_divisor(std::uint32_t d) : reciprocal_(~std::uint64_t{0} / d) {}

  // floor((n + 1) * floor((2^64 - 1) / d) / 2^64) is floor(n / d): the error is below 2^-32.
  [[nodiscard]] std::uint32_t quotient(std::uint32_t n) const {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint32_t>(static_cast<wide>(std::uint64_t{n} + 1) * reciprocal_ >> 64);
  }

 private:
  std::uint64_t reciprocal_ = ~std::uint64_t{0};
};

// Maps a destination to the first step of two or three hops in groups.
struct grouped_step {
  fixed_divisor by_group;
  std::uint32_t group = 1;
  std::uint32_t group_bits = 0;

  [[nodiscard]] link_and_tag in_matrix(std::uint32_t pe) const {
    const std::uint32_t row = by_group.quotient(pe);
    return {pe - row * group, row};
  }
  [[nodiscard]] link_and_tag in_tensor(std::uint32_t pe) const {
    const std::uint32_t row = by_group.quotient(pe);
    const std::uint32_t column = pe - row * group;
    const std::uint32_t x = by_group.quotient(row);
    return {row - x * group, x << group_bits | column};
  }
};

// Maps a destination to the first step by a table, on routes of any other kind, where the tag also
// determines the further hops. An item may go over a link of any hop, and the tags of the last hop
// may be shorter.
struct tabled_step {
  const std::uint16_t* links = nullptr;  // towards each PE
  std::uint32_t source_bits = 0;
  std::uint32_t source = 0;
  std::uint32_t last_links = 0;  // where the links of the last hop begin
  std::uint16_t tag_bytes = 0;
  std::uint16_t last_tag_bytes = 0;

  [[nodiscard]] link_and_tag to(std::uint32_t pe) const {
    return {links[pe], pe << source_bits | source};
  }
  [[nodiscard]] std::uint32_t link_of(std::uint32_t tag) const { return links[tag >> source_bits]; }
  [[nodiscard]] std::uint32_t tag_bytes_on(std::uint32_t link) const {
    return link < last_links ? tag_bytes : last_tag_bytes;
  }
};

// The first steps of items from a PE to each other PE.
struct first_steps {
  lane* lanes = nullptr;
  // The list of all PEs; nullptr if there are so many PEs that a look-up would take longer than the
  // computation.
  const listed_step* list = nullptr;
  enum class rule : std::uint8_t { direct, matrix, tensor, table } by = rule::direct;
  std::uint32_t tag_bytes = 0;
  grouped_step grouped;
  tabled_step tabled;

  [[nodiscard]] step listed(std::uint32_t pe) const { return list[pe].from(lanes); }
  [[nodiscard]] step computed(std::uint32_t pe) const {
    if (by == rule::direct) return {lanes + pe, 0, 0};
    if (by == rule::table) {
      const link_and_tag s = tabled.to(pe);
      return {lanes + s.link, s.tag, tabled.tag_bytes_on(s.link)};
    }
    const link_and_tag s = by == rule::matrix ? grouped.in_matrix(pe) : grouped.in_tensor(pe);
    return {lanes + s.link, s.tag, tag_bytes};
  }
  [[nodiscard]] step to(std::uint32_t pe) const {
    return list != nullptr ? listed(pe) : computed(pe);
  }
};

// Maps the tag of an arrived item to the PE that pushed the item. The mapping is for all packets of
// a buffer.
struct origin {
  std::uint32_t low_bits = 0;
  std::uint32_t high_factor = 0;
  std::uint32_t base = 0;
  const std::uint16_t* list = nullptr;  // the PE without `base`, by tag, if tags are listed

  [[nodiscard]] int of(std::uint32_t tag) const {
    return list != nullptr ? static_cast<int>(list[tag] + base) : of_word(tag);
  }
  // Returns the PE of a tag that travels with all of its bytes, more than are listed, as with
  // elastic items.
  [[nodiscard]] int of_word(std::uint32_t tag) const {
    return static_cast<int>(computed(tag) + base);
  }
  [[nodiscard]] std::uint32_t computed(std::uint32_t tag) const {
    const std::uint32_t low = tag & ((std::uint32_t{1} << low_bits) - 1);
    return (tag >> low_bits) * high_factor + low;
  }
};

}  // namespace boxcar::detail
