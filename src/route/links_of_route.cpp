#include "route/links_of_route.hpp"

#include <algorithm>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

std::vector<std::vector<int>> by_stage(const std::vector<hop>& links, int stages, int rank) {
  std::vector<std::vector<int>> all(static_cast<std::size_t>(stages));
  for (const hop& link : links) all[static_cast<std::size_t>(link.stage)].push_back(link.pe);
  std::vector<int>& last = all.back();
  last.insert(std::lower_bound(last.begin(), last.end(), rank), rank);
  return all;
}

}  // namespace

links_of_route::links_of_route(const route& way, int rank, bool list_all)
    : way_(way),
      outgoing_(by_stage(way.links(rank), way.stages(), rank)),
      incoming_(by_stage(way.links_from_others(rank), way.stages(), rank)) {
  first_.push_back(0);
  for (const auto& of_stage : outgoing_) first_.push_back(first_.back() + of_stage.size());
  if (count() > max_links_of_route) {
    throw argument_error("PE " + std::to_string(rank) + " has " + std::to_string(count()) +
                         " links (" + way.describe() + "): use a route with at most " +
                         std::to_string(max_links_of_route));
  }
  for (int arrived_on = route::source; arrived_on < way.stages(); ++arrived_on) {
    const broadcast_step step = way.broadcast(rank, arrived_on);
    broadcast b{{}, step.here};
    for (const hop& link : step.onward) b.links.push_back(number_of(link));
    broadcasts_.push_back(std::move(b));
  }
  if (way.stages() == 1 && count() == static_cast<std::size_t>(way.pes())) return;
  const auto find = [this, rank](int pe) { return number_of(way_.next(rank, pe)); };
  if (way.pes() > most_listed && !list_all) {
    table_.emplace(way.pes(), find);
    return;
  }
  by_destination_.reserve(static_cast<std::size_t>(way.pes()));
  for (int pe = 0; pe < way.pes(); ++pe) by_destination_.push_back(find(pe));
}

std::uint16_t links_of_route::number_of(const hop& link) const {
  const std::vector<int>& pes = outgoing_[static_cast<std::size_t>(link.stage)];
  const auto found = std::lower_bound(pes.begin(), pes.end(), link.pe);
  return static_cast<std::uint16_t>(first(link.stage) +
                                    static_cast<std::size_t>(found - pes.begin()));
}

std::size_t links_of_route::stage_of(std::uint32_t link) const {
  std::size_t stage = 0;
  while (link >= first_[stage + 1]) ++stage;
  return stage;
}

link_plan links_of_route::plan(int stage) const {
  link_plan p;
  p.outgoing = outgoing_[static_cast<std::size_t>(stage)];
  p.incoming = incoming_[static_cast<std::size_t>(stage)];
  return p;
}

std::size_t links_of_route::memory_bytes() const {
  std::size_t bytes = by_destination_.capacity() * sizeof(std::uint16_t);
  for (const auto& of_stage : outgoing_) bytes += of_stage.capacity() * sizeof(int);
  for (const auto& of_stage : incoming_) bytes += of_stage.capacity() * sizeof(int);
  if (table_) bytes += table_->memory_bytes();
  for (const broadcast& b : broadcasts_) bytes += b.links.capacity() * sizeof(std::uint16_t);
  return bytes;
}

}  // namespace boxcar::detail
