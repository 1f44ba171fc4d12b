// The handle `adapter`: each function checks its arguments, and calls adapter_state.
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "one_sided/operation.hpp"
#include "substrate/agreement.hpp"
#include "trigger/adapter_state.hpp"
#include "trigger/numbers.hpp"

namespace boxcar {
namespace detail {
namespace {

std::string text(std::size_t n) {
  return std::to_string(n);
}

void object_to(agreement& all, const adapter_limits& limits, const substrate& s) {
  constexpr std::size_t max_records = std::size_t{1} << 30;
  constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max() / 2;
  const auto here = static_cast<std::size_t>(s.layout().local_size(s.node_of(s.rank())));
  const auto limit = [&all](const char* name, std::size_t n) {
    if (n <= max_records) return;
    all.object("adapter_limits::" + std::string(name) + " is " + text(n) + "; give at most " +
               text(max_records));
  };
  limit("counters", limits.counters);
  limit("entries", limits.entries);
  limit("operations", limits.operations);
  if (limits.memory > most_bytes / here) {
    all.object("adapter_limits::memory, " + text(limits.memory) +
               " bytes, is more than there is: give less");
  }
}

object_handle make_adapter(const world& w, const adapter_limits& limits) {
  const called_scope scope("making an adapter");
  substrate& s = *w.substrate();
  s.require_own_thread("making an adapter");
  agreement all;
  object_to(all, limits, s);
  rpc_engine& rpc = rpc_engine::of(s);
  return {w.substrate(), rpc.make(all, "adapter", "an adapter's", [&](std::uint64_t number) {
            return std::make_unique<adapter_state>(s, rpc, number, limits);
          })};
}

// A reader makes records of the client's arguments, and refuses arguments that can never work.
class reader {
 public:
  reader(adapter_state& a, const char* operation) : a_(a), operation_(operation) {}

  [[nodiscard]] record_name operator()(const event_counter& c) const {
    if (c.owner == nullptr) refuse("needs a counter; make one by make_counter");
    const record_name name{c.index, c.generation};
    if (c.owner != &a_ || !a_.has_counter(name)) refuse_name("counter", c.owner);
    return name;
  }
  [[nodiscard]] record_name operator()(const match_entry& e) const {
    if (e.owner == nullptr) refuse("needs an entry; make one by make_entry");
    const record_name name{e.index, e.generation};
    if (e.owner != &a_ || !a_.has_entry(name)) refuse_name("entry", e.owner);
    return name;
  }
  [[nodiscard]] descriptor_record operator()(const memory_descriptor& d) const {
    if (d.counter.owner == nullptr && (d.counts_sends || d.counts_replies)) {
      refuse("something is to be counted, but by no counter; name one in the descriptor");
    }
    return {.at = at(d.memory),
            .bytes = d.memory.size(),
            .counter = if_any(d.counter),
            .counts_sends = d.counts_sends,
            .counts_replies = d.counts_replies,
            .what = d.what};
  }
  [[nodiscard]] entry_record operator()(const match_rules& r) const {
    if (r.source != any_pe) a_.world.require_pe(operation_, r.source);
    entry_record e;
    e.memory = {
        .at = at(r.memory), .bytes = r.memory.size(), .counter = if_any(r.counter), .what = r.what};
    e.bits = r.bits;
    e.ignored_bits = r.ignored_bits;
    e.least_room = r.least_room;
    e.source = r.source;
    e.use_once = r.use_once;
    e.allows_put = r.allows_put;
    e.allows_get = r.allows_get;
    e.manages_offset = r.manages_offset;
    e.truncates = r.truncates;
    return e;
  }

  [[nodiscard]] command operator()(const operation::put& o) const {
    command c = to(command_kind::put, o.to);
    c.from = (*this)(o.from);
    return c;
  }
  [[nodiscard]] command operator()(const operation::get& o) const {
    command c = to(command_kind::get, o.from);
    c.into = (*this)(o.into);
    return c;
  }
  [[nodiscard]] command operator()(const operation::atomic& o) const {
    command c = to(command_kind::atomic, o.to);
    c.from = (*this)(o.from);
    c.numbers = arithmetic_of(o.type, o.how, o.from);
    return c;
  }
  [[nodiscard]] command operator()(const operation::fetch_atomic& o) const {
    command c = to(command_kind::fetch_atomic, o.to);
    c.from = (*this)(o.from);
    c.into = (*this)(o.into);
    c.numbers = arithmetic_of(o.type, o.how, o.from);
    require_same_length(o.into, o.from);
    return c;
  }
  [[nodiscard]] command operator()(const operation::swap& o) const {
    command c = to(command_kind::swap, o.to);
    c.from = (*this)(o.from);
    c.into = (*this)(o.into);
    c.numbers = {.type = o.type, .when = o.rule, .operand = o.operand};
    require_numbers(o.type, o.from);
    require_same_length(o.into, o.from);
    if (o.rule != swap_rule::always && o.from.memory.size() != bytes_of(o.type)) {
      refuse("a swap with an operand is of one number of " + text(bytes_of(o.type)) +
             " bytes, but " + text(o.from.memory.size()) + " bytes are given");
    }
    if (o.rule == swap_rule::masked && !is_integer(o.type)) {
      refuse("bits are masked of integers; give an integer type");
    }
    return c;
  }
  [[nodiscard]] command operator()(const operation::increment& o) const {
    return {.kind = command_kind::increment, .object = (*this)(o.counter), .by = o.by};
  }
  [[nodiscard]] command operator()(const operation::set& o) const {
    return {.kind = command_kind::set, .object = (*this)(o.counter), .by = o.to};
  }
  [[nodiscard]] command operator()(const operation::append& o) const {
    return {.kind = command_kind::append, .object = (*this)(o.entry)};
  }
  [[nodiscard]] command operator()(const operation::unlink& o) const {
    return {.kind = command_kind::unlink, .object = (*this)(o.entry)};
  }

  [[nodiscard]] command operator()(const operation::copy& o) const {
    return within(command_kind::copy, o.from, o.into);
  }
  [[nodiscard]] command operator()(const operation::combine& o) const {
    command c = within(command_kind::combine, o.from, o.into);
    require_whole_numbers(o.type, o.from);
    require_possible(o.type, o.how);
    c.numbers = {.type = o.type, .how = o.how};
    return c;
  }

  [[nodiscard]] command operator()(const operation::call& o) const {
    if (o.function.owner == nullptr) refuse("needs a function; make one by make_function");
    if (o.function.owner != &a_) refuse("the function is of another adapter; use one of this");
    command c{.kind = command_kind::call, .is_away = true};
    c.bits = o.function.index;
    c.from.counter = if_any(o.counter);
    c.from.counts_sends = o.counter.owner != nullptr;
    return c;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw argument_error(std::string(operation_) + ": " + why);
  }
  [[noreturn]] void refuse_name(const char* kind, const void* owner) const {
    const std::string the = "the " + std::string(kind);
    if (owner != &a_) refuse(the + " is of another adapter; use one of this");
    refuse(the + " has been released; make another");
  }
  [[nodiscard]] record_name if_any(const event_counter& c) const {
    return c.owner == nullptr ? record_name{} : (*this)(c);
  }
  [[nodiscard]] std::uint64_t at(std::span<const std::byte> memory) const {
    if (const auto place = a_.place_of(memory)) return *place;
    refuse(text(memory.size()) +
           " bytes are given that are not the adapter's: PEs that are processes cannot reach "
           "them; use a part of adapter::memory, or of a window that it includes");
  }
  [[nodiscard]] command within(command_kind kind, const memory_descriptor& from,
                               std::span<const std::byte> into) const {
    if (from.memory.size() != into.size()) {
      refuse(text(from.memory.size()) + " bytes are given to go into " + text(into.size()) +
             "; give as many");
    }
    command c{.kind = kind};
    c.from = (*this)(from);
    c.into = {.at = at(into), .bytes = into.size()};
    return c;
  }
  [[nodiscard]] command to(command_kind kind, const match_target& target) const {
    a_.world.require_pe(operation_, target.pe);
    return {.kind = kind,
            .is_away = !a_.world.is_local(target.pe),
            .pe = target.pe,
            .bits = target.bits,
            .offset = target.offset};
  }
  void require_numbers(number_type type, const memory_descriptor& d) const {
    if (d.memory.size() > adapter::most_atomic_bytes) {
      refuse("operations on numbers take at most " + text(adapter::most_atomic_bytes) +
             " bytes, not " + text(d.memory.size()) + "; use several");
    }
    require_whole_numbers(type, d);
  }
  void require_whole_numbers(number_type type, const memory_descriptor& d) const {
    if (d.memory.size() % bytes_of(type) == 0) return;
    refuse(text(d.memory.size()) + " bytes are no numbers of " + text(bytes_of(type)) +
           " bytes each");
  }
  void require_possible(number_type type, arithmetic how) const {
    if (can_combine(type, how)) return;
    refuse("operations on bits are for integers; give an integer type");
  }
  void require_same_length(const memory_descriptor& into, const memory_descriptor& from) const {
    if (into.memory.size() == from.memory.size()) return;
    refuse(text(from.memory.size()) +
           " bytes are sent, and as many come back, but there is room "
           "for " +
           text(into.memory.size()) + "; give as many");
  }
  [[nodiscard]] number_rule arithmetic_of(number_type type, arithmetic how,
                                          const memory_descriptor& d) const {
    require_numbers(type, d);
    require_possible(type, how);
    return {.type = type, .how = how};
  }

  adapter_state& a_;
  const char* operation_;
};

}  // namespace

command adapter_state::read(const boxcar::operation::any& what, const char* operation) {
  return std::visit(reader(*this, operation), what);
}
record_name adapter_state::read(const event_counter& counter, const char* operation) {
  return reader(*this, operation)(counter);
}

adapter adapter_state::add(const boxcar::world& w, const adapter_limits& limits) {
  substrate& s = *w.substrate();
  rpc_engine& rpc = rpc_engine::of(s);
  return adapter(object_handle(w.substrate(), rpc.add([&](std::uint64_t number) {
    return std::make_unique<adapter_state>(s, rpc, number, limits);
  })));
}

}  // namespace detail

adapter::adapter(const world& w, const adapter_limits& limits)
    : adapter(detail::make_adapter(w, limits)) {}

adapter::adapter(detail::object_handle handle) : handle_(std::move(handle)) {}

detail::adapter_state& adapter::state(const char* operation) const {
  auto& s = detail::state_of<detail::adapter_state>(handle_, operation, "adapter");
  s.world.require_own_thread(operation);
  return s;
}

std::span<std::byte> adapter::memory() const {
  return state("memory").memory();
}
bool adapter::reaches(std::span<const std::byte> some) const {
  return state("reaches").place_of(some).has_value();
}
void adapter::include_parts(const included_window& w,
                            const std::function<std::span<std::byte>(int pe)>& part_of) {
  detail::adapter_state& s = state("include");
  const detail::waiting_operation scope(s.world, "include");
  detail::agreement all;
  if (w.world != s.world.identity()) {
    all.object("the window is one of another world; include one of the adapter's");
  }
  // Places in a window are found by the order in which windows are included.
  all.on("window, by the order of making", w.number);
  s.agree(all, "include");
  const int node = s.world.node_of(s.world.rank());
  std::vector<std::span<std::byte>> parts;
  for (int place = 0; place < s.world.layout().local_size(node); ++place) {
    parts.push_back(part_of(s.world.layout().pe_at(node, place)));
  }
  s.include(std::move(parts), w.is_of_program);
}
const adapter_limits& adapter::limits() const {
  return state("limits").limits;
}

event_counter adapter::make_counter() {
  return state("make_counter").make_counter();
}
void adapter::release(event_counter c) {
  detail::adapter_state& s = state("release");
  s.release(detail::reader(s, "release")(c));
}
event_counts adapter::value(event_counter c) const {
  detail::adapter_state& s = state("value");
  const auto name = detail::reader(s, "value")(c);
  detail::rpc_engine::serve(s.world);
  return s.value(name);
}
event_counts adapter::wait(event_counter c, std::uint64_t successes) {
  detail::adapter_state& s = state("wait");
  const detail::called_scope scope("wait for a counter of an adapter");
  const auto name = detail::reader(s, "wait")(c);
  detail::require_free(s.world, "wait");
  return s.wait(name, successes);
}
bool adapter::test(event_counter c, std::uint64_t successes) {
  detail::adapter_state& s = state("test");
  const detail::called_scope scope("test of a counter of an adapter",
                                   detail::called_scope::kind::turn);
  const auto name = detail::reader(s, "test")(c);
  detail::require_free(s.world, "test");
  return s.test(name, successes);
}
std::size_t adapter::cancel(event_counter c) {
  detail::adapter_state& s = state("cancel");
  return s.cancel(detail::reader(s, "cancel")(c));
}

match_entry adapter::make_entry(const match_rules& rules) {
  detail::adapter_state& s = state("make_entry");
  return s.make_entry(detail::reader(s, "make_entry")(rules));
}
void adapter::release(match_entry e) {
  detail::adapter_state& s = state("release");
  const auto name = detail::reader(s, "release")(e);
  const detail::waiting_operation scope(s.world, "release");
  s.release_entry(name);
}
bool adapter::is_linked(match_entry e) const {
  detail::adapter_state& s = state("is_linked");
  return s.entry(detail::reader(s, "is_linked")(e)).is_linked;
}
std::size_t adapter::used(match_entry e) const {
  detail::adapter_state& s = state("used");
  return s.entry(detail::reader(s, "used")(e)).used;
}

event_function adapter::make_function(std::function<void()> f) {
  detail::adapter_state& s = state("make_function");
  detail::require_free(s.world, "make_function");
  if (f == nullptr) throw argument_error("make_function: there is no function; give one");
  return s.make_function(std::move(f));
}

void adapter::perform(const operation::any& what) {
  detail::adapter_state& s = state("perform");
  const detail::waiting_operation scope(s.world, "perform");
  s.perform(std::visit(detail::reader(s, "perform"), what));
}
void adapter::when(event_counter c, std::uint64_t threshold, const operation::any& what) {
  detail::adapter_state& s = state("when");
  const detail::waiting_operation scope(s.world, "when");
  const detail::reader read(s, "when");
  const auto counter = read(c);
  s.when(counter, threshold, std::visit(read, what));
}

adapter_statistics adapter::statistics() const {
  return state("statistics").statistics();
}

}  // namespace boxcar
