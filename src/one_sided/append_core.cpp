// The handle of an append buffer: each function checks its arguments, and calls append_state.
#include <limits>
#include <memory>
#include <string>

#include <boxcar/append_buffer.hpp>
#include <boxcar/detail/append_core.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "one_sided/append_state.hpp"
#include "one_sided/client_memory.hpp"
#include "one_sided/managed_by.hpp"
#include "one_sided/operation.hpp"
#include "substrate/agreement.hpp"

namespace boxcar::detail {
namespace {

object_handle make_buffer(const world& w, const append_element& what, const object_memory& mine,
                          const append_options& options) {
  constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max() - 4096;
  const called_scope scope("making an append buffer");
  substrate& s = *w.substrate();
  s.require_own_thread("making an append buffer");
  agreement all;
  const auto here = static_cast<std::size_t>(s.layout().local_size(s.node_of(s.rank())));
  if (options.in_rounds && options.aggregate) {
    all.object(
        "in_rounds and aggregate are given: what is aggregated belongs to no round; leave one out");
  }
  if (mine.elements > most_bytes / here / what.bytes) {
    all.object(std::to_string(mine.elements) + " elements of " + std::to_string(what.bytes) +
               " bytes are more than there is memory: give fewer");
  }
  check_client_memory(s, mine, all);
  all.on("element type", what.type.name);
  all.on("element size", what.bytes);
  all.on("memory", std::string_view(mine.is_clients ? "the program's own" : "allocated"));
  all.on("full", std::string_view(options.full == when_full::truncate ? "truncate" : "refuse"));
  all.on("managed", name_of(options.managed));
  all.on("in_rounds", options.in_rounds);
  all.on("aggregate", options.aggregate);
  rpc_engine& rpc = rpc_engine::of(s);
  const auto make = [&](std::uint64_t number) {
    return std::make_unique<append_state>(s, rpc, number, what, mine, options);
  };
  return {w.substrate(), rpc.make(all, "append buffer", "an append buffer's", make)};
}

}  // namespace

append_core::append_core(const world& w, const append_element& what, const object_memory& mine,
                         const append_options& options)
    : handle_(make_buffer(w, what, mine, options)) {}

append_state& append_core::state(const char* operation) const {
  return state_of<append_state>(handle_, operation, "append buffer");
}

append_state& append_core::served(const char* operation) const {
  append_state& s = state(operation);
  rpc_engine::serve(s.world);
  return s;
}

std::size_t append_core::push(const void* elements, std::size_t count, int pe) {
  append_state& s = state("push");
  const operation_on_pe scope(s.world, "push", pe);
  return s.push(static_cast<const std::byte*>(elements), count, pe, true);
}

void append_core::push_nbi(const void* elements, std::size_t count, int pe) {
  append_state& s = state("push_nbi");
  const operation_on_pe scope(s.world, "push_nbi", pe);
  s.push(static_cast<const std::byte*>(elements), count, pe, false);
}

void append_core::flush(int pe) {
  append_state& s = state("flush");
  const operation_on_pe scope(s.world, "flush", pe);
  if (!s.world.is_local(pe)) s.flush(pe);
}

void append_core::flush_all() {
  append_state& s = state("flush");
  const waiting_operation scope(s.world, "flush");
  s.flush_all();
}

void append_core::finish() {
  append_state& s = state("finish");
  const waiting_operation scope(s.world, "finish");
  s.flush_all();
  s.world.barrier();
}

bool append_core::has_left_world() const {
  return state("end").world.has_ended();
}

std::byte* append_core::data() const {
  return state("arrived").data();
}
std::shared_ptr<const void> append_core::memory() const {
  return state("arrived").memory();
}
std::size_t append_core::capacity(int pe) const {
  append_state& s = state("capacity");
  const operation_on_pe scope(s.world, "capacity", pe);
  return s.capacity(pe);
}
std::size_t append_core::capacity_here() const {
  return state("capacity").capacity_here();
}
std::size_t append_core::reserved() const {
  return served("reserved").reserved();
}
std::size_t append_core::completed() const {
  return served("completed").completed();
}
append_counts append_core::counts() const {
  return served("counts").counts();
}
std::size_t append_core::messages() const {
  return served("messages").messages();
}
std::size_t append_core::refused() const {
  return served("refused").refused();
}
std::size_t append_core::readable() const {
  return served("arrived").readable();
}

void append_core::wait(std::size_t elements) {
  append_state& s = state("wait");
  const called_scope scope("wait for elements");
  require_free(s.world, "wait");
  s.wait(elements);
}
void append_core::wait_messages(std::size_t count) {
  append_state& s = state("wait_messages");
  const called_scope scope("wait for messages");
  require_free(s.world, "wait_messages");
  s.wait_messages(count);
}
void append_core::reset() {
  state("reset").reset();
}
void append_core::note_written(std::size_t elements, std::size_t refused) {
  state("push").note_written(elements, refused);
}

}  // namespace boxcar::detail
