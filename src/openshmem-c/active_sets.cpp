// The collectives of active sets of shmem.h.
#include <string>

#include <boxcar/error.hpp>

#include "openshmem-c/call.hpp"
#include "openshmem-c/group_collectives.hpp"
#include "openshmem-c/reductions.hpp"

namespace boxcar::openshmem_c {
namespace {

struct set_arguments {
  int start;
  int log_stride;
  int size;
  long* sync;
};

group group_of_set(member& here, const set_arguments& a) {
  constexpr int bits_of_a_stride = 30;
  const bool is_stride = a.log_stride >= 0 && a.log_stride <= bits_of_a_stride;
  const int stride = is_stride ? 1 << a.log_stride : 0;
  if (!is_stride || !here.all_pes().has(a.start, stride, a.size)) {
    throw argument_error("there is no active set of PE_start=" + std::to_string(a.start) +
                         ", logPE_stride=" + std::to_string(a.log_stride) +
                         ", PE_size=" + std::to_string(a.size) + ": there are " +
                         std::to_string(here.all().size()) + " PEs");
  }
  static_cast<void>(here.locate(a.sync, SHMEM_SYNC_SIZE * sizeof(long), "pSync"));
  return {here, {a.start, stride, a.size}, a.sync};
}

template <typename Action>
void on_set(const set_arguments& a, const char* function, const Action& action) {
  in_call(function, [&] { action(group_of_set(member::here(), a)); });
}

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync) {
  on_set({PE_start, logPE_stride, PE_size, pSync}, __func__, [](const group& g) {
    g.here.quiet();
    synchronise(g);
  });
}

void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync) {
  on_set({PE_start, logPE_stride, PE_size, pSync}, __func__,
         [](const group& g) { synchronise(g); });
}

// clang-format off
#define SET_PARAMETERS int PE_start, int logPE_stride, int PE_size, long *pSync
#define ON_SET on_set({PE_start, logPE_stride, PE_size, pSync}, __func__, [&](const group& g)
#define DEFINE_ACTIVE_SETS(BITS, BYTES) \
  void shmem_broadcast##BITS(void* dest, const void* source, std::size_t nelems, int PE_root, \
                             SET_PARAMETERS) { \
    ON_SET { broadcast(g, dest, source, bytes_of(nelems, BYTES), PE_root, false); }); \
  } \
  void shmem_collect##BITS(void* dest, const void* source, std::size_t nelems, SET_PARAMETERS) { \
    ON_SET { collect(g, dest, source, bytes_of(nelems, BYTES)); }); \
  } \
  void shmem_fcollect##BITS(void* dest, const void* source, std::size_t nelems, \
                            SET_PARAMETERS) { \
    ON_SET { fcollect(g, dest, source, bytes_of(nelems, BYTES)); }); \
  } \
  void shmem_alltoall##BITS(void* dest, const void* source, std::size_t nelems, \
                            SET_PARAMETERS) { \
    ON_SET { alltoall(g, dest, source, {1, 1, nelems, BYTES}); }); \
  } \
  void shmem_alltoalls##BITS(void* dest, const void* source, std::ptrdiff_t dst, \
                             std::ptrdiff_t sst, std::size_t nelems, SET_PARAMETERS) { \
    ON_SET { alltoall(g, dest, source, {dst, sst, nelems, BYTES}); }); \
  }
DEFINE_ACTIVE_SETS(32, 4)
DEFINE_ACTIVE_SETS(64, 8)

#define DEFINE_TO_ALL(OP, NAME, TYPE) \
  void shmem_##NAME##OP##_to_all(TYPE* dest, const TYPE* source, int nreduce, int PE_start, \
                                 int logPE_stride, int PE_size, TYPE*, long* pSync) { \
    ON_SET { \
      if (nreduce < 0) throw boxcar::argument_error("nreduce is " + std::to_string(nreduce)); \
      reduce(g, dest, source, static_cast<std::size_t>(nreduce), sizeof(TYPE), \
             combine_elements<TYPE, operator##OP>); \
    }); \
  }
BOXCAR_SHMEM_OLD_BITS_TYPES(DEFINE_TO_ALL, _and)
BOXCAR_SHMEM_OLD_BITS_TYPES(DEFINE_TO_ALL, _or)
BOXCAR_SHMEM_OLD_BITS_TYPES(DEFINE_TO_ALL, _xor)
BOXCAR_SHMEM_OLD_ORDER_TYPES(DEFINE_TO_ALL, _max)
BOXCAR_SHMEM_OLD_ORDER_TYPES(DEFINE_TO_ALL, _min)
BOXCAR_SHMEM_OLD_SUM_TYPES(DEFINE_TO_ALL, _sum)
BOXCAR_SHMEM_OLD_SUM_TYPES(DEFINE_TO_ALL, _prod)
// clang-format on
