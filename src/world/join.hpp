// How a program gets to the world that it was started in, and a PE to the world that it is in.
#pragma once

#include <memory>

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

class current_world_scope {
 public:
  explicit current_world_scope(world& w);
  current_world_scope(const current_world_scope&) = delete;
  current_world_scope& operator=(const current_world_scope&) = delete;
  ~current_world_scope();

 private:
  world* outer_;
};

}  // namespace boxcar::detail
