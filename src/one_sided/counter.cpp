// The handle `counter`, and the state of a counter (counter_state.hpp).
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <boxcar/counter.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "one_sided/counter_state.hpp"
#include "one_sided/invalid_request.hpp"
#include "one_sided/managed_by.hpp"
#include "one_sided/operation.hpp"
#include "substrate/agreement.hpp"

namespace boxcar {
namespace detail {
namespace {

constexpr std::size_t counter_bytes = 64;

enum counter_operation : std::uint32_t {
  add_number,  // `elements`
  ask_number   // for puts of PE `at`
};

std::string_view unit_of(counts what) {
  return what == counts::bytes ? "bytes" : "messages";
}

object_handle make_counter(const world& w, const counter_options& options) {
  const called_scope scope("making a counter");
  substrate& s = *w.substrate();
  s.require_own_thread("making a counter");
  agreement all;
  all.on("what", unit_of(options.what));
  all.on("managed", name_of(options.managed));
  rpc_engine& rpc = rpc_engine::of(s);
  return {w.substrate(), rpc.make(all, "counter", "a counter's", [&](std::uint64_t number) {
            return std::make_unique<counter_state>(s, rpc, number, options);
          })};
}

void require_count(const char* operation, std::int64_t n) {
  if (n >= 0) return;
  throw argument_error(std::string(operation) + ": the count is " + std::to_string(n) +
                       ", but counters are not negative; give at least 0");
}

}  // namespace

counter_state::counter_state(substrate& of, rpc_engine& rpc, std::uint64_t its_number,
                             const counter_options& options)
    : world(of),
      number(its_number),
      what(options.what),
      receiver_adds(options.managed != managed_by::sender),
      rpc_(rpc),
      memory_(of.share_object_memory(counter_bytes)),
      mine_(new(memory_->block(of.layout().local_rank(of.rank()))) word(0)) {
  if (!receiver_adds || of.layout().nodes() == 1) return;
  by_puts_ = of.make_put_counter(what == counts::bytes, [this](std::size_t bytes) {
    add_little(*mine_, worth(bytes), std::memory_order_seq_cst);  // as in add_here
    world.wake(world.rank());
  });
  if (by_puts_ != nullptr) numbers_ = std::make_unique<pe_table<known_number>>(of.size());
}

// (A progress thread may take the reply.)
counter_state::known_number counter_state::number_known_at(int pe) {
  const rpc_engine::lock l = rpc_.acquire_lock();
  return (*numbers_)[static_cast<std::uint32_t>(pe)];
}

std::uint64_t counter_state::number_at(int pe) {
  return numbers_ == nullptr ? 0 : number_known_at(pe).number;
}

bool counter_state::may_have_number_at(int pe) {
  if (numbers_ == nullptr) return false;
  const known_number n = number_known_at(pe);
  return !n.is_known || n.number != 0;
}

void counter_state::ask_number(int pe) {
  if (number_known_at(pe).is_known) return;
  rpc_.call(pe,
            request{.object = number,
                    .operation = counter_operation::ask_number,
                    .at = static_cast<std::uint64_t>(world.rank())},
            {}, [this, pe](std::span<const std::byte> reply) {
              require_reply(reply, sizeof(std::uint64_t));
              known_number& n = (*numbers_)[static_cast<std::uint32_t>(pe)];
              std::memcpy(&n.number, reply.data(), sizeof n.number);
              n.is_known = true;
            });
}

void counter_state::wait(std::int64_t at_least) {
  const called_scope scope("wait for a counter");
  // Pairs with the additions: data put before an addition are here.
  const auto is_there = [&] { return value() >= at_least; };
  if (!rpc_.sees(is_there)) {
    while (!is_there()) rpc_.idle();
  }
  rpc_.end_wait();
}

bool counter_state::test(std::int64_t at_least) {
  const called_scope scope("test of a counter", called_scope::kind::turn);
  return rpc_.test([&] { return value() >= at_least; });
}

void counter_state::add(int pe, std::int64_t n) {
  if (world.is_local(pe)) return add_here(pe, n);
  require_free(world, "add");
  const called_scope scope("add to a counter");
  rpc_.send(pe, request{.object = number, .elements = static_cast<std::uint64_t>(n)}, {});
}

void counter_state::add_here(int pe, std::int64_t n) {
  // Releases data put before; sequentially consistent because of `wake`.
  add_to(of_place(world.layout().local_rank(pe)), n, std::memory_order_seq_cst);
  world.wake(pe);
}

void counter_state::execute(const request& r, std::span<const std::byte> data, reply_room& reply) {
  if (r.operation == counter_operation::ask_number) {
    if (r.at >= static_cast<std::uint64_t>(world.size()))
      refuse_request("a counter", r, data.size());
    const std::uint64_t its =
        by_puts_ == nullptr ? 0 : by_puts_->number_for(static_cast<int>(r.at));
    std::memcpy(reply.room.data(), &its, sizeof its);
    reply.bytes = sizeof its;
    return;
  }
  if (r.operation != add_number || static_cast<std::int64_t>(r.elements) < 0) [[unlikely]]
    refuse_request("a counter", r, data.size());
  add_to(*mine_, static_cast<std::int64_t>(r.elements), std::memory_order_release);
}

// (A request brings a few KiB at most.)
void counter_state::count(std::size_t bytes) {
  add_little(*mine_, worth(bytes), std::memory_order_release);
}

void counter_state::add_much(word& counter, std::int64_t n) {
  std::int64_t before = counter.load(std::memory_order_relaxed);
  std::int64_t after = 0;
  do {
    after = before < 0 || before > largest - n ? largest : before + n;
  } while (!counter.compare_exchange_weak(before, after, std::memory_order_seq_cst,
                                          std::memory_order_relaxed));
}

counter_state& counter_access::state(const counter& c, const char* operation) {
  return state_of<counter_state>(c.handle_, operation, "counter");
}

}  // namespace detail

counter::counter(const world& w, const counter_options& options)
    : handle_(detail::make_counter(w, options)) {}

std::int64_t counter::value() const {
  detail::counter_state& s = detail::counter_access::state(*this, "value");
  detail::rpc_engine::serve(s.world);
  return s.value();
}

void counter::set(std::int64_t value) {
  detail::counter_state& s = detail::counter_access::state(*this, "set");
  detail::require_count("set", value);
  s.set(value);
}

void counter::wait(std::int64_t at_least) {
  detail::counter_state& s = detail::counter_access::state(*this, "wait");
  detail::require_count("wait", at_least);
  if (s.value() >= at_least) return;
  detail::require_free(s.world, "wait");
  s.wait(at_least);
}

bool counter::test(std::int64_t at_least) {
  detail::counter_state& s = detail::counter_access::state(*this, "test");
  detail::require_count("test", at_least);
  if (s.value() >= at_least) return true;
  detail::require_free(s.world, "test");
  return s.test(at_least);
}

void counter::add(int pe, std::int64_t n) {
  detail::counter_state& s = detail::counter_access::state(*this, "add");
  detail::require_count("add", n);
  s.world.require_pe("add", pe);
  s.add(pe, n);
}

counts counter::what() const {
  return detail::counter_access::state(*this, "what").what;
}

}  // namespace boxcar
