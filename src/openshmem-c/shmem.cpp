// The functions behind the functions of shmem.h.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <boxcar/detail/atomics.hpp>
#include <boxcar/error.hpp>
#include <boxcar/openshmem-c/shmem.h>

#include "one_sided/rpc_engine.hpp"
#include "openshmem-c/call.hpp"
#include "openshmem-c/member.hpp"

using boxcar::argument_error;
using boxcar::detail::atomic_operation;
using boxcar::openshmem_c::in_call;
using boxcar::openshmem_c::member;

namespace {

constexpr std::size_t largest_word = 8;

// Programs poll memory written by other PEs, with gets and atomic operations: between these calls
// the PE serves requests of other PEs.
member& serving_member() {
  member& here = member::here();
  if (here.all().nodes() > 1) boxcar::detail::rpc_engine::serve(*here.all().substrate());
  return here;
}

bool is_word(std::size_t index, std::size_t bytes) {
  return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == largest_word) && index % bytes == 0;
}

std::size_t word_at(const member& here, const void* address, std::size_t bytes) {
  const std::size_t index = here.index_of(address, bytes, "the variable");
  if (is_word(index, bytes)) return index;
  throw argument_error("the variable does not lie on a boundary of " + std::to_string(bytes) +
                       " bytes, its size");
}

atomic_operation operation_of(boxcar_shmem_update how) {
  switch (how) {
    case boxcar_shmem_fetch:
      return atomic_operation::load;
    case boxcar_shmem_set:
      return atomic_operation::store;
    case boxcar_shmem_add:
      return atomic_operation::add;
    case boxcar_shmem_swap:
      return atomic_operation::swap;
    case boxcar_shmem_compare_swap:
      return atomic_operation::compare_swap;
  }
  throw argument_error("there is no such atomic operation");
}

// A copy of a word, readable as any type of the word's size.
struct alignas(largest_word) word_copy {
  std::array<std::byte, largest_word> bytes{};
};
word_copy snapshot(const void* word, std::size_t bytes) {
  word_copy copy;
  const auto take = [&]<typename T>(T) {
    const T now = boxcar::detail::atomic_load(*static_cast<const T*>(word));
    std::memcpy(copy.bytes.data(), &now, sizeof now);
  };
  if (bytes == sizeof(std::uint32_t)) {
    take(std::uint32_t{});
  } else {
    take(std::uint64_t{});
  }
  return copy;
}

}  // namespace

void boxcar_shmem_init(const char* function) {
  in_call(function, [] { member::begin(); });
}

void boxcar_shmem_finalize(const char* function) {
  in_call(function, [] { member::end(); });
}

int boxcar_shmem_my_pe(const char* function) {
  return in_call(function, [] { return member::here().all().rank(); });
}

int boxcar_shmem_n_pes(const char* function) {
  return in_call(function, [] { return member::here().all().size(); });
}

void* boxcar_shmem_ptr(const void* address, int of, const char* function) {
  return in_call(function, [&]() -> void* { return member::here().counterpart(address, of); });
}

void* boxcar_shmem_allocate(std::size_t bytes, int zeroed, const char* function) {
  return in_call(function, [&] { return member::here().allocate(bytes, zeroed != 0); });
}

void boxcar_shmem_free(void* memory, const char* function) {
  in_call(function, [&] { member::here().release(memory); });
}

void boxcar_shmem_barrier_all(const char* function) {
  in_call(function, [] {
    member& here = member::here();
    here.heap().flush_all();
    here.all().barrier();
  });
}

void boxcar_shmem_fence(const char* function) {
  in_call(function, [] { serving_member().heap().fence(); });
}

void boxcar_shmem_quiet(const char* function) {
  in_call(function, [] { serving_member().heap().flush_all(); });
}

// The function writes a word in one piece: another PE may be waiting for the word.
void boxcar_shmem_put(void* dest, const void* source, std::size_t bytes, int to,
                      const char* function) {
  in_call(function, [&] {
    member& here = member::here();
    const std::size_t index = bytes == 0 ? 0 : here.index_of(dest, bytes, "the destination");
    if (is_word(index, bytes)) {
      here.heap().update_word(to, index, bytes,
                              {atomic_operation::store, source, nullptr, nullptr});
    } else {
      here.heap().put({to, index, bytes}, source, 1, nullptr);
    }
  });
}

void boxcar_shmem_get(void* dest, const void* source, std::size_t bytes, int from,
                      const char* function) {
  in_call(function, [&] {
    member& here = serving_member();
    const std::size_t index = bytes == 0 ? 0 : here.index_of(source, bytes, "the source");
    if (is_word(index, bytes)) {
      const std::array<std::byte, largest_word> none{};
      here.heap().update_word(from, index, bytes,
                              {atomic_operation::load, none.data(), nullptr, dest});
    } else {
      here.heap().get({from, index, bytes}, dest, 1, true);
    }
  });
}

void boxcar_shmem_atomic(boxcar_shmem_update how, void* dest, std::size_t bytes, const void* value,
                         const void* expected, void* before, int at, const char* function) {
  in_call(function, [&] {
    member& here = serving_member();
    const std::array<std::byte, largest_word> none{};
    here.heap().update_word(
        at, word_at(here, dest, bytes), bytes,
        {operation_of(how), value != nullptr ? value : none.data(), expected, before});
  });
}

void boxcar_shmem_wait(const void* word, std::size_t bytes, const void* value, int comparison,
                       int (*holds)(const void*, const void*, int), const char* function) {
  in_call(function, [&] {
    member& here = member::here();
    static_cast<void>(word_at(here, word, bytes));
    if (comparison < SHMEM_CMP_EQ || comparison > SHMEM_CMP_GE) {
      throw argument_error("there is no comparison " + std::to_string(comparison) +
                           ": give one of SHMEM_CMP_EQ, NE, GT, LE, LT, GE");
    }
    here.heap().wait(
        [&] { return holds(snapshot(word, bytes).bytes.data(), value, comparison) != 0; });
  });
}
