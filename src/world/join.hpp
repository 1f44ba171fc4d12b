// How a program gets to the world that it was started in, and a PE to the world that it is in.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <boxcar/world.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Whether a launcher started this process as a PE.
bool has_launcher();

// This process as a PE of the job of the launcher that started it; nullptr if none did.
std::unique_ptr<substrate> join_launcher();

// This process as a world of its own.
std::unique_ptr<substrate> join_alone();

// The world that `run` has made this thread a PE of, while its function runs; else nullptr.
world* current_world();
// To be called when that function is over, also by an exception; there must be such a world.
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
