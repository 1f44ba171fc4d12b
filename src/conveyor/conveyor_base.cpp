// The operations of a conveyor that run once per buffer or more rarely: sessions, full and empty
// buffers, errors.
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/conveyor_base.hpp>
#include <boxcar/error.hpp>

#include "conveyor/configuration.hpp"
#include "conveyor/engine.hpp"
#include "conveyor/tuned_conveyor.hpp"

namespace boxcar::detail {

struct conveyor_base::parts {
  parts(const world& w, const item_format& what, const conveyor_options& o)
      : options(o), conveyor(w.substrate(), configure(*w.substrate(), o, what)) {
    if (!options.tune) return;
    tuned = std::make_unique<tuned_conveyor>(*w.substrate(), options, what, conveyor.chosen());
    conveyor.keep_time();
    build_as_wanted();
  }

  // Builds the conveyor that the tuner wants. Collective. Precondition: the conveyor is dormant.
  void build_as_wanted() {
    tuned->decisions().ensure_built([this] { conveyor.rebuild(tuned->wanted()); });
  }

  conveyor_options options;
  engine conveyor;
  std::unique_ptr<tuned_conveyor> tuned;  // nullptr if the conveyor is not tuned
  std::vector<std::byte> aligned;
};

std::unique_ptr<conveyor_base::parts> conveyor_base::make_parts(const world& w,
                                                                const item_format& what,
                                                                const conveyor_options& options) {
  const called_scope scope(what.elastic ? "making an elastic conveyor" : "making a conveyor");
  w.substrate()->require_own_thread("making a conveyor");
  return std::make_unique<parts>(w, what, options);
}

conveyor_base::conveyor_base(const world& w, const item_format& what,
                             const conveyor_options& options)
    : parts_(make_parts(w, what, options)) {}

conveyor_base::conveyor_base(conveyor_base&& other) noexcept {
  take_over(other);
}

conveyor_base& conveyor_base::operator=(conveyor_base&& other) {
  if (this == &other) return *this;
  if (is_needed()) throw contract_error(fail_as("assigned over"));
  release_session();
  take_over(other);
  return *this;
}

void conveyor_base::take_over(conveyor_base& other) noexcept {
  take_session(other);
  lanes_ = other.lanes_;
  pes_ = std::exchange(other.pes_, 0);
  direct_pes_ = std::exchange(other.direct_pes_, 0);
  listed_pes_ = std::exchange(other.listed_pes_, 0);
  steps_ = other.steps_;
  read_ = std::exchange(other.read_, nullptr);
  read_limit_ = std::exchange(other.read_limit_, nullptr);
  row_limit_ = std::exchange(other.row_limit_, nullptr);
  origin_ = other.origin_;
  parts_ = std::move(other.parts_);
}

conveyor_base::~conveyor_base() {
  if (is_needed()) {
    lose_session(fail_as("destroyed"));
  } else {
    release_session();
  }
}

bool conveyor_base::is_needed() const {
  if (parts_ == nullptr || state() == conveyor_state::dormant) return false;
  return has_session() || state() != conveyor_state::complete;
}

std::string conveyor_base::fail_as(const char* what_happened) const {
  std::string text = std::string("a conveyor was ") + what_happened +
                     " in the middle of a session, while it was " + name_of(state()) +
                     ": end the session first (items may not have been delivered)";
  fail(text);
  return text;
}

void conveyor_base::fail(const std::string& text) const {
  substrate& world = inner().world();
  if (!world.has_ended()) world.fail("PE " + std::to_string(world.rank()) + ": " + text);
}

engine& conveyor_base::inner() const {
  if (parts_ == nullptr) throw contract_error("this conveyor has been moved from");
  return parts_->conveyor;
}

void conveyor_base::begin_session(std::size_t item_bytes) {
  engine& e = inner();
  const called_scope scope("begin of a conveyor");
  e.world().require_own_thread("begin of a conveyor");
  e.rules().require(operation::begin);
  if (parts_->tuned) parts_->build_as_wanted();
  e.begin(item_bytes);
  if (parts_->tuned) parts_->tuned->decisions().session_began();
  lanes_ = e.lanes();
  pes_ = static_cast<std::uint32_t>(e.world().size());
  steps_ = e.setting_out();
  listed_pes_ = steps_.list == nullptr ? 0 : pes_;
}

void conveyor_base::refuse_push(int pe) const {
  const engine& e = inner();
  e.rules().require(operation::push);
  throw argument_error("push to PE " + std::to_string(pe) + ": the world has " +
                       std::to_string(e.world().size()) + " PEs, numbered from 0");
}

bool conveyor_base::make_room(lane& l) {
  write_delayed();
  engine& e = parts_->conveyor;
  e.world().require_own_thread("push");
  if (e.make_room(static_cast<std::uint32_t>(&l - lanes_))) return true;
  ++e.counts.blocked;
  return false;
}

bool conveyor_base::next_buffer() {
  engine& e = inner();
  e.world().require_own_thread("pull");
  e.rules().require(operation::pull);
  if (!e.next_buffer()) {
    read_nothing();
    return false;
  }
  read_ = e.buffer().data;
  read_limit_ = read_ + e.buffer().bytes;
  row_limit_ = e.last_tag_bytes() == 0 ? read_limit_ : nullptr;
  origin_ = e.source_in_buffer();
  return true;
}

const std::byte* conveyor_base::aligned_copy(const std::byte* item, std::size_t bytes,
                                             std::size_t alignment) {
  std::vector<std::byte>& room = parts_->aligned;
  room.resize(bytes + alignment);
  const auto address = reinterpret_cast<std::uintptr_t>(room.data());
  std::byte* copy = room.data() + (alignment - address % alignment) % alignment;
  std::memcpy(copy, item, bytes);
  return copy;
}

advance_result conveyor_base::advance(bool done) {
  engine& e = inner();
  e.world().require_own_thread("advance");
  e.rules().require(operation::advance, done);
  if (done) pes_ = direct_pes_ = listed_pes_ = 0;  // every push from now on is refused
  write_delayed();
  return e.advance(done, static_cast<std::size_t>(read_limit_ - read_),
                   reinterpret_cast<std::uintptr_t>(read_));
}

void conveyor_base::wait_for_pull(std::uintptr_t activity) {
  inner().wait_for_pull(activity);
}

void conveyor_base::reset() {
  engine& e = inner();
  const called_scope scope("reset of a conveyor");
  e.world().require_own_thread("reset of a conveyor");
  e.rules().require(operation::reset);
  if (state() == conveyor_state::dormant) return;
  const statistics account = session_statistics();
  e.settle(account);
  stop_reading();
  read_nothing();
  if (parts_->tuned) {
    measured_session measured{.items = account.pushes, .ended_at = e.completed_at()};
    measured.add(account.hops);
    e.reset([&] { return parts_->tuned->decisions().session_ended(measured); });
  } else {
    e.reset();
  }
  write_delayed();
}

void conveyor_base::leave(bool quietly) {
  if (parts_ == nullptr || state() == conveyor_state::dormant) return;
  if (state() == conveyor_state::complete) {
    // An exception may occur on a single PE: other PEs might never call reset.
    if (!quietly) reset();
    return;
  }
  inner().abandon();
  if (!quietly) throw contract_error(inner().abandoned_text());
}

void conveyor_base::build_as(const conveyor_base& leader) {
  parts& p = *parts_;
  const configuration& its = leader.inner().chosen();
  const configuration mine = p.conveyor.chosen();
  const configuration next = as_of(mine, its);
  if (next.hops == mine.hops && next.local_group == mine.local_group &&
      next.buffer_bytes == mine.buffer_bytes) {
    return;
  }
  try {
    p.conveyor.rebuild(next);
  } catch (const system_error&) {
    p.conveyor.rebuild(mine);
  }
}

void conveyor_base::complete_now() {
  inner().complete_now();
}

void conveyor_base::require_free() const {
  inner().rules().require(operation::free);
}

void conveyor_base::set_codec(std::shared_ptr<codec> c) {
  engine& e = inner();
  const called_scope scope("set_codec");
  e.world().require_own_thread("set_codec");
  e.rules().require(operation::set_codec);
  e.set_codec(std::move(c));
}

conveyor_state conveyor_base::state() const {
  return inner().state();
}

statistics conveyor_base::total_statistics() const {
  statistics s = inner().earlier();
  return s += session_statistics();
}

std::size_t conveyor_base::buffer_bytes() const {
  return inner().chosen().buffer_bytes;
}

std::string conveyor_base::explain() const {
  const engine& e = inner();
  std::string text = detail::explain(e.world(), parts_->options, e.chosen());
  if (e.between_nodes() != nullptr) {
    text += "between nodes: compressed by the codec \"" + std::string(e.between_nodes()->name()) +
            "\", if it does not refuse\n";
  }
  if (parts_->tuned) text += parts_->tuned->decisions().explain();
  return text;
}

}  // namespace boxcar::detail
