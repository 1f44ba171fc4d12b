// Random programs for a conveyor. The programs are legal for every kind: each PE calls `advance`
// once per round until its own session is complete, and waits for no other PE by any other means.
#pragma once

#include <cstdint>
#include <span>

#include <boxcar/world.hpp>

#include "support/checked_conveyor.hpp"
#include "support/dice.hpp"

namespace boxcar::test {

// The pattern of senders and receivers.
enum class traffic {
  uniform,   // all to all
  bursts,    // many items to one PE, then many to the next
  ring,      // each PE to the next
  to_one,    // all to one PE
  from_one,  // one PE to all
  to_self,   // each PE to itself
  uneven,    // some PEs much, some nothing
  nothing,
};
const char* name_of(traffic t);
std::span<const traffic> all_traffic();

struct program {
  std::uint64_t seed = 0;
  traffic pattern = traffic::uniform;
  int items = 100;       // number per PE, on average over all PEs
  bool pauses = false;   // now and then a PE sleeps
  bool slow_pe = false;  // a PE sleeps in every round
};

// Plays one session of a program on one PE.
class random_player {
 public:
  random_player(world& w, checked_conveyor& c, const program& p);

  // A few random operations and an advance. False once the session is complete here.
  bool round();
  // Checks legal and illegal operations after the end.
  void after_the_end();

 private:
  [[nodiscard]] int items_to_push() const;
  int destination();
  void operation_while_working();
  void operation_in_the_end();
  void push_some();
  void pull_some();
  void refuse_something();
  void pause();

  world& world_;
  checked_conveyor& conveyor_;
  program program_;
  dice shared_dice_;  // gives the same on all PEs
  dice dice_;
  int special_pe_;
  int left_;  // items to push
  int burst_ = 0;
  int burst_to_ = 0;
};

// Collective. One session.
void play(world& w, checked_conveyor& c, const program& p);

}  // namespace boxcar::test
