#include "openshmem-c/member.hpp"

#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/agreement.hpp"
#include "substrate/environment.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"
#include "world/implicit_world.hpp"
#include "world/join.hpp"

namespace boxcar::openshmem_c {
namespace {

constexpr std::size_t usual_heap_bytes = std::size_t{64} << 20;
constexpr std::size_t alignment = 64;

// The OpenSHMEM member of this PE: the innermost member if the PE's worlds are nested.
member* of_this_pe() {
  return static_cast<member*>(detail::progress::pointer(detail::pe_pointer::openshmem_member));
}
void be_of_this_pe(member* m) {
  detail::progress::pointer(detail::pe_pointer::openshmem_member) = m;
}

std::string text(const void* address) {
  std::ostringstream s;
  s << address;
  return s.str();
}

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

detail::window_core make_heap(const world& w) {
  const std::size_t bytes = detail::symmetric_size_from_environment().value_or(usual_heap_bytes);
  detail::agreement all;
  all.on("size, SHMEM_SYMMETRIC_SIZE", bytes);
  all.require(*w.substrate(), "symmetric heap", "the symmetric heap's");
  constexpr detail::window_element single_bytes{1, alignment, detail::identity_of<std::byte>};
  return {w, single_bytes, {.elements = round_up(bytes)}};
}

}  // namespace

member::member(world& w, member* outer)
    : world_(w), outer_(outer), heap_(make_heap(w)), room_(heap_.mine().elements) {}

void member::begin() {
  world& w = detail::implicit_world();
  member* const outer = of_this_pe();
  if (outer != nullptr && &outer->world_ == &w) {
    throw contract_error("it has been called already: call it once, before all else");
  }
  auto* const begun = new member(w, outer);
  be_of_this_pe(begun);
  // A PE of `boxcar::run` may end without shmem_finalize. If a whole process is a PE, the member
  // ends with the process.
  if (detail::current_world() == nullptr) return;
  detail::at_end_of_run([begun] {
    if (of_this_pe() == begun) forget();
  });
}

void member::forget() {
  const std::unique_ptr<member> ended(of_this_pe());
  be_of_this_pe(ended->outer_);
}

void member::end() {
  member& here = member::here();
  // The PE has left the world if an atexit handler calls shmem_finalize.
  if (here.world_.substrate()->has_departed()) return;
  here.heap_.flush_all();
  here.world_.barrier();
  forget();
}

member& member::here() {
  member* const m = of_this_pe();
  if (m != nullptr && &m->world_ == &detail::implicit_world()) return *m;
  throw contract_error(
      "shmem_init has not been called by this PE, or shmem_finalize has: call this between the "
      "two");
}

void member::require_alike(const char* what, const void* block, std::size_t bytes) const {
  const bool is_none = block == nullptr && bytes == 0;
  detail::agreement all;
  std::size_t at = 0;
  try {
    if (!is_none) at = index_of(block, bytes, (std::string("the ") + what).c_str());
  } catch (const argument_error& e) {
    all.object(e.what());
  }
  all.on("size", bytes);
  all.on("place in symmetric memory", is_none ? ~std::size_t{0} : at);
  all.require(*world_.substrate(), what, std::string("the ") + what + "'s");
}

void* member::allocate(std::size_t bytes, bool zeroed) {
  detail::agreement all;
  all.on("size", bytes);
  all.require(*world_.substrate(), "symmetric memory", "symmetric memory's");
  if (bytes == 0 || bytes > room_.bytes()) return nullptr;
  const auto at = room_.take(round_up(bytes));
  if (!at) return nullptr;
  blocks_.emplace(*at, bytes);
  if (zeroed) {
    std::memset(base() + *at, 0, bytes);
    world_.barrier();  // other PEs may write to the block only after zeroing
  }
  return base() + *at;
}

void member::release(void* block) {
  // The flush and the agreement below complete all puts issued before `release` on any PE.
  heap_.flush_all();
  require_alike("memory", block, 0);
  if (block == nullptr) return;
  const std::size_t at = index_of(block, 0, "the memory");
  if (!blocks_.contains(at)) {
    throw argument_error("the memory, " + text(block) +
                         ", is not the beginning of a block: give what shmem_malloc has returned");
  }
  blocks_.erase(at);
  room_.give_back(at);
}

std::size_t member::index_of(const void* address, std::size_t bytes, const char* what) const {
  const auto at =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base());
  // The last block that begins at or before the address.
  auto block = blocks_.upper_bound(at);
  if (block != blocks_.begin()) {
    --block;
    const std::size_t into = at - block->first;
    if (into <= block->second && bytes <= block->second - into) return at;
  }
  throw argument_error(std::string(what) + ", " + std::to_string(bytes) + " bytes at " +
                       text(address) +
                       ", does not lie in one block of symmetric memory: give memory that "
                       "shmem_malloc has returned (variables are symmetric with a real OpenSHMEM "
                       "only)");
}

std::byte* member::counterpart(const void* address, int pe) const {
  const std::size_t at = index_of(address, 0, "the address");
  std::byte* const data = heap_.part_of(pe, "shmem_ptr").data;
  return data == nullptr ? nullptr : data + at;
}

}  // namespace boxcar::openshmem_c
