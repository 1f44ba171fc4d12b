// The handle of a window: each function checks its arguments, and calls window_state.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include <boxcar/counter.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/window_core.hpp>
#include <boxcar/error.hpp>

#include "one_sided/counter_state.hpp"
#include "one_sided/operation.hpp"
#include "one_sided/window_state.hpp"
#include "substrate/agreement.hpp"

namespace boxcar::detail {
namespace {

const char* name_of(const window_core::change& c) {
  switch (c.what) {
    case atomic_operation::load:
      return "load";
    case atomic_operation::store:
      return "store";
    case atomic_operation::add:
      return c.before == nullptr ? "add" : "fetch_add";
    case atomic_operation::fetch_or:
      return "fetch_or";
    case atomic_operation::swap:
      return "swap";
    case atomic_operation::compare_swap:
      return "compare_swap";
    case atomic_operation::fetch_and:
      return "fetch_and";
    case atomic_operation::fetch_xor:
      return "fetch_xor";
  }
  return "an atomic operation";
}

counter_state& counter_of_world(const counter& c, const substrate& world) {
  counter_state& s = counter_access::state(c, "put");
  if (&s.world == &world) return s;
  throw argument_error(
      "put: the counter belongs to another world than the window; make both for the same");
}

object_handle make_window(const world& w, const window_element& what, const object_memory& mine) {
  const called_scope scope("making a window");
  substrate& s = *w.substrate();
  s.require_own_thread("making a window");
  rpc_engine& rpc = rpc_engine::of(s);
  agreement all;
  window_state::agree(s, what, mine, all);
  // All PEs have as many elements if the largest number is the complement of the largest
  // complement.
  std::array<std::uint64_t, 2> sizes{mine.elements, ~std::uint64_t{mine.elements}};
  const auto make = [&](std::uint64_t number) {
    return std::make_unique<window_state>(s, rpc, number, what, mine, sizes[0] == ~sizes[1]);
  };
  return {w.substrate(), rpc.make(all, "window", "a window's", make, sizes)};
}

}  // namespace

window_core::window_core(const world& w, const window_element& what, const object_memory& mine)
    : handle_(make_window(w, what, mine)),
      peers_(*w.substrate()),
      parts_(state("making a window").parts().data()) {}

window_core::window_core(window_core&& other) noexcept
    : handle_(std::move(other.handle_)),
      peers_(std::exchange(other.peers_, {})),
      parts_(std::exchange(other.parts_, nullptr)) {}

window_core& window_core::operator=(window_core&& other) noexcept {
  handle_ = std::move(other.handle_);
  peers_ = std::exchange(other.peers_, {});
  parts_ = std::exchange(other.parts_, nullptr);
  return *this;
}

window_state& window_core::state(const char* operation) const {
  return state_of<window_state>(handle_, operation, "window");
}

window_part window_core::mine() const {
  return state("local").mine();
}

window_part window_core::part_of(int pe, const char* operation) const {
  window_state& s = state(operation);
  s.world.require_pe(operation, pe);
  return s.is_here(pe) ? s.part_here(pe) : window_part{};
}

std::size_t window_core::size(int pe) const {
  window_state& s = state("size");
  const called_scope scope("size");
  s.world.require_pe("size", pe);
  return s.size(pe);
}

std::shared_ptr<const void> window_core::memory() const {
  return state("local").memory();
}

void window_core::put(const window_range& there, const void* from, std::size_t stride,
                      const counter* counting) {
  window_state& s = state("put");
  const operation_on_pe scope(s.world, "put", there.pe);
  counter_state* counter = nullptr;
  if (counting != nullptr) counter = &counter_of_world(*counting, s.world);
  s.check("put", there, stride);
  s.put(there, static_cast<const std::byte*>(from), stride, counter);
}

std::uint64_t window_core::world_identity() const {
  return state("include").world.identity();
}

std::uint64_t window_core::number() const {
  return state("include").number();
}

bool window_core::is_of_program() const {
  return state("include").is_of_program();
}

void window_core::require_same_world(const counter& c) const {
  counter_of_world(c, state("put").world);
}

void window_core::count(const counter& c, int pe, std::size_t bytes) const {
  counter_state& s = counter_access::state(c, "put");
  s.add_here(pe, s.worth(bytes));
}

std::byte* window_core::own_element(std::size_t index) const {
  window_state& s = state("wait_until");
  s.check("wait_until", {s.world.rank(), index, 1}, 1);
  return s.element(index);
}

void window_core::wait_longer(const std::function<bool()>& is_there) const {
  window_state& s = state("wait_until");
  const waiting_operation scope(s.world, "wait_until");
  s.wait(is_there);
}

void window_core::get(const window_range& there, void* into, std::size_t stride, bool waits) {
  window_state& s = state("get");
  const operation_on_pe scope(s.world, "get", there.pe);
  s.check("get", there, stride);
  s.get(there, static_cast<std::byte*>(into), stride, waits);
}

void window_core::update(int pe, std::size_t index, const change& c) {
  const char* const name = name_of(c);
  window_state& s = state(name);
  const operation_on_pe scope(s.world, name, pe);
  s.check(name, {pe, index, 1}, 1);
  s.update(pe, index * s.element_bytes(), s.element_bytes(), c);
}

void window_core::update_word(int pe, std::size_t index, std::size_t bytes, const change& c) {
  const char* const name = name_of(c);
  window_state& s = state(name);
  const operation_on_pe scope(s.world, name, pe);
  s.check(name, {pe, index, bytes}, 1);
  s.update(pe, index, bytes, c);
}

void window_core::fence() {
  state("fence").fence();
  std::atomic_thread_fence(std::memory_order_release);
}

void window_core::flush(int pe) {
  window_state& s = state("flush");
  const operation_on_pe scope(s.world, "flush", pe);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!s.is_here(pe)) s.flush(pe);
}

void window_core::flush_all() {
  window_state& s = state("flush");
  const waiting_operation scope(s.world, "flush");
  std::atomic_thread_fence(std::memory_order_seq_cst);
  s.flush_all();
}

}  // namespace boxcar::detail
