// The counters of boxcar_shmemx.h.
#include <string>

#include <boxcar/counter.hpp>
#include <boxcar/error.hpp>
#include <boxcar/shmemx-c/boxcar_shmemx.h>

#include "openshmem-c/call.hpp"
#include "openshmem-c/group_collectives.hpp"
#include "openshmem-c/thread_sharing.hpp"

struct boxcar_shmemx_counter {
  boxcar::counter counter;
};

namespace {

using boxcar::openshmem_c::in_call;
using boxcar::openshmem_c::meet;
using boxcar::openshmem_c::member;
using boxcar::openshmem_c::thread_sharing;

boxcar::counter& counter_of(shmemx_ct_t ct) {
  static_cast<void>(member::here());
  if (ct != nullptr) return ct->counter;
  throw boxcar::argument_error(
      "the counter is NULL: give one that shmemx_ct_create has made and that has not been freed");
}

}  // namespace

shmemx_ct_t boxcar_shmemx_ct_create(const char* function) {
  return in_call(function, [] { return new boxcar_shmemx_counter{boxcar::counter(meet().all())}; });
}

void boxcar_shmemx_ct_free(shmemx_ct_t* ct, const char* function) {
  in_call(function, [&] {
    static_cast<void>(counter_of(*ct));
    meet().all().barrier();
    delete *ct;
    *ct = nullptr;
  });
}

long boxcar_shmemx_ct_get(shmemx_ct_t ct, const char* function) {
  return in_call(function, [&] { return static_cast<long>(counter_of(ct).value()); });
}

void boxcar_shmemx_ct_set(shmemx_ct_t ct, long value, const char* function) {
  in_call(function, [&] { counter_of(ct).set(value); });
}

void boxcar_shmemx_ct_wait(shmemx_ct_t ct, long value, const char* function) {
  in_call(function, [&] {
    boxcar::counter& counter = counter_of(ct);
    if (thread_sharing::is_on()) member::here().wait([&] { return counter.test(value); });
    counter.wait(value);
  });
}

void boxcar_shmemx_put(shmemx_ct_t ct, void* dest, const void* source, std::size_t bytes, int to,
                       const char* function) {
  in_call(function, [&] {
    const boxcar::counter& counter = counter_of(ct);
    member& here = member::here();
    const auto [window, index] = here.target_or_none(dest, bytes, "the target");
    window->put({to, index, bytes}, source, 1, &counter);
  });
}

void boxcar_shmemx_get(shmemx_ct_t ct, void* dest, const void* source, std::size_t bytes, int from,
                       const char* function) {
  in_call(function, [&] {
    boxcar::counter& counter = counter_of(ct);
    member& here = member::here();
    const auto [window, index] = here.target_or_none(source, bytes, "the source");
    window->get({from, index, bytes}, dest, 1, true);
    counter.add(from, 1);
  });
}
