#include "runner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::bench {
namespace {

// Collective. Calls `action`, and returns on all PEs the exception of the lowest PE that threw;
// empty if no PE threw. Errors of the world pass through.
template <typename Action>
std::string attempt(world& w, const Action& action) {
  std::array<char, 300> text{};
  int who = w.size();
  try {
    action();
  } catch (const world_error&) {
    throw;
  } catch (const std::exception& e) {
    const std::string what = "PE " + std::to_string(w.rank()) + ": " + e.what();
    what.copy(text.data(), text.size() - 1);
    who = w.rank();
  }
  const int first = w.reduce(who, [](int a, int b) { return std::min(a, b); });
  return first == w.size() ? "" : w.broadcast(text, first).data();
}

traffic traffic_of_all(world& w, const std::vector<statistics>& mine) {
  traffic all;
  std::uint64_t memory = 0;
  for (const statistics& s : mine) {
    memory += s.memory_bytes;
    for (const hop_statistics& hop : s.hops) {
      const auto sum = [&w](std::uint64_t value) { return w.reduce(value); };
      all.hops.push_back(
          {sum(hop.buffers()), sum(hop.bytes()), sum(hop.packet_bytes()), sum(hop.capacity_bytes)});
    }
  }
  all.memory_bytes = w.reduce(memory, [](auto a, auto b) { return std::max(a, b); });
  return all;
}

class turn_taker {
 public:
  turn_taker(world& w, contender& who)
      : world_(w), job_(who.job()), overlap_(job_.as_overlap()), contender_(who) {
    result_.name = who.name();
    if (overlap_ != nullptr) result_.overlap.emplace();
    result_.role = who.role();
    const bool alone = who.role() == role::limit;  // then PE 0 works
    result_.workers = alone ? 1 : w.size();
    result_.items = alone ? w.broadcast(job_.items()) : w.reduce(job_.items());
  }

  void warm_up(double least_seconds) {
    if (overlap_ != nullptr) {
      choose_steps();
    } else {
      choose_sessions(least_seconds);
    }
  }

  void take_turn() {
    if (!result_.failure.empty()) return;
    compute_during_runs(0);
    const double seconds = measure();
    if (overlap_ != nullptr) return take_rest_of_turn(seconds);
    if (result_.failure.empty()) {
      result_.seconds.push_back(seconds / static_cast<double>(result_.sessions));
    }
  }

  contender_result take_result() {
    if (result_.failure.empty()) {
      const std::vector<statistics> mine = contender_.traffic();
      if (!mine.empty()) result_.traffic = traffic_of_all(world_, mine);
      result_.explanation = contender_.explanation();
    }
    return std::move(result_);
  }

 private:
  // Raises the number of sessions until a round takes long enough; or too long, with all unmeasured
  // parts.
  void choose_sessions(double least_seconds) {
    constexpr double max_growth = 100;
    constexpr double overshoot = 1.2;
    constexpr double patience = 10;
    for (result_.sessions = job_.min_sessions(); result_.failure.empty();) {
      const auto start = world_.now();
      const double seconds = measure();
      const double all = of_slowest(std::chrono::duration<double>(world_.now() - start).count());
      const double room = patience * least_seconds / all;
      if (seconds >= least_seconds || room < overshoot) return;
      const double growth = std::min({overshoot * least_seconds / seconds, max_growth, room});
      result_.sessions = static_cast<std::uint64_t>(
          std::ceil(static_cast<double>(result_.sessions) * std::max(growth, overshoot)));
    }
  }

  // Chooses the number of steps so that the computation takes as long as the runs alone, whose
  // first runs are unlike the others. Each repetition comes nearer: a short computation is measured
  // with the clock itself.
  void choose_steps() {
    constexpr int times = 3;
    constexpr double most = 1e12;
    result_.sessions = 1;
    compute_during_runs(0);
    measure();
    const double seconds_of_runs = measure();
    for (int i = 0; i < times && result_.failure.empty(); ++i) {
      const double wanted = static_cast<double>(steps_) * seconds_of_runs / measure_computing();
      steps_ = static_cast<std::uint64_t>(std::clamp(wanted, 1.0, most));
    }
  }

  void compute_during_runs(std::uint64_t steps) {
    if (overlap_ != nullptr) overlap_->set_steps(steps);
  }

  void take_rest_of_turn(double seconds_of_runs) {
    const double computing = measure_computing();
    const double both = measure();
    if (!result_.failure.empty()) return;
    result_.seconds.push_back(seconds_of_runs);
    result_.overlap->computing.push_back(computing);
    result_.overlap->both.push_back(both);
  }

  // Seconds of the computation of a session, of the slowest PE.
  double measure_computing() {
    overlap_->set_steps(steps_);
    job_.clear();
    overlap_->compute_alone();
    return of_slowest(overlap_->seconds());
  }

  // Seconds of all sessions together, of the slowest PE.
  double measure() {
    const std::uint64_t at_once = job_.can_repeat() ? result_.sessions : 1;
    double seconds = 0;
    for (std::uint64_t done = 0; done < result_.sessions && result_.failure.empty();
         done += at_once) {
      seconds += measure(at_once);
    }
    return seconds;
  }

  double measure(std::uint64_t sessions) {
    double mine = 0;
    if (succeeds([&] {
          job_.clear();
          contender_.prepare();
        }) &&
        succeeds([&] {  // begins with all PEs at once, after the agreement on success
          const auto start = world_.now();
          for (std::uint64_t s = 0; s < sessions; ++s) contender_.run();
          mine = overlap_ != nullptr ? overlap_->seconds()
                                     : std::chrono::duration<double>(world_.now() - start).count();
        }) &&
        succeeds([&] { contender_.finish(); })) {
      succeeds([&] { check(sessions); });
    }
    return of_slowest(mine);
  }

  double of_slowest(double seconds) {
    return world_.reduce(seconds, [](double a, double b) { return std::max(a, b); });
  }

  template <typename Action>
  bool succeeds(const Action& action) {
    result_.failure = attempt(world_, action);
    return result_.failure.empty();
  }

  void check(std::uint64_t sessions) {
    if (result_.role != role::limit) {
      job_.check(world_, sessions);
    } else if (world_.rank() == 0) {
      job_.check_alone(sessions);
    }
  }

  world& world_;
  job& job_;
  overlap_job* overlap_;  // if the job overlaps
  contender& contender_;
  contender_result result_;
  std::uint64_t steps_ = 1000;  // of the computation during each run
};

}  // namespace

std::vector<contender_result> take_turns(world& w,
                                         const std::vector<std::unique_ptr<contender>>& contenders,
                                         const turns& how) {
  std::vector<turn_taker> takers;
  takers.reserve(contenders.size());
  for (const auto& c : contenders) takers.emplace_back(w, *c);
  const int measurements = (1 + how.rounds) * static_cast<int>(takers.size());
  int done = 0;
  const auto tell = [&] {
    if (how.progress) how.progress(done, measurements);
    ++done;
  };
  for (turn_taker& t : takers) {
    tell();
    t.warm_up(how.least_seconds);
  }
  for (int round = 0; round < how.rounds; ++round) {
    for (turn_taker& t : takers) {
      tell();
      t.take_turn();
    }
  }
  std::vector<contender_result> results;
  for (turn_taker& t : takers) results.push_back(t.take_result());
  return results;
}

}  // namespace boxcar::bench
