#include "conveyor/hops.hpp"

#include <new>
#include <utility>

namespace boxcar::detail {
namespace {

// Returns the number of the first link of each hop, and at the end the total number of links.
std::vector<std::uint32_t> numbered(const std::vector<link_plan>& plans) {
  std::vector<std::uint32_t> first{0};
  for (const link_plan& plan : plans) {
    first.push_back(first.back() + static_cast<std::uint32_t>(plan.outgoing.size()));
  }
  return first;
}

}  // namespace

hops::hops(substrate& world, std::vector<link_plan> plans, bool when_full)
    : first_(numbered(plans)),
      // A PE writes its lanes with every packet: no other PE's data share a cache line with the
      // lanes.
      lane_memory_(world, plans.front().memory, first_.back() * sizeof(lane),
                   "the ends of buffers"),
      lanes_(new(lane_memory_.data()) lane[first_.back()]()) {
  for (std::size_t hop = 0; hop < plans.size(); ++hop) {
    try {
      porters_.push_back(
          std::make_unique<porter>(world, std::move(plans[hop]), when_full, lanes_ + first_[hop]));
    } catch (...) {
      // Porters are destroyed in the reverse order of construction, as allocators expect.
      while (!porters_.empty()) porters_.pop_back();
      throw;
    }
  }
}

hops::~hops() {
  while (!porters_.empty()) porters_.pop_back();
}

std::size_t hops::hop_of(std::uint32_t link) const {
  std::size_t hop = 0;
  while (link >= first_[hop + 1]) ++hop;
  return hop;
}

bool hops::make_room(std::uint32_t link) {
  const std::size_t hop = hop_of(link);
  return porters_[hop]->make_room(link - first_[hop]);
}

void hops::send_now(std::uint32_t link) {
  const std::size_t hop = hop_of(link);
  porters_[hop]->send_now(link - first_[hop]);
}

}  // namespace boxcar::detail
