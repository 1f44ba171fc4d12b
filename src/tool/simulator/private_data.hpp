// The variables with static storage of a program, one set for each PE. A single set at a time is in
// the program's own memory. Sets with initial values are not copied.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace boxcar::simulator {

// Returns the bytes of all parts together.
std::size_t size_of(const std::vector<std::span<std::byte>>& parts);

class private_data {
 public:
  // The constructor takes the current values as the initial values of every PE.
  private_data(std::vector<std::span<std::byte>> place, int pes);

  // Puts the variables of the PE in place.
  void enter(int pe);

 private:
  using copy = std::unique_ptr<std::byte[]>;

  [[nodiscard]] bool is_in_place(const copy& what) const;
  void save(copy& as) const;
  void load(const copy& from) const;

  std::vector<std::span<std::byte>> place_;
  std::size_t bytes_;
  copy first_;
  std::vector<copy> kept_;  // by PE; nullptr: initial values
  int here_ = -1;
};

}  // namespace boxcar::simulator
