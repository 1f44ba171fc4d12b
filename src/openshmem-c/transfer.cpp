#include "openshmem-c/transfer.hpp"

#include <array>
#include <cstdint>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::openshmem_c {
namespace {

using detail::atomic_operation;

constexpr std::size_t largest_word = 8;
constexpr std::array<std::byte, largest_word> zeros{};

bool is_word(std::size_t index, std::size_t bytes) {
  return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == largest_word) && index % bytes == 0;
}

// Returns the address of element `i` of an array of elements `stride` apart.
template <typename Byte>
Byte* element_at(Byte* array, const strided& s, std::ptrdiff_t stride, std::size_t i) {
  return array + static_cast<std::ptrdiff_t>(i * s.element_bytes) * stride;
}

void require_memory(const void* memory, std::size_t bytes, const char* what) {
  if (memory != nullptr) return;
  throw argument_error(std::string(what) + " is NULL: give the address of " +
                       std::to_string(bytes) + " bytes");
}

}  // namespace

member& serving_member() {
  member& here = member::here();
  here.serve();
  return here;
}

int pe_of(member& here, shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) return pe;
  const boxcar_shmem_context& context = here.teams().find_context(ctx);
  if (pe >= 0 && pe < context.pes.size) return context.pes.pe(pe);
  throw argument_error("there is no PE " + std::to_string(pe) + " in the context's team: it has " +
                       std::to_string(context.pes.size) + " PEs");
}

void put(member& here, void* dest, const void* source, std::size_t bytes, int pe) {
  if (bytes == 0) return here.all().substrate()->require_pe("put", pe);
  require_memory(source, bytes, "the source");
  const auto [window, index] = here.target(dest, bytes, "the destination");
  if (is_word(index, bytes)) {
    window->update_word(pe, index, bytes, {atomic_operation::store, source, nullptr, nullptr});
  } else {
    window->put({pe, index, bytes}, source, 1, nullptr);
  }
}

void get(member& here, void* dest, const void* source, std::size_t bytes, int pe, bool waits) {
  if (bytes == 0) return here.all().substrate()->require_pe("get", pe);
  require_memory(dest, bytes, "the destination");
  const auto [window, index] = here.target(source, bytes, "the source");
  if (waits && is_word(index, bytes)) {
    window->update_word(pe, index, bytes, {atomic_operation::load, zeros.data(), nullptr, dest});
  } else {
    window->get({pe, index, bytes}, dest, 1, waits);
  }
}

void put_strided(member& here, void* dest, const void* source, const strided& s, int pe) {
  for (std::size_t i = 0; i < s.elements; ++i) {
    put(here, element_at(static_cast<std::byte*>(dest), s, s.dst, i),
        element_at(static_cast<const std::byte*>(source), s, s.sst, i), s.element_bytes, pe);
  }
}

void get_strided(member& here, void* dest, const void* source, const strided& s, int pe) {
  const bool is_remote = !here.all().is_local(pe);
  for (std::size_t i = 0; i < s.elements; ++i) {
    get(here, element_at(static_cast<std::byte*>(dest), s, s.dst, i),
        element_at(static_cast<const std::byte*>(source), s, s.sst, i), s.element_bytes, pe,
        !is_remote);
  }
  if (is_remote) here.quiet();
}

void update(member& here, void* dest, const word_update& u, int pe) {
  const auto [window, index] = here.target(dest, u.bytes, "the variable");
  if (!is_word(index, u.bytes)) {
    throw argument_error("the variable does not lie on a boundary of " + std::to_string(u.bytes) +
                         " bytes, its size");
  }
  window->update_word(pe, index, u.bytes,
                      {u.what, u.value != nullptr ? u.value : zeros.data(), u.expected, u.before});
}

}  // namespace boxcar::openshmem_c
