// The way of items by one PE: the links of its hops, how items set out over these, and how those go
// on that have arrived. Whatever the route, a step is found in one of three ways: it is listed,
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

// How the packets of one buffer go on, in each of the three ways. `of` takes the tag that a packet
// arrived with.
struct listed_steps {
  lane* lanes;
  const listed_step* list;
  std::uint32_t base;  // of all tags: what the sender's identity implies

  [[nodiscard]] step of(std::uint32_t tag) const {
    step s = list[tag].from(lanes);
    s.tag |= base;
    return s;
  }
};

struct computed_steps {
  lane* lanes;  // from the first of the next hop on
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
  // `way`: what a path by table follows. `all_hops`: none may be left out that would lead from a PE
  // to itself.
  steps_of_pe(const tagged_route& path, const std::optional<route>& way, int pe, bool all_hops);

  [[nodiscard]] const tagged_route& path() const { return path_; }
  // The PEs that the links of a hop lead to, and those that have links to this one.
  [[nodiscard]] link_plan plan(int hop) const;
  [[nodiscard]] std::size_t memory_bytes() const;

  // `lanes`, here and below: of all links, those of the first hop first.
  [[nodiscard]] first_steps setting_out(lane* lanes) const;

  // How packets go on that have arrived over a hop, which is not the last.
  enum class rule { listed, computed, tabled };
  [[nodiscard]] rule rule_behind(int hop) const;
  // The same of elastic packets, whose tags have a word and so are not listed.
  [[nodiscard]] rule elastic_rule() const {
    return path_.is_by_table() ? rule::tabled : rule::computed;
  }
  // Of those in a buffer from `sender`, where that is the rule.
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

  // Where packets come from that have arrived over the last hop, from `sender`.
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
  std::unique_ptr<const links_of_route> table_;       // if the path is followed by one
  std::vector<std::uint32_t> first_link_;             // of each hop, and behind the last
  std::vector<listed_step> first_list_;               // by destination; empty: not listed
  std::vector<std::vector<listed_step>> next_lists_;  // by hop, but the last, and tag
  std::vector<std::uint16_t> sources_;                // by tag; empty: not listed
};

}  // namespace boxcar::detail
