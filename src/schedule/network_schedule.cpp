#include "schedule/network_schedule.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include <boxcar/detail/object_handle.hpp>
#include <boxcar/error.hpp>

#include "one_sided/rpc_engine.hpp"
#include "schedule/address_exchange.hpp"
#include "schedule/memory_reach.hpp"
#include "substrate/absence.hpp"
#include "substrate/agreement.hpp"
#include "substrate/deferred_work.hpp"
#include "substrate/largest.hpp"
#include "substrate/progress.hpp"
#include "trigger/numbers.hpp"
#include "trigger/thrown_by_function.hpp"

namespace boxcar::detail {
namespace {

using counter = deferred_work::counter;
using due = deferred_work::due;
using place = deferred_work::place;

// The boundary keeps numbers in shadows aligned.
constexpr std::size_t shadow_boundary = 16;

bool is_on_boundary(std::span<const std::byte> numbers, number_type type) {
  return reinterpret_cast<std::uintptr_t>(numbers.data()) % bytes_of(type) == 0;
}

void combine_numbers(number_type type, arithmetic how, std::byte* into, const std::byte* from,
                     std::size_t bytes) {
  combine({type, how}, into, from, nullptr, bytes);
}

// A PE's part of a schedule that the network executes. The part lives for as long as other PEs may
// put into its memory.
class network_part final : public remote_object {
 public:
  network_part(substrate& world, const matched_schedule& what, std::unique_ptr<deferred_work> work)
      : graph_(what.graph),
        partners_(what.partners),
        numbers_(what.numbers),
        work_(std::move(work)),
        world_(world) {
    std::size_t shadows = 0;
    for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
      const graph_vertex& v = graph_.vertices[i];
      // An empty message needs neither a grant nor a shadow.
      is_eager_.push_back(
          v.is_message() &&
          (v.bytes() == 0 || what.eager.allow(v.bytes(), world.is_local(partners_[i].pe))));
      if (v.kind == vertex_kind::receive && is_eager_[i]) shadows += shadow_bytes(v);
    }
    shadows_.resize(shadows);
  }

  // Creates the counters, and the memory that remote PEs put into.
  void make_counters();
  // Address messages go to each partner PE; `make_items` builds the operations from the address
  // messages of the partners.
  [[nodiscard]] std::map<int, address_message> address_messages() const;
  void make_items(const std::map<int, address_message>& from);

  // Callers hold the engine's lock: only a single thread at a time uses the network.
  void start();
  [[nodiscard]] bool has_ended() const { return work_->value(ends_) >= runs_ * ends_in_a_run_; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  void require_success() { work_->require_success(); }
  void cancel() noexcept {
    is_given_up_ = true;
    work_->cancel();
  }
  [[nodiscard]] const deferred_work::share& shared() const { return work_->shared(); }

  [[nodiscard]] std::string text() const { return graph_.text(partners_); }
  [[nodiscard]] std::string graphviz() const { return graph_.graphviz(partners_); }
  [[nodiscard]] std::string explain(const substrate& world) const;

  void execute(const request& /*r*/, std::span<const std::byte> /*data*/,
               reply_room& /*reply*/) override {}
  [[nodiscard]] bool is_polled() const override { return true; }
  bool work() override;
  [[nodiscard]] bool has_work() override;
  void dropped() noexcept override { thrown_.report(world_); }
  [[nodiscard]] thrown_by_function& thrown() { return thrown_; }

 private:
  // Counters say when a vertex may start and when the vertex is complete.
  struct vertex_counters {
    std::size_t inputs = 0;            // number of inputs before the start
    std::optional<counter> waits;      // counts the inputs if there are several
    counter complete = {};             // `ends_` if nothing depends on the vertex
    std::uint64_t completions = 1;     // in a run
    place others = {};                 // target of the partner's puts, for a message
    std::span<std::byte> shadow = {};  // of an eager receive
  };

  [[nodiscard]] static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] static std::size_t shadow_bytes(const graph_vertex& v) {
    return (v.bytes() + shadow_boundary) / shadow_boundary * shadow_boundary;
  }
  [[nodiscard]] bool is_running() const { return !is_given_up_ && !has_ended(); }
  [[nodiscard]] bool is_left_to_pe(std::size_t i) const;
  [[nodiscard]] std::uint64_t pieces_of(std::size_t i) const;
  // A word replaces empty memory.
  [[nodiscard]] std::span<std::byte> or_word(std::span<std::byte> memory) {
    return memory.empty() ? std::as_writable_bytes(std::span(&words_[0], 1)) : memory;
  }
  [[nodiscard]] std::span<const std::byte> or_word(std::span<const std::byte> memory) const {
    return memory.empty() ? std::as_bytes(std::span(&words_[1], 1)) : memory;
  }
  [[nodiscard]] due when(std::size_t i) const;
  void add_vertex(std::size_t i, const place& there);
  void leave_to_pe(std::size_t i);
  void grant(due when, std::size_t i, const place& there);

  schedule_graph graph_;
  std::vector<vertex_place> partners_;
  std::vector<int> numbers_;
  std::vector<bool> is_eager_;
  std::vector<std::byte> shadows_;
  std::array<std::uint64_t, 2> words_{};  // written by other PEs; put by the local PE
  std::unique_ptr<deferred_work> work_;
  std::vector<vertex_counters> counters_;
  std::optional<std::size_t> first_call_;  // a vertex
  counter begin_ = {};
  counter ends_ = {};
  std::uint64_t ends_in_a_run_ = 0;
  std::uint64_t max_in_a_run_ = 1;
  std::uint64_t runs_ = 0;
  bool is_given_up_ = false;
  thrown_by_function thrown_;
  substrate& world_;
  std::optional<std::chrono::nanoseconds> failed_at_;
};

// A vertex is left to the PE if the network cannot execute the vertex: functions, and numbers that
// the network does not combine or that are not aligned.
bool network_part::is_left_to_pe(std::size_t i) const {
  const graph_vertex& v = graph_.vertices[i];
  if (v.kind == vertex_kind::compute) return true;
  if (v.kind != vertex_kind::combine || v.into.empty()) return false;
  return !is_on_boundary(v.from, v.type) || !is_on_boundary(v.into, v.type) ||
         work_->pieces(v.type, v.how, v.into.size()) == 0;
}

std::uint64_t network_part::pieces_of(std::size_t i) const {
  const graph_vertex& v = graph_.vertices[i];
  if (v.bytes() == 0 || is_left_to_pe(i)) return 1;
  return v.kind == vertex_kind::combine ? work_->pieces(v.type, v.how, v.bytes())
                                        : work_->pieces(v.bytes());
}

void network_part::make_counters() {
  const auto& all = graph_.vertices;
  begin_ = work_->make_counter();
  ends_ = work_->make_counter();
  std::vector<bool> is_last(all.size(), true);
  for (const graph_vertex& v : all) {
    for (const int e : v.after) is_last[index(e)] = false;
  }
  counters_.resize(all.size());
  std::span<std::byte> shadows = shadows_;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const graph_vertex& v = all[i];
    vertex_counters& mine = counters_[i];
    const bool receives = v.kind == vertex_kind::receive;
    const bool is_shadowed = receives && is_eager_[i];
    mine.completions = pieces_of(i);
    // Inputs are the dependencies or else the start, the grant of a send, and arrivals in a shadow.
    mine.inputs = v.after.empty() ? 1 : v.after.size();
    if (v.kind == vertex_kind::send) mine.inputs += 1;
    if (is_shadowed) mine.inputs += mine.completions;
    if (mine.inputs > 1) mine.waits = work_->make_counter();
    // A shadowed receive grants the next message when the receive is complete.
    const bool is_end = is_last[i] && !is_shadowed;
    mine.complete = is_end ? ends_ : work_->make_counter();
    if (v.kind == vertex_kind::send) {
      mine.others = work_->let_in(std::as_writable_bytes(std::span(&words_[0], 1)), *mine.waits);
    } else if (is_shadowed) {
      mine.shadow = shadows.first(v.bytes());
      shadows = shadows.subspan(shadow_bytes(v));
      mine.others = work_->let_in(or_word(mine.shadow), *mine.waits);
    } else if (receives) {
      mine.others = work_->let_in(or_word(v.into), mine.complete);
    }
    ends_in_a_run_ += (receives ? 1 : 0) + (is_end ? mine.completions : 0);  // grant, vertex
    max_in_a_run_ = std::max({max_in_a_run_, std::uint64_t{mine.inputs}, mine.completions});
  }
  max_in_a_run_ = std::max(max_in_a_run_, ends_in_a_run_);
}

std::map<int, address_message> network_part::address_messages() const {
  std::map<int, address_message> to;
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    const graph_vertex& v = graph_.vertices[i];
    if (!v.is_message()) continue;
    address_message& one = to[partners_[i].pe];
    const std::span<const std::byte> address = work_->address();
    if (one.places.empty()) one.address.assign(address.begin(), address.end());
    one.places.push_back({.at = counters_[i].others,
                          .number = numbers_[i],
                          .is_sent = v.kind == vertex_kind::send ? 1 : 0});
  }
  return to;
}

void network_part::make_items(const std::map<int, address_message>& from) {
  // Addresses at each partner: of its receives, and of the grants for its sends.
  using place_of_number = std::map<int, place>;
  std::map<int, std::array<place_of_number, 2>> places;
  for (const auto& [pe, one] : from) {
    work_->connect(pe, one.address);
    for (const message_place& m : one.places) places[pe][index(m.is_sent)][m.number] = m.at;
  }
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    const graph_vertex& v = graph_.vertices[i];
    place there;
    if (v.is_message()) {
      const std::size_t is_sent_there = v.kind == vertex_kind::send ? 0 : 1;
      there = places[partners_[i].pe][is_sent_there].at(partners_[i].vertex);
    }
    add_vertex(i, there);
  }
}

due network_part::when(std::size_t i) const {
  const vertex_counters& mine = counters_[i];
  if (mine.waits) return {*mine.waits, mine.inputs};
  const std::vector<int>& after = graph_.vertices[i].after;
  if (after.empty()) return {begin_, 1};
  const vertex_counters& before = counters_[index(after.front())];
  return {before.complete, before.completions};
}

void network_part::grant(due when, std::size_t i, const place& there) {
  work_->put(when, std::as_bytes(std::span(&words_[1], 1)), partners_[i].pe, there, ends_);
}

void network_part::add_vertex(std::size_t i, const place& there) {
  const graph_vertex& v = graph_.vertices[i];
  const vertex_counters& mine = counters_[i];
  if (mine.waits && v.after.empty()) work_->increment(due{begin_, 1}, *mine.waits);
  if (mine.waits) {
    for (const int e : v.after) {
      const vertex_counters& before = counters_[index(e)];
      work_->increment(due{before.complete, before.completions}, *mine.waits);
    }
  }
  if (is_left_to_pe(i)) return leave_to_pe(i);
  switch (v.kind) {
    case vertex_kind::send:
      // An eager send gets its first grant in advance.
      if (is_eager_[i]) work_->increment(*mine.waits);
      work_->put(when(i), or_word(v.from), partners_[i].pe, there, mine.complete);
      break;
    case vertex_kind::receive:
      if (is_eager_[i]) {
        work_->copy(when(i), or_word(std::span<const std::byte>(mine.shadow)), or_word(v.into),
                    mine.complete);
        grant({mine.complete, mine.completions}, i, there);
      } else {
        grant(when(i), i, there);
      }
      break;
    case vertex_kind::copy:
      work_->copy(when(i), or_word(v.from), or_word(v.into), mine.complete);
      break;
    default:
      if (v.into.empty()) {
        work_->copy(when(i), or_word(v.from), or_word(v.into), mine.complete);
      } else {
        work_->combine(when(i), v.from, v.into, v.type, v.how, mine.complete, combine_numbers);
      }
  }
}

void network_part::leave_to_pe(std::size_t i) {
  const graph_vertex& v = graph_.vertices[i];
  if (!first_call_) first_call_ = i;
  work_->call(
      when(i),
      [this, &v] {
        if (v.kind == vertex_kind::compute) return thrown_.call(v.function);
        combine_numbers(v.type, v.how, v.into.data(), v.from.data(), v.into.size());
        return true;
      },
      counters_[i].complete);
}

void network_part::start() {
  work_->require_success();
  if ((runs_ + 1) > work_->most_counted() / max_in_a_run_) {
    throw contract_error("start: the counters of " + work_->carrier() + " hold " +
                         std::to_string(work_->most_counted()) + ", which is reached after " +
                         std::to_string(runs_) + " runs of the schedule; compile it again");
  }
  ++runs_;
  work_->queue(runs_);
  work_->increment(begin_);
}

// A PE reports a failed network operation wherever the PE waits, as other PEs may wait for the PE.
// The cause may be the failure of another PE, to be reported first.
bool network_part::work() {
  if (!is_running()) return false;
  try {
    work_->require_success();
  } catch (const system_error&) {
    if (!failed_at_) failed_at_ = world_.now();
    if (world_.now() - *failed_at_ < max_failure_delay) return false;
    throw;
  }
  return work_->work();
}

bool network_part::has_work() {
  if (!is_running()) return false;
  try {
    work_->require_success();
  } catch (const system_error&) {
    return true;
  }
  return work_->has_work();
}

std::string network_part::explain(const substrate& world) const {
  std::size_t messages = 0;
  for (const graph_vertex& v : graph_.vertices) messages += v.is_message() ? 1 : 0;
  const deferred_work::share& part = work_->shared();
  const std::size_t others = part.operations - part.by_the_network();
  std::string text = "left to the network, which carries out ";
  text += others == 0 ? "all " : std::to_string(part.by_the_network()) + " of the ";
  text += std::to_string(part.operations) + " operations of its " +
          std::to_string(graph_.vertices.size()) + " vertices on this PE, " +
          std::to_string(messages) + " of them messages, as deferred work: " + work_->carrier() +
          ". ";
  if (others == 0) return text + "It needs neither the PE nor a progress thread";
  text += "The rest is done " + pe_executor_text(world);
  char before = ':';
  const auto say = [&](std::size_t so_many, const std::string& why) {
    if (so_many == 0) return;
    (text += std::exchange(before, ';')) += ' ';
    text += std::to_string(so_many) + why;
  };
  if (first_call_) {
    say(part.calls, " that no network does, the first of them " +
                        graph_.describe(static_cast<int>(*first_call_)));
  }
  say(part.no_room, " for which there is no room: " + part.why_no_room);
  say(part.refused, " that it has refused: " + part.why_refused);
  return text;
}

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
