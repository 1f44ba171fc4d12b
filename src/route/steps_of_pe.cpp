#include "route/steps_of_pe.hpp"

namespace boxcar::detail {

steps_of_pe::steps_of_pe(const tagged_route& path, const std::optional<route>& way, int pe,
                         bool all_hops)
    : path_(path), pe_(pe), first_link_{0} {
  if (path_.is_by_table()) table_ = std::make_unique<const links_of_route>(*way, pe, true);
  for (int hop = 0; hop < path_.hops(); ++hop) {
    const std::size_t links = plan(hop).outgoing.size();
    first_link_.push_back(first_link_.back() + static_cast<std::uint32_t>(links));
  }
  const std::uint32_t last_tags = path_.listed_tags(path_.hops() - 1);
  sources_.reserve(last_tags);
  for (std::uint32_t tag = 0; tag < last_tags; ++tag) {
    // Tags of one byte encode fewer than 65536 sources.
    sources_.push_back(static_cast<std::uint16_t>(path_.source(0).computed(tag)));
  }
  next_lists_.resize(static_cast<std::size_t>(path_.hops()) - 1);
  if (!listed_step::can_hold(first_link_.back())) return;
  if (path_.lists_first_steps()) first_list_ = first_list(all_hops);
  for (int hop = 0; hop + 1 < path_.hops(); ++hop) {
    if (path_.listed_tags(hop) != 0) next_lists_[static_cast<std::size_t>(hop)] = next_list(hop);
  }
}

link_plan steps_of_pe::plan(int hop) const {
  if (table_) return table_->plan(hop);
  link_plan p;
  p.outgoing = path_.peers(hop, pe_);
  p.incoming = path_.senders(hop, pe_);
  return p;
}

std::size_t steps_of_pe::memory_bytes() const {
  std::size_t bytes =
      first_list_.size() * sizeof(listed_step) + sources_.size() * sizeof(sources_[0]);
  for (const auto& list : next_lists_) bytes += list.size() * sizeof(listed_step);
  if (table_) bytes += sizeof(links_of_route) + table_->memory_bytes();
  return bytes;
}

tabled_step steps_of_pe::table() const {
  if (!table_) return {};
  const int last = path_.hops() - 1;
  return {.links = table_->by_destination(),
          .source_bits = path_.source_bits(),
          .source = static_cast<std::uint32_t>(pe_),
          .last_links = first_link(last),
          .tag_bytes = static_cast<std::uint16_t>(path_.tag_bytes(0)),
          .last_tag_bytes = static_cast<std::uint16_t>(path_.tag_bytes(last))};
}

listed_step steps_of_pe::entry(const link_and_tag& s) const {
  // With incomplete groups some PEs have fewer links: the tag never arrives at the PE.
  if (s.link >= first_link_.back()) return {};
  int hop = 0;
  while (s.link >= first_link(hop + 1)) ++hop;
  return {static_cast<std::uint16_t>(s.link * sizeof(lane)),
          static_cast<std::uint16_t>(path_.tag_bytes(hop)), s.tag};
}

std::vector<listed_step> steps_of_pe::first_list(bool all_hops) const {
  std::vector<listed_step> list;
  list.reserve(static_cast<std::size_t>(path_.pes()));
  if (table_) {
    const tabled_step t = table();
    for (std::uint32_t to = 0; to < static_cast<std::uint32_t>(path_.pes()); ++to) {
      list.push_back(entry(t.to(to)));
    }
  } else {
    for (const link_and_tag& s : path_.first_steps(pe_, all_hops)) list.push_back(entry(s));
  }
  return list;
}

std::vector<listed_step> steps_of_pe::next_list(int hop) const {
  std::vector<listed_step> list;
  list.reserve(path_.listed_tags(hop));
  if (table_) {
    const tabled_step t = table();
    for (std::uint32_t tag = 0; tag < path_.listed_tags(hop); ++tag) {
      list.push_back(entry({t.link_of(tag), tag}));
    }
  } else {
    for (const link_and_tag& s : path_.next_steps(hop, pe_)) {
      list.push_back(entry({first_link(hop + 1) + s.link, s.tag}));
    }
  }
  return list;
}

first_steps steps_of_pe::setting_out(lane* lanes) const {
  return {.lanes = lanes,
          .list = first_list_.empty() ? nullptr : first_list_.data(),
          .by = path_.is_by_table() ? first_steps::rule::table
                : path_.hops() == 1 ? first_steps::rule::direct
                : path_.hops() == 2 ? first_steps::rule::matrix
                                    : first_steps::rule::tensor,
          .tag_bytes = static_cast<std::uint32_t>(path_.tag_bytes(0)),
          .grouped = path_.start(),
          .tabled = table()};
}

steps_of_pe::rule steps_of_pe::rule_behind(int hop) const {
  return next_lists_[static_cast<std::size_t>(hop)].empty() ? elastic_rule() : rule::listed;
}

origin steps_of_pe::source(int sender) const {
  origin o = path_.source(sender);
  if (!sources_.empty()) o.list = sources_.data();
  return o;
}

}  // namespace boxcar::detail
