// The functions of shmem.h for order, completion, and the synchronisation of all PEs.
#include "openshmem-c/call.hpp"
#include "openshmem-c/group_collectives.hpp"

namespace boxcar::openshmem_c {
namespace {

// Returns false for SHMEM_CTX_INVALID, which has no operations. Throws argument_error if there is
// no such context.
bool has_operations(member& here, shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID) return false;
  if (ctx != SHMEM_CTX_DEFAULT) static_cast<void>(here.teams().find_context(ctx));
  return true;
}

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

void shmem_fence(void) {
  in_call(__func__, [] { serving_member().fence(); });
}

void shmem_ctx_fence(shmem_ctx_t ctx) {
  in_call(__func__, [&] {
    member& here = serving_member();
    if (has_operations(here, ctx)) here.fence();
  });
}

void shmem_quiet(void) {
  in_call(__func__, [] { serving_member().quiet(); });
}

void shmem_ctx_quiet(shmem_ctx_t ctx) {
  in_call(__func__, [&] {
    member& here = serving_member();
    if (has_operations(here, ctx)) here.quiet();
  });
}

void shmem_barrier_all(void) {
  in_call(__func__, [] {
    member& here = member::here();
    here.quiet();
    synchronise_all(here);
  });
}

void shmem_sync_all(void) {
  in_call(__func__, [] { synchronise_all(member::here()); });
}
