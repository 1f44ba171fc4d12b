#include "schedule/network_part.hpp"

#include <algorithm>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/liveness/absence.hpp"
#include "substrate/substrate.hpp"
#include "trigger/numbers.hpp"

namespace boxcar::detail {
namespace {

// The boundary keeps numbers in shadows aligned.
constexpr std::size_t shadow_boundary = 16;

std::size_t shadow_bytes(const graph_vertex& v) {
  return (v.bytes() + shadow_boundary) / shadow_boundary * shadow_boundary;
}

bool is_on_boundary(std::span<const std::byte> numbers, number_type type) {
  return reinterpret_cast<std::uintptr_t>(numbers.data()) % bytes_of(type) == 0;
}

void combine_numbers(number_type type, arithmetic how, std::byte* into, const std::byte* from,
                     std::size_t bytes) {
  combine({type, how}, into, from, nullptr, bytes);
}

}  // namespace

network_part::network_part(substrate& world, const matched_schedule& what,
                           std::unique_ptr<deferred_work> work)
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

deferred_work::due network_part::when(std::size_t i) const {
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

}  // namespace boxcar::detail
