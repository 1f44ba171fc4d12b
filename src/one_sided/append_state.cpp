#include "one_sided/append_state.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include <boxcar/error.hpp>

#include "one_sided/client_memory.hpp"
#include "one_sided/invalid_request.hpp"

namespace boxcar::detail {
namespace {

enum append_operation : std::uint32_t {
  push_data,   // the data are `elements` elements; in round `stride`
  ask_room,    // for `elements` elements; in round `stride`
  write_data,  // to byte `at`; completes `elements` elements of a push
  ask_capacity
};

// The value marks a write before the end of a push.
constexpr std::uint64_t not_complete = ~std::uint64_t{0};

constexpr int count_bits = 48;
constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;
constexpr std::uint64_t count_in(std::uint64_t reserved) {
  return reserved & count_mask;
}
constexpr std::uint64_t round_in(std::uint64_t reserved) {
  return reserved >> count_bits;
}
constexpr std::uint64_t next_round(std::uint64_t reserved) {
  return (round_in(reserved) + 1) << count_bits;
}

}  // namespace

append_state::append_state(substrate& of, rpc_engine& rpc, std::uint64_t number,
                           const append_element& what, const object_memory& mine,
                           const append_options& options)
    : world(of),
      what_(what),
      number_(number),
      full_(options.full),
      receiver_finds_room_(options.managed != managed_by::sender),
      in_rounds_(options.in_rounds),
      aggregates_(options.aggregate),
      rpc_(rpc),
      memory_(mine.is_clients
                  ? of.share_memory(sizeof(block_head), false)
                  : of.share_object_memory(sizeof(block_head) + mine.elements * what.bytes)),
      my_place_(of.layout().local_rank(of.rank())) {
  static_assert(sizeof(block_head) % 64 == 0);
  new (memory_->block(my_place_)) block_head{};
  block(my_place_).capacity = mine.elements;
  block(my_place_).data = static_cast<std::byte*>(mine.data);
  if (mine.is_clients) find_memory(mine);
}

void append_state::find_memory(const object_memory& mine) {
  world.barrier();
  const auto here =
      static_cast<std::size_t>(world.layout().local_size(world.node_of(world.rank())));
  std::vector<std::byte*> addresses(here);
  std::vector<std::size_t> bytes(here);
  for (std::size_t place = 0; place < here; ++place) {
    const block_head& head = block(static_cast<int>(place));
    addresses[place] = head.data;
    bytes[place] = head.capacity * what_.bytes;
  }
  client_memory_ = find_client_memory(world, mine, addresses, bytes, "append buffer");
}

// --- Pushing ------------------------------------------------------------------------------------

append_state::grant append_state::reserve(block_head& b, std::size_t count,
                                          std::uint64_t wanted) const {
  // Pairs with the exchange of other pushes, and with the exchange of a reset: elements read by the
  // owner may be overwritten.
  std::uint64_t seen = b.reserved.load(std::memory_order_acquire);
  for (;;) {
    const std::uint64_t room = b.capacity - count_in(seen);
    grant g{count_in(seen), count, round_in(seen), b.capacity, 1};
    if (count > room) g.elements = full_ == when_full::truncate ? room : 0;
    const bool is_refused = count != 0 && count > room && g.elements == 0;
    if (is_refused || (wanted != 0 && wanted - 1 != g.round)) {
      b.refused.fetch_add(count, std::memory_order_relaxed);
      return {0, 0, g.round, b.capacity, 0};
    }
    if (b.reserved.compare_exchange_weak(seen, seen + g.elements, std::memory_order_acq_rel,
                                         std::memory_order_acquire)) {
      if (g.elements != count) b.refused.fetch_add(count - g.elements, std::memory_order_relaxed);
      return g;
    }
  }
}

void append_state::complete(block_head& b, std::size_t elements) {
  // Releases the data; pairs with the load in `messages`.
  b.messages.fetch_add(1, std::memory_order_release);
  // Releases the data and the message count; sequentially consistent because of `wake`.
  b.completed.fetch_add(elements, std::memory_order_seq_cst);
}

append_state::grant append_state::push_here(int place, const std::byte* elements, std::size_t count,
                                            std::uint64_t wanted) {
  block_head& b = block(place);
  const grant g = reserve(b, count, wanted);
  if (g.is_given == 0) return g;
  if (g.elements != 0) {
    std::memcpy(data_of(place) + g.at * what_.bytes, elements, g.elements * what_.bytes);
  }
  complete(b, g.elements);
  return g;
}

std::size_t append_state::push(const std::byte* elements, std::size_t count, int pe, bool waits) {
  if (world.is_local(pe)) {
    const grant g = push_here(world.layout().local_rank(pe), elements, count, wanted_round());
    world.wake(pe);
    return accepted(g, count, pe);
  }
  if (receiver_finds_room_ && count * what_.bytes <= request_data_bytes) {
    return push_at_once(elements, count, pe, waits);
  }
  return push_in_steps(elements, count, pe);
}

std::size_t append_state::push_at_once(const std::byte* elements, std::size_t count, int pe,
                                       bool waits) {
  const request r{
      .object = number_, .operation = push_data, .elements = count, .stride = wanted_round()};
  const std::span data(elements, count * what_.bytes);
  if (!waits) {
    rpc_.send(pe, r, data);
    return count;
  }
  grant g;
  rpc_.call_and_wait(pe, r, data, [&g](std::span<const std::byte> reply) {
    require_reply(reply, sizeof g);
    std::memcpy(&g, reply.data(), sizeof g);
  });
  return accepted(g, count, pe);
}

// Listing 1 of the paper: room first, then the data.
std::size_t append_state::push_in_steps(const std::byte* elements, std::size_t count, int pe) {
  grant g;
  rpc_.call_and_wait(
      pe,
      request{
          .object = number_, .operation = ask_room, .elements = count, .stride = wanted_round()},
      {}, [&g](std::span<const std::byte> reply) {
        require_reply(reply, sizeof g);
        std::memcpy(&g, reply.data(), sizeof g);
      });
  const std::size_t taken = accepted(g, count, pe);
  if (g.is_given == 0) return taken;
  std::span data(elements, taken * what_.bytes);
  std::uint64_t at = g.at * what_.bytes;
  do {
    const auto now = data.first(std::min(data.size(), request_data_bytes));
    data = data.subspan(now.size());
    rpc_.send(pe,
              request{.object = number_,
                      .operation = write_data,
                      .at = at,
                      .elements = data.empty() ? taken : not_complete},
              now);
    at += now.size();
  } while (!data.empty());
  return taken;
}

// Returns the number of elements that the grant accepts, or throws.
std::size_t append_state::accepted(const grant& g, std::size_t count, int pe) const {
  if (in_rounds_ && g.is_given == 0 && g.round != round()) {
    throw contract_error("push: the buffer of PE " + std::to_string(pe) + " has been reset " +
                         std::to_string(g.round) + " times, that of PE " +
                         std::to_string(world.rank()) + " " + std::to_string(round()) +
                         " times: let all PEs come together, by a barrier, between a reset and "
                         "the pushes before and after it");
  }
  if (g.is_given == 0 && count > g.capacity && full_ == when_full::refuse) {
    throw argument_error("push: " + std::to_string(count) +
                         " elements can never fit into the buffer of PE " + std::to_string(pe) +
                         ", which has room for " + std::to_string(g.capacity) +
                         ": push them in parts, or make the buffer with when_full::truncate");
  }
  return g.elements;
}

void append_state::abandoned() noexcept {
  const rpc_engine::lock l = rpc_.acquire_lock();
  if (client_memory_.empty()) return;
  std::byte*& mine = client_memory_[static_cast<std::size_t>(my_place_)];
  mine = placeholder_.replace(mine, capacity_here() * what_.bytes);
}

void append_state::execute(const request& r, std::span<const std::byte> data, reply_room& reply) {
  block_head& mine = block(my_place_);
  const auto answer = [&reply](const auto& value) {
    std::memcpy(reply.room.data(), &value, sizeof value);
    reply.bytes = sizeof value;
  };
  const auto require = [&](bool is_possible) {
    if (!is_possible) [[unlikely]]
      refuse_request("an append buffer", r, data.size());
  };
  const std::uint64_t all = mine.capacity * what_.bytes;
  switch (r.operation) {
    case push_data:
      require(r.elements <= message_bytes && r.elements * what_.bytes == data.size());
      return answer(push_here(my_place_, data.data(), r.elements, r.stride));
    case ask_room:
      require(r.elements <= count_mask);
      return answer(reserve(mine, r.elements, r.stride));
    case write_data:
      require(r.at <= all && data.size() <= all - r.at &&
              (r.elements == not_complete || r.elements <= mine.capacity));
      std::ranges::copy(data, this->data() + r.at);
      if (r.elements != not_complete) complete(mine, r.elements);
      return;
    default:
      require(r.operation == ask_capacity);
      return answer(mine.capacity);
  }
}

// --- This PE's buffer ---------------------------------------------------------------------------

std::size_t append_state::capacity(int pe) {
  if (world.is_local(pe)) return block(world.layout().local_rank(pe)).capacity;
  std::uint64_t capacity = 0;
  rpc_.call_and_wait(pe, request{.object = number_, .operation = ask_capacity}, {},
                     [&capacity](std::span<const std::byte> reply) {
                       require_reply(reply, sizeof capacity);
                       std::memcpy(&capacity, reply.data(), sizeof capacity);
                     });
  return capacity;
}

std::uint64_t append_state::round() const {
  return round_in(block(my_place_).reserved.load(std::memory_order_relaxed));
}
std::size_t append_state::reserved() const {
  return count_in(block(my_place_).reserved.load(std::memory_order_acquire));
}
std::size_t append_state::completed() const {
  // Pairs with `complete`: counted elements can be read.
  return block(my_place_).completed.load(std::memory_order_acquire) - completed_before_;
}
append_counts append_state::counts() const {
  const std::size_t complete = completed();
  return {complete, reserved()};
}
std::size_t append_state::messages() const {
  // Pairs with `complete`.
  return block(my_place_).messages.load(std::memory_order_acquire) - messages_before_;
}
std::size_t append_state::refused() const {
  return block(my_place_).refused.load(std::memory_order_relaxed) - refused_before_;
}

// Returns whether all elements are complete that were reserved at the moment of the counts.
bool append_state::is_at_rest() {
  const append_counts now = counts();
  if (now.completed != now.reserved) return false;
  readable_ = now.completed;
  return true;
}

std::size_t append_state::readable() {
  static_cast<void>(is_at_rest());
  return readable_;
}

template <typename Condition>
void append_state::wait_until(const Condition& is_there) {
  if (is_there()) return;
  if (aggregates_) {
    throw contract_error(
        "wait: the buffer aggregates, and the elements have not arrived: call finish on all PEs "
        "first, which delivers all pushed elements");
  }
  while (!is_there()) rpc_.idle();
  rpc_.end_wait();
}

void append_state::wait(std::size_t elements) {
  if (elements > capacity_here()) {
    throw argument_error("wait: " + std::to_string(elements) +
                         " elements can never arrive in a buffer with "
                         "room for " +
                         std::to_string(capacity_here()) + "; wait for at most that");
  }
  wait_until([&] { return readable() >= elements; });
}

void append_state::wait_messages(std::size_t count) {
  // A push counts as a message before its elements are complete: completeness is checked last.
  wait_until([&] { return messages() >= count && is_at_rest(); });
}

void append_state::reset() {
  block_head& mine = block(my_place_);
  const std::uint64_t complete = mine.completed.load(std::memory_order_acquire);
  const std::uint64_t messages = mine.messages.load(std::memory_order_relaxed);
  std::uint64_t seen = mine.reserved.load(std::memory_order_acquire);
  // Releases the data read by the PE: a later reservation may overwrite the data.
  if (count_in(seen) != complete - completed_before_ ||
      !mine.reserved.compare_exchange_strong(seen, next_round(seen), std::memory_order_acq_rel)) {
    throw contract_error("reset: a push is under way (" + std::to_string(count_in(seen)) +
                         " elements reserved, " + std::to_string(complete - completed_before_) +
                         " complete); wait, or call a barrier on all PEs first");
  }
  completed_before_ = complete;
  messages_before_ = messages;
  refused_before_ = mine.refused.load(std::memory_order_relaxed);
  readable_ = 0;
}

void append_state::note_written(std::size_t elements, std::size_t refused) {
  if (elements + refused == 0) return;
  block_head& mine = block(my_place_);
  mine.reserved.fetch_add(elements, std::memory_order_relaxed);
  mine.messages.fetch_add(elements, std::memory_order_relaxed);
  mine.completed.fetch_add(elements, std::memory_order_release);
  mine.refused.fetch_add(refused, std::memory_order_relaxed);
}

}  // namespace boxcar::detail
