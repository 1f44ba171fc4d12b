// A PE that another program has started in itself, with a whole program of its own: whatever that
// program does to get to its world leads to the one that it was given.
#pragma once

#include <functional>
#include <memory>

#include <boxcar/world.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

class hosted_pe {
 public:
  // The program may join its world several times, one after the other: `join` is called each time.
  // This PE is that one until the object is destroyed.
  explicit hosted_pe(int rank, std::function<std::unique_ptr<substrate>()> join);
  hosted_pe(const hosted_pe&) = delete;
  hosted_pe& operator=(const hosted_pe&) = delete;
  // Leaves the world that the program may have joined without an object for it.
  ~hosted_pe();

  // The one that runs; nullptr if this is no such PE.
  static hosted_pe* current();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] std::unique_ptr<substrate> join() const { return join_(); }
  // Of a program in C (implicit_world.hpp), joined by the first call.
  world& implicit_world();

 private:
  int rank_;
  std::function<std::unique_ptr<substrate>()> join_;
  // Never destroyed, as what the program has not freed may use it.
  world* implicit_ = nullptr;
};

}  // namespace boxcar::detail
