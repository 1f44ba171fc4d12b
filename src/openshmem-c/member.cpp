#include "openshmem-c/member.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "one_sided/rpc_engine.hpp"
#include "openshmem-c/thread_sharing.hpp"
#include "substrate/agreement.hpp"
#include "substrate/environment.hpp"
#include "substrate/largest.hpp"
#include "substrate/progress.hpp"
#include "substrate/progress_preference.hpp"
#include "substrate/substrate.hpp"
#include "world/implicit_world.hpp"
#include "world/join.hpp"

namespace boxcar::openshmem_c {
namespace {

constexpr std::size_t usual_heap_bytes = std::size_t{64} << 20;
constexpr std::size_t usual_alignment = 64;
constexpr std::size_t page_alignment = 4096;

// Returns the OpenSHMEM member of the PE: the innermost member if the PE's worlds are nested.
member* of_this_pe() {
  return static_cast<member*>(detail::progress::pointer(detail::pe_pointer::openshmem_member));
}
void be_of_this_pe(member* m) {
  detail::progress::pointer(detail::pe_pointer::openshmem_member) = m;
}
// The world in which the PE has ended its use of OpenSHMEM; nullptr before.
void*& ended_in() {
  return detail::progress::pointer(detail::pe_pointer::openshmem_ended);
}

std::string text(const void* address) {
  std::ostringstream s;
  s << address;
  return s.str();
}

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + usual_alignment - 1) / usual_alignment * usual_alignment;
}

detail::window_core make_heap(const world& w) {
  const std::size_t bytes = detail::symmetric_size_from_environment().value_or(usual_heap_bytes);
  detail::agreement all;
  all.on("size, SHMEM_SYMMETRIC_SIZE", bytes);
  all.require(*w.substrate(), "symmetric heap", "the symmetric heap's");
  constexpr detail::window_element single_bytes{1, usual_alignment, detail::identity_of<std::byte>};
  // The parts of a node follow one another, each with a header of 64 bytes: if a part takes whole
  // pages, all parts begin alike.
  const std::size_t whole = round_up(bytes) + round_up(sizeof(team_memory)) + usual_alignment;
  const std::size_t pages = (whole + page_alignment - 1) / page_alignment;
  return {w, single_bytes, {.elements = pages * page_alignment - usual_alignment}};
}

// Returns the PEs that share memory with the PE, if evenly spaced; otherwise the PE alone.
active_set sharing_pes(const world& w) {
  const auto& layout = w.substrate()->layout();
  const int node = w.node();
  const int first = layout.pe_at(node, 0);
  const int size = w.local_size();
  const active_set all{first, size > 1 ? layout.pe_at(node, 1) - first : 1, size};
  for (int i = 0; i < size; ++i) {
    if (layout.pe_at(node, i) != all.pe(i)) return {w.rank(), 1, 1};
  }
  return all;
}

constexpr unsigned heap_bit = 1;
constexpr unsigned variables_bit = 2;

}  // namespace

member::member(world& w, member* outer)
    : world_(w),
      outer_(outer),
      variables_(w),
      heap_(make_heap(w)),
      room_(heap_.mine().elements - round_up(sizeof(team_memory))),
      teams_(all_pes(), sharing_pes(w)) {
  blocks_.emplace(room_.bytes(), block{sizeof(team_memory), room_.bytes(), sizeof(team_memory)});
  find_alignment();
}

void member::find_alignment() {
  misalignment_ = reinterpret_cast<std::uintptr_t>(base()) % page_alignment;
  const auto all =
      detail::largest<2>(*world_.substrate(), {misalignment_, ~std::uint64_t{misalignment_}});
  max_alignment_ = all[0] == ~all[1] ? page_alignment : usual_alignment;
}

team_memory& member::own_team_memory() const {
  return *reinterpret_cast<team_memory*>(base() + room_.bytes());
}

void member::begin() {
  // OpenSHMEM promises that puts and gets make progress while the target computes.
  const detail::progress_preference serve_while_computing;
  world& w = detail::implicit_world();
  member* const outer = of_this_pe();
  if (is_here()) {
    throw contract_error("it has been called already: call it once, before all else");
  }
  auto* const begun = new member(w, outer);
  be_of_this_pe(begun);
  ended_in() = nullptr;
  // A PE of `boxcar::run` may end without shmem_finalize. If a whole process is a PE, the member
  // ends with the process.
  if (detail::current_world() == nullptr) return;
  detail::at_end_of_run([begun] {
    const thread_sharing::turn turn;
    if (of_this_pe() == begun) forget();
    ended_in() = nullptr;
    thread_sharing::end();
  });
}

void member::forget() {
  const std::unique_ptr<member> ended(of_this_pe());
  be_of_this_pe(ended->outer_);
}

void member::end() {
  member& here = member::here();
  here.quiet();
  here.world_.barrier();
  world& w = here.world_;
  forget();
  ended_in() = &w;
  thread_sharing::end();
}

bool member::is_here() {
  member* const m = of_this_pe();
  return m != nullptr && &m->world_ == &detail::implicit_world();
}

bool member::has_ended() {
  return ended_in() != nullptr && ended_in() == &detail::implicit_world();
}

member& member::here() {
  member* const m = of_this_pe();
  if (m != nullptr && &m->world_ == &detail::implicit_world()) return *m;
  throw contract_error(
      "shmem_init has not been called by this PE, or shmem_finalize has: call this between the "
      "two");
}

void member::set_thread_level(int level) {
  detail::substrate& world = *world_.substrate();
  detail::agreement all;
  if (level < SHMEM_THREAD_SINGLE || level > SHMEM_THREAD_MULTIPLE) {
    all.object("there is no level of threads " + std::to_string(level));
  }
  all.on("level", level);
  all.require(world, "threads", "threads'");
  const bool has_process = !world.is_one_process() || detail::current_world() == nullptr;
  thread_level_ = has_process ? level : std::min(level, SHMEM_THREAD_FUNNELED);
  if (thread_level_ >= SHMEM_THREAD_SERIALIZED) thread_sharing::begin();
}

void member::require_alike(const char* what, const void* memory, std::size_t bytes) const {
  const bool is_none = memory == nullptr && bytes == 0;
  detail::agreement all;
  std::size_t at = 0;
  bool is_variable = false;
  if (const auto in_heap = index_in_heap(memory, bytes)) {
    at = *in_heap;
  } else if (const auto offset = variables_.offset_of(memory, bytes)) {
    at = *offset;
    is_variable = true;
  } else if (!is_none) {
    try {
      refuse(memory, bytes, (std::string("the ") + what).c_str());
    } catch (const argument_error& e) {
      all.object(e.what());
    }
  }
  all.on("size", bytes);
  all.on("place in symmetric memory", is_none ? ~std::size_t{0} : at);
  all.on("kind of memory", std::string_view(is_variable ? "a variable" : "the symmetric heap"));
  all.require(*world_.substrate(), what, std::string("the ") + what + "'s");
}

void* member::allocate(std::size_t bytes, std::size_t alignment, bool zeroed) {
  detail::agreement all;
  all.on("size", bytes);
  all.on("alignment", alignment);
  all.require(*world_.substrate(), "symmetric memory", "symmetric memory's");
  if (bytes == 0) return nullptr;
  if (alignment > max_alignment_) {
    report_no_block(bytes, "the largest alignment is " + std::to_string(max_alignment_) +
                               " bytes, and " + std::to_string(alignment) + " are asked for");
    return nullptr;
  }
  const std::size_t extra = alignment > usual_alignment ? alignment : 0;
  const std::size_t taken = round_up(bytes) + extra;
  const auto at = bytes > room_.bytes() ? std::nullopt : room_.take(taken);
  if (!at) {
    report_no_block(bytes, "the symmetric heap of " + std::to_string(room_.bytes()) +
                               " bytes has no room: set SHMEM_SYMMETRIC_SIZE to more");
    return nullptr;
  }
  const std::size_t begin = *at + (0 - (misalignment_ + *at)) % std::max(alignment, std::size_t{1});
  blocks_.emplace(begin, block{bytes, *at, *at + taken - begin});
  if (zeroed) {
    std::memset(base() + begin, 0, bytes);
    world_.barrier();  // remote PEs may write to the block only after zeroing
  }
  return base() + begin;
}

void member::report_no_block(std::size_t bytes, const std::string& why) const {
  if (world_.rank() != 0) return;
  std::fprintf(stderr, "boxcar: no symmetric memory of %zu bytes: %s\n", bytes, why.c_str());
}

void* member::reallocate(void* old, std::size_t bytes) {
  if (old == nullptr) return allocate(bytes, usual_alignment, false);
  quiet();
  require_alike("memory", old, 0);
  const auto at = index_in_heap(old, 0);
  const auto its = at ? blocks_.find(*at) : blocks_.end();
  if (its != blocks_.end() && bytes != 0 && bytes <= its->second.room) {
    detail::agreement all;
    all.on("size", bytes);
    all.require(*world_.substrate(), "symmetric memory", "symmetric memory's");
    its->second.bytes = bytes;
    return old;
  }
  void* const made = its == blocks_.end() ? nullptr : allocate(bytes, usual_alignment, false);
  if (made != nullptr) std::memcpy(made, old, std::min(bytes, its->second.bytes));
  if (made != nullptr || bytes == 0 || its == blocks_.end()) release(old);
  return made;
}

void member::release(void* memory) {
  // The flush and the agreement below complete all puts issued before `release` on any PE.
  quiet();
  require_alike("memory", memory, 0);
  if (memory == nullptr) return;
  const auto at = index_in_heap(memory, 0);
  const auto its = at ? blocks_.find(*at) : blocks_.end();
  if (its == blocks_.end()) {
    throw argument_error("the memory, " + text(memory) +
                         ", is not the beginning of a block: give what shmem_malloc has returned");
  }
  room_.give_back(its->second.taken_at);
  blocks_.erase(its);
}

std::optional<std::size_t> member::index_in_heap(const void* address, std::size_t bytes) const {
  const auto at =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base());
  // The last block that begins at or before the address.
  auto its = blocks_.upper_bound(at);
  if (its == blocks_.begin()) return std::nullopt;
  --its;
  const std::size_t into = at - its->first;
  const std::size_t size = its->second.bytes;
  if (into <= size && bytes <= size - into) return at;
  return std::nullopt;
}

void member::refuse(const void* address, std::size_t bytes, const char* what) const {
  const bool is_variable = variables_.has(address) && !variables_.why_not().empty();
  throw argument_error(
      std::string(what) + ", " + std::to_string(bytes) + " bytes at " + text(address) +
      (is_variable
           ? ", is a variable of the program, and no symmetric memory: " + variables_.why_not()
           : ", does not lie in one block of symmetric memory: give "
             "memory that shmem_malloc has returned, or a variable with "
             "static storage of the program"));
}

member::place member::locate(const void* address, std::size_t bytes, const char* what) {
  if (const auto at = index_in_heap(address, bytes)) return {&heap_, *at};
  if (const auto at = variables_.offset_of(address, bytes)) return {variables_.window(), *at};
  refuse(address, bytes, what);
}

member::place member::target(const void* address, std::size_t bytes, const char* what) {
  const place found = locate(address, bytes, what);
  if (world_.nodes() == 1) return found;
  // A fence of the heap does not order operations on variables, nor the other way round.
  const unsigned bit = found.window == &heap_ ? heap_bit : variables_bit;
  if ((fenced_ & ~bit) != 0) quiet();
  used_ |= bit;
  return found;
}

bool member::is_symmetric(const void* address) const {
  return index_in_heap(address, 0) || variables_.offset_of(address, 0);
}

std::byte* member::counterpart(const void* address, int pe) const {
  if (const auto at = index_in_heap(address, 0)) {
    std::byte* const data = heap_.part_of(pe, "shmem_ptr").data;
    return data == nullptr ? nullptr : data + *at;
  }
  world_.substrate()->require_pe("shmem_ptr", pe);
  if (const auto at = variables_.offset_of(address, 0)) return variables_.counterpart(*at, pe);
  refuse(address, 0, "the address");
}

void member::fence() {
  heap_.fence();
  fenced_ |= used_;
}

void member::quiet() {
  heap_.flush_all();
  if (auto* const variables = variables_.window()) variables->flush_all();
  used_ = fenced_ = 0;
}

void member::wait(const std::function<bool()>& condition) {
  if (!thread_sharing::is_on()) return heap_.wait(condition);
  while (!condition()) {
    serve();
    thread_sharing::let_others();
    world_.substrate()->pause_briefly();
  }
}

void member::serve() {
  detail::substrate& world = *world_.substrate();
  world.check_failure();
  if (world_.nodes() > 1) detail::rpc_engine::serve(world);
}

}  // namespace boxcar::openshmem_c
