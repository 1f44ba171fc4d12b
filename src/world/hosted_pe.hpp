// A PE started by another program inside itself, with a whole program of its own: every function
// for joining a world leads the hosted program to the world given to the hosted_pe.
#pragma once

#include <functional>
#include <memory>

#include <boxcar/world.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

class hosted_pe {
 public:
  // The program may join its world several times, one after the other: the PE calls `join` each
  // time. The object is `current` until its destruction.
  explicit hosted_pe(int rank, std::function<std::unique_ptr<substrate>()> join);
  hosted_pe(const hosted_pe&) = delete;
  hosted_pe& operator=(const hosted_pe&) = delete;
  // Leaves the implicit world if the program has joined one.
  ~hosted_pe();

  // Returns the running hosted PE; nullptr if the caller is no hosted PE.
  static hosted_pe* current();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] std::unique_ptr<substrate> join() const { return join_(); }
  // Returns the world of a program in C (implicit_world.hpp); the first call joins the world.
  world& implicit_world();

 private:
  int rank_;
  std::function<std::unique_ptr<substrate>()> join_;
  // Never destroyed, as objects that the program has not freed may use the world.
  world* implicit_ = nullptr;
};

}  // namespace boxcar::detail
