#include "schedule/network_schedule.hpp"

#include <optional>
#include <type_traits>
#include <utility>

#include <boxcar/detail/object_handle.hpp>
#include <boxcar/error.hpp>

#include "one_sided/rpc_engine.hpp"
#include "schedule/address_exchange.hpp"
#include "schedule/memory_reach.hpp"
#include "schedule/network_part.hpp"
#include "substrate/agreement.hpp"
#include "substrate/deferred_work.hpp"
#include "substrate/largest.hpp"
#include "substrate/liveness/absence.hpp"
#include "substrate/progress.hpp"
#include "trigger/thrown_by_function.hpp"

namespace boxcar::detail {
namespace {

class network_schedule final : public compiled_schedule {
 public:
  network_schedule(const world& w, rpc_engine& rpc, network_part& part)
      : world_(*w.substrate()), rpc_(rpc), part_(part), handle_(w.substrate(), part) {}
  network_schedule(const network_schedule&) = delete;
  network_schedule& operator=(const network_schedule&) = delete;
  // The destructor cancels pending operations. The part lives as long as the parts of other PEs.
  ~network_schedule() override {
    under_lock([this] {
      if (!part_.has_ended()) part_.cancel();
    });
  }

  void start() override {
    require_free(world_, "start");
    if (part_.thrown().is_rethrown()) throw_broken("start", part_.runs());
    if (!under_lock([this] { return part_.has_ended(); })) {
      throw contract_error("start: run " + std::to_string(part_.runs()) +
                           " of the schedule has not ended on this PE; call wait first");
    }
    runs.began();
    unless_failed([this] { part_.start(); });
  }
  [[nodiscard]] bool test() override {
    if (part_.thrown().is_rethrown()) throw_broken("test", part_.runs());
    const bool is_over = rpc_.test([this] { return has_ended(); });
    part_.thrown().rethrow();
    if (is_over) runs.ended();
    return is_over;
  }
  void wait() override {
    require_free(world_, "wait");
    if (part_.thrown().is_rethrown()) throw_broken("wait", part_.runs());
    const auto is_over = [this] { return part_.thrown().has_come() || has_ended(); };
    if (!is_over()) {
      while (!is_over()) rpc_.idle_unrung();
      rpc_.end_wait();
    }
    part_.thrown().rethrow();
    runs.ended();
  }

  [[nodiscard]] std::string text() const override { return part_.text(); }
  [[nodiscard]] std::string graphviz() const override { return part_.graphviz(); }
  [[nodiscard]] std::string explain() const override { return part_.explain(world_); }

 private:
  template <typename Action>
  std::invoke_result_t<const Action&> under_lock(const Action& action) {
    const rpc_engine::lock l = rpc_.acquire_lock();
    return action();
  }
  // A put to a failed PE fails, because the memory of the PE is gone.
  template <typename Action>
  void unless_failed(const Action& action) {
    try {
      under_lock(action);
    } catch (const system_error&) {
      await_failure_notice(world_);
      throw;
    }
  }
  [[nodiscard]] bool has_ended() {
    bool is_over = false;
    unless_failed([&] {
      part_.require_success();
      is_over = part_.has_ended();
    });
    return is_over;
  }

  substrate& world_;
  rpc_engine& rpc_;
  network_part& part_;
  object_handle handle_;
};

// Collective. Returns why the network cannot be used, as reported by a PE; empty if no PE objects.
std::string problem_of_all(substrate& s, const std::string& of_this_pe) {
  agreement all;
  if (!of_this_pe.empty()) all.object(of_this_pe);
  const std::optional<objection> found = all.reach(s);
  if (!found) return {};
  return found->problem +
         (of_this_pe.empty() ? " (says PE " + std::to_string(found->pe) + ")" : "");
}

// Runs an action that may find no room. Returns the reason then. Takes the engine's lock: functions
// of other schedules may use the network.
template <typename Action>
std::string attempt(const rpc_engine& rpc, const Action& action) {
  try {
    const rpc_engine::lock l = rpc.acquire_lock();
    action();
    return {};
  } catch (const system_error& e) {
    return e.what();
  }
}

std::string why_not_wanted(const substrate& s, const backend_request& asked) {
  const std::string option(asked.option);
  if (asked.carrier == schedule_carrier::adapter) return option + " says so";
  if (asked.carrier == schedule_carrier::automatic) {
    return "that is not asked for, and no device has shown yet that it is better (" + option + ")";
  }
  if (s.layout().nodes() == 1) return "all PEs share a node, and need no network";
  return {};
}

// Making the adapter also frees objects that all PEs have dropped, before there are more counters.
void require_reach_of_all(const world& w, const schedule_graph& graph,
                          const include_functions& includes, const backend_request& asked) {
  adapter reached(w, {.counters = 0, .entries = 0, .operations = 0, .memory = 0});
  for (const auto& include : includes) include(reached);
  agreement ready;
  try {
    require_reach(graph, reached);
  } catch (const argument_error& e) {
    ready.object(e.what());
  }
  ready.require(*w.substrate(), asked.operation, asked.owner);
}

}  // namespace

std::unique_ptr<compiled_schedule> make_network_schedule(const world& w,
                                                         const matched_schedule& what,
                                                         const include_functions& includes,
                                                         const backend_request& asked,
                                                         std::string& why_not) {
  substrate& s = *w.substrate();
  why_not = why_not_wanted(s, asked);
  if (!why_not.empty()) return nullptr;
  rpc_engine& rpc = rpc_engine::of(s);
  std::string problem;
  std::unique_ptr<deferred_work> work;
  {
    const rpc_engine::lock l = rpc.acquire_lock();
    work = s.make_deferred_work(problem);
  }
  why_not = problem_of_all(s, work == nullptr ? problem : std::string());
  if (!why_not.empty()) {
    throw argument_error(std::string(asked.operation) + ": " + std::string(asked.option) +
                         " is `network`, but " + why_not +
                         "; leave it `automatic`, or take a network that does such work");
  }
  require_reach_of_all(w, what.graph, includes, asked);
  auto part = std::make_unique<network_part>(s, what, std::move(work));
  const auto goes = [&](const auto& make) {
    why_not = problem_of_all(s, attempt(rpc, make));
    if (why_not.empty()) return true;
    const rpc_engine::lock l = rpc.acquire_lock();
    part.reset();
    return false;
  };
  if (!goes([&] { part->make_counters(); })) return nullptr;
  const auto told = exchange_addresses(w, part->address_messages());
  if (!goes([&] { part->make_items(told); })) return nullptr;
  // Adapters do better if the network has no room for any operation.
  const deferred_work::share& mine = part->shared();
  const auto [by_network, no_room] = largest<2>(s, {mine.by_the_network(), mine.no_room});
  const auto has_room = [&mine] {
    if (mine.no_room != 0) throw system_error(mine.why_no_room);
  };
  if (by_network == 0 && no_room != 0 && !goes(has_room)) return nullptr;
  network_part& made = *part;
  rpc.make({}, asked.operation, asked.owner,
           [&](std::uint64_t /*number*/) { return std::move(part); });
  return std::make_unique<network_schedule>(w, rpc, made);
}

}  // namespace boxcar::detail
