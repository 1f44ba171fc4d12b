// The explorer: runs a program in many orders of events, and repeats a failure by the name of its
// order.
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/explore.hpp>

#include "substrate/simulated/choice_path.hpp"
#include "substrate/simulated/random_priorities.hpp"
#include "substrate/simulated/random_walk.hpp"
#include "world/simulate.hpp"

namespace boxcar {
namespace {

using detail::choice_path;
using detail::chosen_failure;
using detail::chosen_order;
using detail::random_priorities;
using detail::random_walk;

constexpr int max_changes = 5;

// Returns the error thrown by the PEs; empty if there is none, or if the error was intended.
std::string failure_of(const detail::simulated_run& run) {
  if (run.failure == nullptr) return {};
  try {
    std::rethrow_exception(run.failure);
  } catch (const chosen_failure&) {
    return {};
  } catch (const world_error& e) {
    // (Other PEs report the failure if it was thrown behind the end of the function.)
    const bool is_chosen =
        std::string_view(e.what()).find(chosen_failure::words) != std::string::npos;
    return is_chosen ? "" : e.what();
  } catch (const std::exception& e) {
    return *e.what() == '\0' ? "an exception without a message" : e.what();
  } catch (...) {
    return "something that is no std::exception was thrown";
  }
}

// --- The names of runs ---------------------------------------------------------------------------

// The names of orders: walk:SEED, priorities:CHANGES,CHOICES,SEED, path:CHOICE=ALTERNATIVE,...
std::string name_of_walk(std::uint64_t seed) {
  return "walk:" + std::to_string(seed);
}
std::string name_of_priorities(int changes, std::uint64_t choices, std::uint64_t seed) {
  return "priorities:" + std::to_string(changes) + ',' + std::to_string(choices) + ',' +
         std::to_string(seed);
}
std::string name_of(const choice_path::deviations& path) {
  std::string name = "path:";
  for (const auto& [choice, alternative] : path) {
    if (name.back() != ':') name += ',';
    name += std::to_string(choice) + '=' + std::to_string(alternative);
  }
  return name;
}

// Returns nothing unless the text consists of numbers and separators.
std::optional<std::vector<std::uint64_t>> numbers_in(std::string_view text) {
  std::vector<std::uint64_t> all;
  while (!text.empty()) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc()) return std::nullopt;
    all.push_back(n);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) break;
    const bool goes_on = text.size() > 1 && (text.front() == ',' || text.front() == '=');
    if (!goes_on) return std::nullopt;
    text.remove_prefix(1);
  }
  return all;
}

std::unique_ptr<detail::chooser> chooser_named(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string_view strategy = name.substr(0, colon);
  const auto numbers = colon == name.npos ? std::nullopt : numbers_in(name.substr(colon + 1));
  if (numbers && strategy == "walk" && numbers->size() == 1) {
    return std::make_unique<random_walk>((*numbers)[0]);
  }
  if (numbers && strategy == "priorities" && numbers->size() == 3 && (*numbers)[1] != 0 &&
      (*numbers)[0] <= max_changes) {
    return std::make_unique<random_priorities>((*numbers)[2], static_cast<int>((*numbers)[0]),
                                               (*numbers)[1]);
  }
  if (numbers && strategy == "path" && numbers->size() % 2 == 0) {
    choice_path::deviations path;
    for (std::size_t i = 0; i < numbers->size(); i += 2) path[(*numbers)[i]] = (*numbers)[i + 1];
    return std::make_unique<choice_path>(std::move(path));
  }
  throw argument_error("explore: no run is named \"" + std::string(name) +
                       "\": give a name that a failure has told, as walk:7, "
                       "priorities:3,120,7 or path:12=1,40=2");
}

// --- The strategies ------------------------------------------------------------------------------

class explorer {
 public:
  explorer(const explore_options& options, const std::function<void(world&)>& function)
      : options_(options), function_(function) {
    if (options.change_points < 1 || options.change_points > max_changes) {
      throw argument_error("explore: there cannot be " + std::to_string(options.change_points) +
                           " change points: give a number from 1 to 5");
    }
    if (options.longest == 0) {
      throw argument_error(
          "explore: a run of 0 events ends before it begins: give a larger "
          "explore_options::longest");
    }
  }

  exploration explore() {
    if (!options_.replay.empty()) {
      static_cast<void>(try_order(*chooser_named(options_.replay), options_.replay));
    } else if (options_.strategy == exploration_strategy::random_walk) {
      walk();
    } else if (options_.strategy == exploration_strategy::priorities) {
      change_priorities();
    } else {
      go_depth_first();
    }
    return std::move(done_);
  }

 private:
  void walk() {
    for (std::uint64_t seed = options_.machine.seed; is_to_go_on(); ++seed) {
      random_walk order(seed);
      if (!try_order(order, name_of_walk(seed))) return;
    }
  }
  void change_priorities() {
    std::uint64_t choices = 100;  // for lack of a run
    for (std::uint64_t seed = options_.machine.seed; is_to_go_on(); ++seed) {
      random_priorities order(seed, options_.change_points, choices);
      if (!try_order(order, name_of_priorities(options_.change_points, choices, seed))) return;
      choices = std::max<std::uint64_t>(order.choices(), 1);
    }
  }
  void go_depth_first() {
    // Paths with few deviations come first: otherwise all runs go into the last choices.
    for (std::size_t deviations = 0; deviations <= options_.deviations; ++deviations) {
      choice_path order;
      do {
        if (!is_to_go_on() || !try_order(order, name_of(order.taken()))) return;
      } while (order.next(deviations, options_.depth));
    }
  }
  [[nodiscard]] bool is_to_go_on() const { return done_.runs < options_.runs; }

  // Returns false if the run has failed.
  bool try_order(detail::chooser& by, const std::string& name) {
    const chosen_order order{&by, options_.one_pe_fails, options_.longest};
    const detail::simulated_run run = detail::simulate(options_.machine, &order, function_);
    ++done_.runs;
    done_.traces.insert(run.was.trace_hash);
    done_.failure = failure_of(run);
    if (done_.failure.empty()) return true;
    done_.exception = run.failure;
    done_.failed_run = name;
    return false;
  }

  const explore_options& options_;
  const std::function<void(world&)>& function_;
  exploration done_;
};

}  // namespace

exploration explore(const explore_options& options, const std::function<void(world&)>& function) {
  return explorer(options, function).explore();
}

}  // namespace boxcar
