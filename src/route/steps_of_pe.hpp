// The path of items through a PE: the links of its hops, the first steps of items, and the next
// steps of items that have arrived. Whatever the route, one of three rules yields a step: listed,
// computed, or looked up in a table of links.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <boxcar/detail/steps.hpp>
#include <boxcar/route.hpp>

#include "route/links_of_route.hpp"
#include "route/tagged_route.hpp"
#include "substrate/links.hpp"

namespace boxcar::detail {

// The next steps of the packets of a buffer, by each of the three rules. `of` takes the tag with
// which a packet arrived.
struct listed_steps {
  lane* lanes;
  const listed_step* list;
  std::uint32_t base;  // of all tags: implied by the sender's identity

  [[nodiscard]] step of(std::uint32_t tag) const {
    step s = list[tag].from(lanes);
    s.tag |= base;
    return s;
  }
};

struct computed_steps {
  lane* lanes;  // beginning with the first lane of the next hop
  relabelling change;
  std::uint32_t tag_bytes;

  [[nodiscard]] step of(std::uint32_t tag) const {
    return {lanes + change.link(tag), change.tag(tag), tag_bytes};
  }
};

struct tabled_steps {
  lane* lanes;
  tabled_step table;

  [[nodiscard]] step of(std::uint32_t tag) const {
    const std::uint32_t link = table.link_of(tag);
    return {lanes + link, tag, table.tag_bytes_on(link)};
  }
};

class steps_of_pe {
 public:
  // `way` is the route of a path by table. `all_hops`: hops that lead from a PE to itself are not
  // skipped.
  steps_of_pe(const tagged_route& path, const std::optional<route>& way, int pe, bool all_hops);

  [[nodiscard]] const tagged_route& path() const { return path_; }
  // Returns the destinations and the sources of the links of a hop.
  [[nodiscard]] link_plan plan(int hop) const;
  [[nodiscard]] std::size_t memory_bytes() const;

  // `lanes`, here and below, has the lanes of all links, beginning with the first hop.
  [[nodiscard]] first_steps setting_out(lane* lanes) const;

  // The rule for packets that have arrived over a hop other than the last.
  enum class rule { listed, computed, tabled };
  [[nodiscard]] rule rule_behind(int hop) const;
  // Returns the rule for elastic packets, whose tags have 4 bytes and hence are not listed.
  [[nodiscard]] rule elastic_rule() const {
    return path_.is_by_table() ? rule::tabled : rule::computed;
  }
  // Returns the next steps of packets in a buffer from `sender`. Precondition: `Steps` fits the
  // rule.
  template <typename Steps>
  [[nodiscard]] Steps steps_behind(int hop, int sender, lane* lanes) const {
    if constexpr (std::same_as<Steps, tabled_steps>) {
      return {lanes, table()};
    } else if constexpr (std::same_as<Steps, listed_steps>) {
      const std::uint32_t base = path_.is_by_table() ? 0 : path_.change(hop, sender, pe_).base;
      return {lanes, next_lists_[static_cast<std::size_t>(hop)].data(), base};
    } else {
      return {lanes + first_link(hop + 1), path_.change(hop, sender, pe_),
              static_cast<std::uint32_t>(path_.tag_bytes(hop + 1))};
    }
  }

  // Returns the sources of packets that have arrived over the last hop from `sender`.
  [[nodiscard]] origin source(int sender) const;

 private:
  [[nodiscard]] std::uint32_t first_link(int hop) const {
    return first_link_[static_cast<std::size_t>(hop)];
  }
  [[nodiscard]] tabled_step table() const;
  [[nodiscard]] listed_step entry(const link_and_tag& s) const;
  [[nodiscard]] std::vector<listed_step> first_list(bool all_hops) const;
  [[nodiscard]] std::vector<listed_step> next_list(int hop) const;

  tagged_route path_;
  int pe_;
  std::unique_ptr<const links_of_route> table_;       // nullptr if the path is not by table
  std::vector<std::uint32_t> first_link_;             // of each hop, and behind the last
  std::vector<listed_step> first_list_;               // by destination; empty: not listed
  std::vector<std::vector<listed_step>> next_lists_;  // by hop (except the last) and tag
  std::vector<std::uint16_t> sources_;                // by tag; empty: not listed
};

}  // namespace boxcar::detail
