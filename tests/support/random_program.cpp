#include "support/random_program.hpp"

#include <array>
#include <chrono>

namespace boxcar::test {
namespace {

using namespace std::chrono_literals;

constexpr std::array patterns{traffic::uniform, traffic::bursts,   traffic::ring,
                              traffic::to_one,  traffic::from_one, traffic::to_self,
                              traffic::uneven,  traffic::nothing};

}  // namespace

const char* name_of(traffic t) {
  switch (t) {
    case traffic::uniform:
      return "uniform";
    case traffic::bursts:
      return "bursts";
    case traffic::ring:
      return "ring";
    case traffic::to_one:
      return "to_one";
    case traffic::from_one:
      return "from_one";
    case traffic::to_self:
      return "to_self";
    case traffic::uneven:
      return "uneven";
    case traffic::nothing:
      return "nothing";
  }
  return "?";
}

std::span<const traffic> all_traffic() {
  return patterns;
}

random_player::random_player(world& w, checked_conveyor& c, const program& p)
    : world_(w),
      conveyor_(c),
      program_(p),
      shared_dice_(p.seed),
      dice_(scramble_all({p.seed, static_cast<std::uint64_t>(c.rank())})),
      special_pe_(shared_dice_.below(c.size())),
      left_(items_to_push()) {}

int random_player::items_to_push() const {
  const bool special = conveyor_.rank() == special_pe_;
  switch (program_.pattern) {
    case traffic::nothing:
      return 0;
    case traffic::from_one:
      return special ? program_.items * conveyor_.size() : 0;
    case traffic::uneven:
      return conveyor_.rank() % 3 * program_.items;
    default:
      return program_.items;
  }
}

int random_player::destination() {
  switch (program_.pattern) {
    case traffic::ring:
      return (conveyor_.rank() + 1) % conveyor_.size();
    case traffic::to_one:
      return special_pe_;
    case traffic::to_self:
      return conveyor_.rank();
    case traffic::bursts:
      if (burst_-- == 0) {
        burst_ = dice_.below(60);
        burst_to_ = dice_.below(conveyor_.size());
      }
      return burst_to_;
    default:
      return dice_.below(conveyor_.size());
  }
}

void random_player::push_some() {
  for (int i = dice_.below(40); i > 0 && left_ > 0; --i) {
    if (!conveyor_.push(destination())) return;
    --left_;
  }
}

void random_player::pull_some() {
  using enum pull_way;
  if (dice_.chance(20)) return conveyor_.pull_all();
  for (int i = dice_.below(40); i > 0; --i) {
    if (!conveyor_.pull(dice_.pick({copy, copy_with_source, pointer, pointer_with_source}))) return;
  }
}

void random_player::refuse_something() {
  const auto illegal = illegal_operations(conveyor_.state());
  conveyor_.refuse(dice_.pick(std::span(illegal)));
}

void random_player::pause() {
  if (program_.pauses) world_.sleep(std::chrono::microseconds(dice_.below(300)));
}

void random_player::operation_while_working() {
  const int what = dice_.below(100);
  if (what < 50) return push_some();
  operation_in_the_end();
}

void random_player::operation_in_the_end() {
  const int what = dice_.below(100);
  if (what < 70) return pull_some();
  if (what < 90) return static_cast<void>(conveyor_.unpull());
  if (what < 95) return refuse_something();
  pause();
}

bool random_player::round() {
  if (conveyor_.state() == conveyor_state::complete) return false;
  for (int i = dice_.below(6); i > 0; --i) {
    if (conveyor_.state() == conveyor_state::working) {
      operation_while_working();
    } else {
      operation_in_the_end();
    }
  }
  if (program_.slow_pe && conveyor_.rank() == special_pe_) world_.sleep(500us);
  const bool declared = conveyor_.state() != conveyor_state::working;
  const advance_result result = conveyor_.advance(declared || left_ == 0);
  if (result == advance_result::near && dice_.chance(30)) conveyor_.drain();
  return result != advance_result::done;
}

void random_player::after_the_end() {
  conveyor_.unpull();
  conveyor_.pull();
  conveyor_.advance(dice_.chance(50));
  conveyor_.refuse_all();
}

void play(world& w, checked_conveyor& c, const program& p) {
  c.in_session([&] {
    random_player player(w, c, p);
    while (player.round()) {
    }
    player.after_the_end();
    // The program may reset, or leave the reset to the end of the scope.
    if (dice(p.seed).chance(50)) c.reset();
  });
}

}  // namespace boxcar::test
