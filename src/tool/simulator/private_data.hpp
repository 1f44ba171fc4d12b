// The variables with static storage of one program, one set for each PE, of which one at a time is
// where the program has them. Of PEs whose variables are as they were at first nothing is copied.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace boxcar::simulator {

// Of these parts together.
std::size_t size_of(const std::vector<std::span<std::byte>>& parts);

class private_data {
 public:
  // Every PE begins with what is there now.
  private_data(std::vector<std::span<std::byte>> place, int pes);

  // Those of this PE are in their place from now on.
  void enter(int pe);

 private:
  using copy = std::unique_ptr<std::byte[]>;

  [[nodiscard]] bool is_in_place(const copy& what) const;
  void save(copy& as) const;
  void load(const copy& from) const;

  std::vector<std::span<std::byte>> place_;
  std::size_t bytes_;
  copy first_;
  std::vector<copy> kept_;  // by PE; nullptr: as at first
  int here_ = -1;
};

}  // namespace boxcar::simulator
