#include "substrate/simulated/simulated_machine.hpp"

#include <algorithm>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/simulated/memory_need.hpp"
#include "substrate/simulated/simulated_layout.hpp"
#include "substrate/stall/deadlock.hpp"

namespace boxcar::detail {
namespace {

// The cost of a poll.
constexpr moment poll_time = 20'000;
// A PE polls so often in a row; then the PE waits.
constexpr std::uint32_t polls = 1;
// The first wait and the longest wait of a PE that may look at something without a ring.
constexpr moment shortest_wait = 1'000'000;
constexpr moment max_wait = 1'000'000'000;

}  // namespace

simulated_machine::simulated_machine(const simulate_options& options, const chosen_order* order,
                                     entry enter)
    : order_(order == nullptr ? std::nullopt : std::optional(*order)),
      seed_(options.seed),
      enter_(std::move(enter)),
      layout_(simulated_layout(options)),
      network_(options.network, layout_.nodes(), options.seed),
      patience_(to_moment(options.patience)),
      stacks_(options.pes, options.stack_bytes),
      queue_(order == nullptr ? event_queue(options.seed, layout_.nodes() + 1, lookahead())
                              : event_queue(options.seed)) {
  const auto cores = static_cast<std::size_t>(network_.cores_per_node());
  const auto largest_node =
      static_cast<std::size_t>(options.pes_per_node == 0 ? options.pes : options.pes_per_node);
  if (cores != 0 && cores < largest_node && !order_) cores_ = {layout_, network_.cores_per_node()};
}

void simulated_machine::run(const std::function<void(int rank)>& pe) {
  alive_ = pes();
  pes_ = std::make_unique<simulated_pe[]>(static_cast<std::size_t>(alive_));
  messages_to_.assign(static_cast<std::size_t>(alive_), 0);
  for (int rank = 0; rank < pes(); ++rank) {
    simulated_pe& one = at(static_cast<std::uint32_t>(rank));
    one.its_progress.emplace();
    one.its_fiber.emplace(stacks_.bottom(rank), stacks_.usable_bytes(), [&pe, rank] { pe(rank); });
    one.node = layout_.node_of(rank);
    queue_.add(one.node, 0, event_kind::resume, static_cast<std::uint32_t>(rank));
  }
  if (order_ && order_->one_pe_fails) {
    constexpr std::size_t max_looks = 40;
    failing_ = static_cast<std::uint32_t>(order_->by->draw(static_cast<std::size_t>(pes())));
    looks_left_ = order_->by->draw(max_looks);
  }
  while (alive_ != 0) {
    if (queue_.empty()) {
      report_stuck();
    } else if (order_) {
      happen(choose());
    } else {
      const event next = queue_.take();
      look_ahead();
      happen(next);
      if (so_far_.events >= next_look_at_memory_) watch_memory();
    }
  }
}

// Fails before the system ends a process for lack of memory.
void simulated_machine::watch_memory() {
  constexpr std::uint64_t events_between_looks = 4096;
  next_look_at_memory_ = so_far_.events + events_between_looks;
  if (failed_) return;
  const std::string shortage = memory_shortage(pes(), look_at_memory());
  if (!shortage.empty()) fail(static_cast<int>(current_), shortage);
}

void simulated_machine::look_ahead() const {
  constexpr std::ptrdiff_t line = 64;
  const auto ask_for_pe = [this](std::uint32_t which) {
    const auto* const pe = reinterpret_cast<const std::byte*>(&at(which));
    __builtin_prefetch(pe);
    __builtin_prefetch(pe + line);
  };
  const std::span<const event> soon = queue_.next_ones();
  for (const event& e : soon) {
    if (e.kind <= event_kind::deliver) {
      __builtin_prefetch(&messages_[e.which]);
    } else {
      ask_for_pe(e.which);
    }
  }
  if (soon.empty()) return;
  // The next event was a candidate before: the prefetched memory is in the cache by now.
  const event& next = soon.front();
  if (next.kind == event_kind::deliver) {
    const message_in_flight& p = messages_[next.which];
    __builtin_prefetch(p.itself.get());
    ask_for_pe(static_cast<std::uint32_t>(p.to));
  } else if (next.kind == event_kind::resume && at(next.which).on_stack != nullptr) {
    constexpr std::ptrdiff_t below = 4;  // written by a switch
    constexpr std::ptrdiff_t above = 14;
    const std::byte* const on_stack = at(next.which).on_stack;
    for (std::ptrdiff_t i = -below; i < above; ++i) __builtin_prefetch(on_stack + i * line);
    __builtin_prefetch(stacks_.canary(static_cast<int>(next.which)));
  }
}

void simulated_machine::happen(const event& e) {
  now_ = e.at;
  if (e.kind == event_kind::expire) return expire(e.which, e.at);
  reset_quiet_time();
  switch (e.kind) {
    case event_kind::resume:
      note(e);
      run_pe(e.which, e.at);
      break;
    case event_kind::wake: {
      simulated_pe& pe = at(e.which);
      if (pe.next_wake_is_of_use) pe.has_news = true;
      if (pe.next_wake == e.at) {
        pe.next_wake = never;
        pe.next_wake_is_of_use = false;
      }
      if (pe.is == state::waiting) {
        make_ready(e.which, e.at);
      } else {
        pe.is_rung = true;
      }
      break;
    }
    default:
      note(e);
      move_on(e);
  }
}

void simulated_machine::note(const event& e) {
  ++so_far_.events;
  std::uint64_t h = so_far_.trace_hash;
  const auto add = [&h](std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  };
  add(static_cast<std::uint64_t>(e.at));
  if (e.kind == event_kind::resume) {
    add(e.which);
  } else {
    const message_in_flight& p = messages_[e.which];
    add(static_cast<std::uint64_t>(e.kind) << 32 | static_cast<std::uint32_t>(p.from));
    add(static_cast<std::uint64_t>(p.to) << 32 | p.on.bytes);
  }
  so_far_.trace_hash = h;
}

// --- Messages
// -------------------------------------------------------------------------------------

void simulated_machine::send(std::unique_ptr<simulated_message> p) {
  const int from = p->from();
  const int to = p->to();
  const std::size_t bytes = p->bytes();
  const int node = at(static_cast<std::uint32_t>(from)).node;
  const int other_node = layout_.node_of(to);
  const bool is_near = node == other_node;
  if (is_near) {
    charge(network_.near_core_time());
  } else {
    charge(network_.core_time(bytes));
    ++(p->is_buffer() ? so_far_.buffers : so_far_.messages);
    so_far_.bytes += bytes;
  }
  ++messages_to_[static_cast<std::size_t>(to)];
  if (free_messages_.empty()) {
    free_messages_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  const std::uint32_t which = free_messages_.back();
  free_messages_.pop_back();
  messages_[which] = {std::move(p), from, to, {.from = node, .to = other_node, .bytes = bytes}};
  if (order_) {
    queue_.add(node, here().clock, event_kind::deliver, which);
  } else if (is_near) {
    queue_.add(node, here().clock + network_.near_latency(), event_kind::deliver, which);
  } else {
    queue_.add(node, here().clock, event_kind::leave, which);
  }
}

void simulated_machine::move_on(const event& e) {
  message_in_flight& p = messages_[e.which];
  passage& on = p.on;
  if (e.kind == event_kind::leave) {
    on.head = on.tail = network_.enter(on.from, on.bytes, e.at);
    if (network_.has_links()) {
      queue_.add(between_nodes(), on.head, event_kind::pass, e.which);
    } else {
      queue_.add(on.to, network_.reach(on), event_kind::reach, e.which);
    }
  } else if (e.kind == event_kind::pass) {
    if (network_.move_on(on)) {
      queue_.add(between_nodes(), on.head, event_kind::pass, e.which);
    } else {
      queue_.add(on.to, network_.reach(on), event_kind::reach, e.which);
    }
  } else if (e.kind == event_kind::reach) {
    queue_.add(on.to, network_.arrive(on.to, on.bytes, e.at), event_kind::deliver, e.which);
  } else {
    const std::unique_ptr<simulated_message> arrived = std::move(p.itself);
    const auto to = static_cast<std::uint32_t>(p.to);
    free_messages_.push_back(e.which);
    --messages_to_[to];
    if (arrived->arrive()) at(to).has_news = true;
    if (at(to).is == state::waiting) {
      make_ready(to, e.at);
    } else {
      at(to).is_rung = true;
    }
  }
}

void simulated_machine::share(std::size_t bytes) {
  shared_ += bytes;
  so_far_.shared_bytes = std::max(so_far_.shared_bytes, shared_);
}

// --- Running PEs ---------------------------------------------------------------------------------

void simulated_machine::run_pe(std::uint32_t pe, moment at_time) {
  simulated_pe& p = at(pe);
  p.clock = std::max(p.clock, at_time);
  if (cores_.are_shared() && !cores_.has_one(pe)) {
    p.is = state::ready;
    const std::optional<moment> from = cores_.ask(pe, p.clock);
    if (from) begin_on_core(pe, *from);
    return;
  }
  if (p.idles && !p.has_news && !failed_) return look_in_vain(pe);
  p.is = state::running;
  p.has_news = p.is_rung;  // a PE that was rung looks once more in any case
  if (enter_) enter_(static_cast<int>(pe));
  current_ = pe;
  ++so_far_.switches;
  progress::run_as(&*p.its_progress);
  p.its_fiber->resume();
  progress::run_as(nullptr);
  if (!p.its_fiber->is_over()) return;
  const std::byte* const top = stacks_.bottom(static_cast<int>(pe)) + stacks_.usable_bytes();
  stacks_.require_intact(static_cast<int>(pe), top);
  so_far_.time = std::max(so_far_.time, to_nanoseconds(p.clock));
  p.is = state::over;
  p.its_fiber.reset();
  p.its_progress.reset();
  --alive_;
  give_core_back(pe);
}

// Called by the running PE.
void simulated_machine::pause() {
  const std::byte here_on_stack{};
  const std::uint32_t me = current_;
  stacks_.require_intact(static_cast<int>(me), &here_on_stack);
  at(me).on_stack = &here_on_stack;
  at(me).its_fiber->pause();
}

void simulated_machine::get_ready(std::uint32_t pe) {
  simulated_pe& p = at(pe);
  p.is = state::ready;
  if (is_to_give_way(pe)) {
    give_core_back(pe);
    static_cast<void>(cores_.ask(pe, p.clock));
  } else {
    queue_.add(p.node, p.clock, event_kind::resume, pe);
  }
}

void simulated_machine::make_ready(std::uint32_t pe, moment at_time) {
  simulated_pe& p = at(pe);
  p.is = state::ready;
  queue_.add(p.node, std::max(p.clock, at_time), event_kind::resume, pe);
}

void simulated_machine::begin_on_core(std::uint32_t pe, moment at_time) {
  simulated_pe& p = at(pe);
  p.clock = std::max(p.clock, at_time) + network_.time_to_change();
  queue_.add(p.node, p.clock, event_kind::resume, pe);
}

void simulated_machine::give_core_back(std::uint32_t pe) {
  if (!cores_.are_shared()) return;
  const moment now = at(pe).clock;
  const std::optional<std::uint32_t> next = cores_.give_back(pe, now);
  if (next) begin_on_core(*next, now);
}

void simulated_machine::fall_in_step() {
  if (order_ ? !queue_.empty()
             : queue_.is_ahead(here().node, here().clock) || is_to_give_way(current_))
    be_ready();
}

void simulated_machine::busy() {
  here().idle_polls = 0;
  reset_quiet_time();
  fall_in_step();
}

// --- Waiting -------------------------------------------------------------------------------------

void simulated_machine::ring(int pe, moment when, bool of_use) {
  const auto which = static_cast<std::uint32_t>(pe);
  simulated_pe& p = at(which);
  if (p.is == state::over) return;
  if (of_use) p.has_news = p.next_wake_is_of_use = true;  // the news is there now, and then
  if (p.next_wake <= when) return;                        // the PE will have looked by then
  p.next_wake = when;
  queue_.add(p.node, std::max(when, now_), event_kind::wake, which);
}

void simulated_machine::expire(std::uint32_t pe, moment when) {
  --expiries_;
  simulated_pe& p = at(pe);
  if (p.next_expiry != when) return;  // there was an earlier expiry
  p.next_expiry = never;
  if (p.is != state::waiting) return;
  if (p.deadline > when) {
    if (p.deadline == never) return;
    p.next_expiry = p.deadline;
    ++expiries_;
    return queue_.add(p.node, p.deadline, event_kind::expire, pe);
  }
  if (!is_quiet()) {
    quiet_since_ = never;
  } else if (quiet_since_ == never) {
    quiet_since_ = when;
  } else if (when - quiet_since_ > patience_) {
    return report_stuck();
  }
  p.is = state::ready;
  p.has_news = true;  // the program may look elsewhere
  note({when, 0, event_kind::resume, pe});
  run_pe(pe, when);
}

void simulated_machine::get_to_wait(std::uint32_t pe, moment deadline) {
  simulated_pe& p = at(pe);
  p.is = state::waiting;
  p.has_waited = true;
  p.waits_since = p.clock;
  p.deadline = deadline;
  if (deadline < p.next_expiry) {
    p.next_expiry = deadline;
    ++expiries_;
    queue_.add(p.node, deadline, event_kind::expire, pe);
  }
  give_core_back(pe);
}

void simulated_machine::find_nothing(std::uint32_t pe) {
  simulated_pe& p = at(pe);
  p.clock += poll_time;
  ++p.idle_polls;
  p.has_waited = false;
  if (std::exchange(p.is_rung, false) || p.idle_polls <= polls) return get_ready(pe);
  moment deadline = never;
  if (p.looks_elsewhere) {
    const std::uint32_t doublings = std::min<std::uint32_t>(p.idle_polls - polls - 1, 10);
    deadline = p.clock + std::min(shortest_wait << doublings, max_wait);
  }
  get_to_wait(pe, deadline);
}

void simulated_machine::end_idling(simulated_pe& p) {
  if (!p.has_waited) return;
  if (std::exchange(p.is_rung, false) || p.clock < p.deadline) p.idle_polls = polls - 1;
}

void simulated_machine::look_in_vain(std::uint32_t pe) {
  end_idling(at(pe));
  find_nothing(pe);
}

bool simulated_machine::idle(const pause_reason& why) {
  simulated_pe& me = here();
  check_failure();
  fail_if_chosen();
  yield(event_kind::resume);
  const bool acts = why.acts_by_itself || me.its_progress->watch().acts_by_time(why) ||
                    me.its_progress->waits_for_time();
  const current_call& call = me.its_progress->watch().call;
  me.looks_elsewhere = acts || call.name == nullptr || call.returns_soon;
  me.why = &why;
  find_nothing(current_);
  me.idles = me.is == state::waiting && !acts && !order_ && why.on != needs::nobody;
  if (me.is == state::waiting) yield(event_kind::expire);
  pause();
  me.idles = false;
  me.why = nullptr;
  end_idling(me);
  check_failure();
  return me.idle_polls >= polls;
}

void simulated_machine::look() {
  check_failure();
  fail_if_chosen();
  charge(poll_time);
  yield(event_kind::resume);
  if (!is_quiet()) {
    reset_quiet_time();
    return fall_in_step();
  }
  const moment clock_here = here().clock;
  if (quiet_since_ == never) quiet_since_ = clock_here;
  if (clock_here - quiet_since_ > patience_) {
    fail(static_cast<int>(current_),
         "PE " + std::to_string(current_) + " has looked again and again for what is not there, " +
             "while no other PE did anything: the PEs that it waits for wait themselves, or have " +
             "left");
  }
  fall_in_step();
  check_failure();
}

void simulated_machine::wait_until(moment then) {
  check_failure();
  if (here().is_rung) {
    here().is_rung = false;
    be_ready();
  } else if (here().clock < then) {
    const pause_reason sleeps{.acts_by_itself = true};
    here().why = &sleeps;
    get_to_wait(current_, then);
    yield(event_kind::expire);
    ++acting_;
    pause();
    --acting_;
    here().why = nullptr;
  }
  check_failure();
}

// --- Failure -------------------------------------------------------------------------------------

bool simulated_machine::fail(int pe, const std::string& message) noexcept {
  if (failed_) return *failed_ == pe;
  failed_ = pe;
  failure_ = message;
  for (std::uint32_t other = 0; other < static_cast<std::uint32_t>(pes()); ++other) {
    if (at(other).is == state::waiting) make_ready(other, now_);
  }
  return true;
}

void simulated_machine::check_failure() const {
  if (failed_) throw world_error(failure_);
}

void simulated_machine::report_stuck() {
  std::vector<pe_group> groups;
  std::vector<pe_group> others;
  for (std::uint32_t rank = 0; rank < static_cast<std::uint32_t>(pes()); ++rank) {
    simulated_pe& p = at(rank);
    if (p.is != state::waiting || p.why == nullptr) continue;
    progress::run_as(&*p.its_progress);
    pe_report r = p.its_progress->watch().report(*p.why);
    progress::run_as(nullptr);
    r.rank = static_cast<std::int32_t>(rank);
    r.seconds = static_cast<double>(std::max<moment>(now_ - p.waits_since, 0)) * 1e-12;
    add(r.on == needs::nobody ? others : groups, group_of(r));
  }
  finding found = find(groups, pes());
  if (found.stuck.empty()) {
    // The other PEs look for something unknown.
    for (const pe_group& group : others) add(groups, group);
    for (const pe_group& group : groups) found.pes += group.pes;
    found.stuck = std::move(groups);
  }
  fail(found.stuck.front().ranks.front().first, describe(found, pes()));
}

simulation simulated_machine::result() const {
  simulation all = so_far_;
  all.buffer_bytes = buffers_.most_bytes();
  return all;
}

}  // namespace boxcar::detail
