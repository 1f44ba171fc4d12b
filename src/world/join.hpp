// The functions that connect a program to the world of its launcher, and a PE to its current world.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <boxcar/world.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Returns whether a launcher started this process as a PE.
bool has_launcher();

// Joins the job of the launcher as a PE; returns nullptr if no launcher started this process.
std::unique_ptr<substrate> join_launcher();

// Returns a world of this process alone.
std::unique_ptr<substrate> join_alone();

// Returns the world of this thread as a PE of `run`, while the function of `run` executes;
// otherwise nullptr.
world* current_world();
// Registers a function to call at the end of the function of `run`, also after an exception.
// Precondition: current_world() is not nullptr.
void at_end_of_run(std::function<void()> what);

class current_world_scope {
 public:
  explicit current_world_scope(world& w);
  current_world_scope(const current_world_scope&) = delete;
  current_world_scope& operator=(const current_world_scope&) = delete;
  ~current_world_scope();

 private:
  friend world* current_world();
  friend void at_end_of_run(std::function<void()> what);

  current_world_scope* outer_;
  world& world_;
  std::vector<std::function<void()>> at_end_;
};

}  // namespace boxcar::detail
