#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/error.hpp>

#include "conveyor/buffer_size.hpp"
#include "conveyor/contract.hpp"
#include "porter/porter.hpp"
#include "substrate/environment.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {
namespace {

constexpr std::size_t largest_item = 65536;

struct configuration {
  std::uint64_t item_bytes;
  std::uint64_t buffer_bytes;
  std::uint64_t buffers_per_link;
  std::uint64_t steady;
  std::uint64_t dynamic_memory;

  static constexpr std::array names{"item size", "buffer_bytes", "buffers_per_link", "steady",
                                    "dynamic_memory"};
  [[nodiscard]] std::array<std::uint64_t, 5> values() const {
    return {item_bytes, buffer_bytes, buffers_per_link, steady, dynamic_memory};
  }
};

// What this PE asks for, or the reason why that cannot work.
struct request {
  configuration wanted{};
  char problem[200] = {};
};

std::string find_problem(const configuration& c) {
  const auto text = [](std::uint64_t n) { return std::to_string(n); };
  if (c.item_bytes > largest_item) {
    return "an item of " + text(c.item_bytes) + " bytes is too large: at most " +
           text(largest_item) + " bytes; send larger ones in pieces";
  }
  if (c.buffers_per_link != 1 && c.buffers_per_link != 2 && c.buffers_per_link != 4) {
    return "buffers_per_link is " + text(c.buffers_per_link) + ": give 1, 2 or 4";
  }
  if (c.buffer_bytes < c.item_bytes) {
    return "buffer_bytes is " + text(c.buffer_bytes) + ", but an item has " + text(c.item_bytes) +
           " bytes: give at least that, or 0 to have a size chosen";
  }
  if (c.buffer_bytes > largest_buffer) {
    return "buffer_bytes is " + text(c.buffer_bytes) + ": give at most " + text(largest_buffer);
  }
  return {};
}

// Collective: throws the same argument_error on all PEs if any asks for what cannot work, or if
// they do not all ask for the same.
void agree(substrate& world, const configuration& wanted) {
  request mine{wanted, {}};
  find_problem(wanted).copy(mine.problem, sizeof mine.problem - 1);
  std::vector<request> all(static_cast<std::size_t>(world.size()));
  world.all_gather(std::as_bytes(std::span(&mine, 1)), reinterpret_cast<std::byte*>(all.data()));
  for (std::size_t pe = 0; pe < all.size(); ++pe) {
    if (all[pe].problem[0] != '\0') {
      throw argument_error("conveyor on PE " + std::to_string(pe) + ": " + all[pe].problem);
    }
    const auto first = all[0].wanted.values();
    const auto other = all[pe].wanted.values();
    const auto [a, b] = std::mismatch(first.begin(), first.end(), other.begin());
    if (a == first.end()) continue;
    throw argument_error(std::string("the PEs disagree on a conveyor's ") +
                         configuration::names[static_cast<std::size_t>(a - first.begin())] +
                         ": PE 0 gives " + std::to_string(*a) + ", PE " + std::to_string(pe) +
                         " gives " + std::to_string(*b) + "; give the same on all PEs");
  }
}

}  // namespace

class conveyor_engine {
 public:
  conveyor_engine(std::shared_ptr<substrate> w, std::size_t item_bytes_, conveyor_options options_)
      : world(std::move(w)), item_bytes(item_bytes_), options(options_) {
    const auto links = static_cast<std::size_t>(world->size());
    if (options.buffer_bytes == 0) {
      options.buffer_bytes = buffer_bytes_from_environment().value_or(
          choose_buffer_bytes(links, options.buffers_per_link, item_bytes));
    }
    agree(*world,
          {item_bytes, options.buffer_bytes, static_cast<std::uint64_t>(options.buffers_per_link),
           options.steady, options.dynamic_memory});
    if (!options.dynamic_memory) acquire();
  }

  // Collective.
  void acquire() {
    link_plan plan;
    plan.outgoing.resize(static_cast<std::size_t>(world->size()));
    std::iota(plan.outgoing.begin(), plan.outgoing.end(), 0);
    plan.incoming = plan.outgoing;
    plan.buffer_bytes = round_up_to_line(options.buffer_bytes);
    plan.buffers_per_link = options.buffers_per_link;
    hop = std::make_unique<porter>(*world, plan);
  }

  // Items that were pulled since begin, for a given place in the current buffer.
  [[nodiscard]] std::uint64_t pulled(const std::byte* read) const {
    const auto here = borrowed ? static_cast<std::uint64_t>(read - current.data) : 0;
    return (finished_bytes + here) / item_bytes;
  }

  // Collective.
  void synchronise() {
    world->barrier();
    ++session.syncs;
  }

  void finish_buffer() {
    if (!borrowed) return;
    finished_bytes += current.bytes;
    hop->give_back(current);
    borrowed = false;
  }

  // Gives the core away if neither the links nor the client did anything since the last advance.
  void wait_if_idle(const std::byte* read) {
    bool active = hop->moved();
    if (!active) {
      const std::uintptr_t now = hop->fingerprint() + reinterpret_cast<std::uintptr_t>(read);
      active = std::exchange(fingerprint, now) != now;
    }
    if (active) {
      world->busy();
    } else {
      world->idle();
    }
  }

  std::shared_ptr<substrate> world;
  std::size_t item_bytes;
  conveyor_options options;
  contract rules;
  std::unique_ptr<porter> hop;  // null while dormant if memory is dynamic

  arrival current;                   // the buffer that is being read
  bool borrowed = false;             // there is one
  std::byte* floor = nullptr;        // how far unpull may go back
  std::uint64_t finished_bytes = 0;  // of the buffers that were read and given back
  std::uintptr_t fingerprint = 0;    // of what the client had pushed and pulled when it was idle

  statistics session;
  statistics earlier;  // all sessions before the current one
};

conveyor_core::conveyor_core(const world& w, std::size_t item_bytes,
                             const conveyor_options& options)
    : item_bytes_(static_cast<std::uint32_t>(item_bytes)),
      engine_(std::make_unique<conveyor_engine>(w.substrate(), item_bytes, options)) {}

conveyor_core::conveyor_core(conveyor_core&& other) noexcept
    : lanes_(other.lanes_),
      pes_(std::exchange(other.pes_, 0)),
      item_bytes_(other.item_bytes_),
      read_(std::exchange(other.read_, nullptr)),
      read_limit_(std::exchange(other.read_limit_, nullptr)),
      from_(other.from_),
      engine_(std::move(other.engine_)) {}

conveyor_core& conveyor_core::operator=(conveyor_core&& other) noexcept {
  lanes_ = other.lanes_;
  pes_ = std::exchange(other.pes_, 0);
  item_bytes_ = other.item_bytes_;
  read_ = std::exchange(other.read_, nullptr);
  read_limit_ = std::exchange(other.read_limit_, nullptr);
  from_ = other.from_;
  engine_ = std::move(other.engine_);
  return *this;
}

conveyor_core::~conveyor_core() = default;

conveyor_engine& conveyor_core::engine() const {
  if (engine_ == nullptr) throw contract_error("this conveyor has been moved from");
  return *engine_;
}

void conveyor_core::begin() {
  conveyor_engine& e = engine();
  e.rules.require(operation::begin);
  if (e.hop == nullptr) e.acquire();
  e.hop->start_session(item_bytes_);
  e.earlier += e.session;
  e.session = {};
  e.session.begins = 1;
  e.finished_bytes = 0;
  // No PE is working while another is still dormant (section 3.3 of the paper).
  e.synchronise();
  e.rules.begun();
  lanes_ = e.hop->lanes();
  pes_ = static_cast<std::uint32_t>(e.world->size());
}

void conveyor_core::refuse_push(int pe) const {
  const conveyor_engine& e = engine();
  e.rules.require(operation::push);
  throw argument_error("push to PE " + std::to_string(pe) + ": the world has " +
                       std::to_string(e.world->size()) + " PEs, numbered from 0");
}

bool conveyor_core::make_room(int pe) {
  if (engine_->hop->make_room(static_cast<std::size_t>(pe))) return true;
  ++engine_->session.blocked;
  return false;
}

bool conveyor_core::next_buffer() {
  conveyor_engine& e = engine();
  e.rules.require(operation::pull);
  e.finish_buffer();
  read_ = read_limit_ = nullptr;
  if (e.hop == nullptr || !e.hop->borrow(e.current)) return false;
  e.borrowed = true;
  read_ = e.floor = e.current.data;
  read_limit_ = read_ + e.current.bytes;
  from_ = e.current.source;
  return true;
}

bool conveyor_core::unpull() {
  conveyor_engine& e = engine();
  e.rules.require(operation::unpull);
  if (!e.borrowed || read_ == e.floor || state() == conveyor_state::complete) return false;
  read_ -= item_bytes_;
  e.floor = read_;
  ++e.session.unpulls;
  return true;
}

advance_result conveyor_core::advance(bool done) {
  conveyor_engine& e = engine();
  e.rules.require(operation::advance, done);
  if (state() == conveyor_state::complete) return advance_result::done;
  ++e.session.advances;
  if (done) pes_ = 0;  // every push from now on is refused

  e.hop->poll();
  bool closed = false;
  if (done) {
    closed = e.hop->close();
  } else if (e.options.steady) {
    e.hop->send_partly_filled();
  }
  advance_result result = advance_result::ok;
  if (done && e.hop->over()) {
    const bool drained = read_ == read_limit_ && !e.hop->has_items();
    result = drained && closed ? advance_result::done : advance_result::near;
  }
  e.rules.advanced(done, result);
  e.wait_if_idle(read_);
  return result;
}

void conveyor_core::reset() {
  conveyor_engine& e = engine();
  e.rules.require(operation::reset);
  if (state() == conveyor_state::dormant) return;
  e.finish_buffer();
  read_ = read_limit_ = nullptr;
  e.session = session_statistics();
  e.synchronise();
  if (e.options.dynamic_memory) e.hop = nullptr;
  e.rules.was_reset();
}

void conveyor_core::leave(bool quietly) {
  if (engine_ == nullptr || state() == conveyor_state::dormant) return;
  if (state() == conveyor_state::complete) {
    reset();
    return;
  }
  const std::string text =
      "a session was left unfinished: " + engine_->rules.explain(operation::reset) +
      " (items may not have been delivered)";
  // Whoever waits for items of this PE would wait in vain.
  if (quietly) {
    engine_->world->fail("PE " + std::to_string(engine_->world->rank()) + ": " + text);
  } else {
    throw contract_error(text);
  }
}

conveyor_state conveyor_core::state() const {
  return engine().rules.state();
}

statistics conveyor_core::session_statistics() const {
  const conveyor_engine& e = engine();
  statistics s = e.session;
  s.memory_bytes = sizeof(conveyor_engine) + (e.hop == nullptr ? 0 : e.hop->memory_bytes());
  if (state() == conveyor_state::dormant) return s;
  s.pushes = e.hop->bytes_filled() / item_bytes_;
  s.pulls = e.pulled(read_) + s.unpulls;
  s.hops = {e.hop->statistics()};
  return s;
}

statistics conveyor_core::total_statistics() const {
  statistics s = engine().earlier;
  return s += session_statistics();
}

std::size_t conveyor_core::buffer_bytes() const {
  return engine().options.buffer_bytes;
}

}  // namespace boxcar::detail
