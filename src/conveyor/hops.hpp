// The hops of a conveyor on a PE: a porter for each hop, and the lanes of all links in one array,
// beginning with the first hop. A link number without a hop counts the links of all hops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "porter/porter.hpp"
#include "substrate/own_memory.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class hops {
 public:
  // Collective. `plans` has a plan for each hop. `when_full`: see porter.
  hops(substrate& world, std::vector<link_plan> plans, bool when_full);
  hops(const hops&) = delete;
  hops& operator=(const hops&) = delete;
  ~hops();

  [[nodiscard]] std::size_t size() const { return porters_.size(); }
  porter& operator[](std::size_t hop) { return *porters_[hop]; }
  const porter& operator[](std::size_t hop) const { return *porters_[hop]; }
  porter& front() { return *porters_.front(); }
  porter& back() { return *porters_.back(); }
  [[nodiscard]] const porter& back() const { return *porters_.back(); }
  [[nodiscard]] auto begin() const { return porters_.begin(); }
  [[nodiscard]] auto end() const { return porters_.end(); }

  [[nodiscard]] lane* lanes() { return lanes_; }
  // Returns the number of the first link of a hop.
  [[nodiscard]] std::uint32_t first(std::size_t hop) const { return first_[hop]; }
  [[nodiscard]] std::uint32_t link_of(const lane& l) const {
    return static_cast<std::uint32_t>(&l - lanes_);
  }
  // Call the function of the porter to which the link belongs.
  bool make_room(std::uint32_t link);
  void send_now(std::uint32_t link);

 private:
  [[nodiscard]] std::size_t hop_of(std::uint32_t link) const;

  std::vector<std::uint32_t> first_;
  own_memory lane_memory_;
  lane* lanes_;
  std::vector<std::unique_ptr<porter>> porters_;
};

}  // namespace boxcar::detail
