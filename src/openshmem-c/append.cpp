// The append buffers of boxcar_shmemx.h.
#include <cstddef>

#include <boxcar/append_buffer.hpp>
#include <boxcar/detail/append_core.hpp>
#include <boxcar/error.hpp>
#include <boxcar/shmemx-c/boxcar_shmemx.h>

#include "openshmem-c/call.hpp"
#include "openshmem-c/group_collectives.hpp"
#include "openshmem-c/thread_sharing.hpp"

struct boxcar_shmemx_append {
  boxcar::detail::append_core buffer;
};

namespace {

using boxcar::detail::append_core;
using boxcar::openshmem_c::in_call;
using boxcar::openshmem_c::meet;
using boxcar::openshmem_c::member;
using boxcar::openshmem_c::thread_sharing;

append_core& buffer_of(shmemx_oct_t oct) {
  static_cast<void>(member::here());
  if (oct != nullptr) return oct->buffer;
  throw boxcar::argument_error(
      "the offset counter is NULL: give one that shmemx_oct_create has made and that has not been "
      "destroyed");
}

}  // namespace

shmemx_oct_t boxcar_shmemx_oct_create(void* buffer, std::size_t bytes, const char* function) {
  return in_call(function, [&] {
    member& here = meet();
    here.require_alike("buffer", buffer, bytes);
    boxcar::detail::object_memory mine{buffer, bytes, bytes != 0, {}};
    mine.counterpart = [&](int of) { return here.counterpart(buffer, of); };
    constexpr boxcar::detail::append_element single_bytes{1, 1,
                                                          boxcar::detail::identity_of<std::byte>};
    return new boxcar_shmemx_append{
        append_core(here.all(), single_bytes, mine, {.full = boxcar::when_full::truncate})};
  });
}

void boxcar_shmemx_oct_free(shmemx_oct_t* oct, const char* function) {
  in_call(function, [&] {
    append_core& buffer = buffer_of(*oct);
    meet();
    buffer.finish();
    delete *oct;
    *oct = nullptr;
  });
}

void boxcar_shmemx_oct_reset(shmemx_oct_t oct, const char* function) {
  in_call(function, [&] { buffer_of(oct).reset(); });
}

std::size_t boxcar_shmemx_oct_get(shmemx_oct_t oct, const char* function) {
  return in_call(function, [&] { return buffer_of(oct).reserved(); });
}

std::size_t boxcar_shmemx_oct_get_complete(shmemx_oct_t oct, const char* function) {
  return in_call(function, [&] { return buffer_of(oct).completed(); });
}

void boxcar_shmemx_oct_wait(shmemx_oct_t oct, std::size_t bytes, const char* function) {
  in_call(function, [&] {
    append_core& buffer = buffer_of(oct);
    if (thread_sharing::is_on() && bytes <= buffer.capacity_here()) {
      member::here().wait([&] { return buffer.completed() >= bytes; });
    }
    buffer.wait(bytes);
  });
}

std::size_t boxcar_shmemx_push(shmemx_oct_t oct, const void* source, std::size_t bytes, int to,
                               int waits, const char* function) {
  return in_call(function, [&]() -> std::size_t {
    append_core& buffer = buffer_of(oct);
    if (waits != 0) return buffer.push(source, bytes, to);
    buffer.push_nbi(source, bytes, to);
    return bytes;
  });
}
