// The functions of shmem.h for the beginning, the end, and the identity of PEs.
#include <cstring>

#include "openshmem-c/call.hpp"
#include "openshmem-c/global_exit.hpp"
#include "openshmem-c/group_collectives.hpp"
#include "substrate/substrate.hpp"

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

void shmem_init(void) {
  in_call(__func__, [] { member::begin(); });
}

void shmem_finalize(void) {
  in_call(__func__, [] {
    // Programs finalize a second time, which has no effect in other implementations either.
    if (member::has_ended()) return;
    // The PE has left the world if an atexit handler calls shmem_finalize.
    if (member::here().all().substrate()->has_departed()) return;
    meet();
    member::end();
  });
}

int shmem_init_thread(int requested, int* provided) {
  return in_call(__func__, [&] {
    member::begin();
    member& here = member::here();
    here.set_thread_level(requested);
    *provided = here.thread_level();
    return 0;
  });
}

void shmem_query_thread(int* provided) {
  in_call(__func__, [&] { *provided = member::here().thread_level(); });
}

void shmem_global_exit(int status) {
  in_call(__func__, [&] { exit_all(status); });
  __builtin_unreachable();
}

int shmem_my_pe(void) {
  return in_call(__func__, [] { return member::here().rank(); });
}

int shmem_n_pes(void) {
  return in_call(__func__, [] { return member::here().all().size(); });
}

void* shmem_ptr(const void* dest, int pe) {
  return in_call(__func__, [&]() -> void* { return member::here().counterpart(dest, pe); });
}

int shmem_pe_accessible(int pe) {
  return in_call(__func__, [&] { return pe >= 0 && pe < member::here().all().size() ? 1 : 0; });
}

int shmem_addr_accessible(const void* address, int pe) {
  return in_call(__func__, [&] {
    member& here = member::here();
    return pe >= 0 && pe < here.all().size() && here.is_symmetric(address) ? 1 : 0;
  });
}

void shmem_info_get_version(int* major, int* minor) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char* name) {
  std::strcpy(name, SHMEM_VENDOR_STRING);
}

void shmem_pcontrol(int, ...) {}
