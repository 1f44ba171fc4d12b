// Puts and gets of shmem.h. A context as the first argument makes a function of its own; without
// one the context is SHMEM_CTX_DEFAULT.
#include "openshmem-c/call.hpp"
#include "openshmem-c/transfer.hpp"

namespace boxcar::openshmem_c {
namespace {

void put_in_call(shmem_ctx_t ctx, void* dest, const void* source, std::size_t bytes, int pe,
                 const char* function) {
  in_call(function, [&] {
    member& here = member::here();
    put(here, dest, source, bytes, pe_of(here, ctx, pe));
  });
}

void get_in_call(shmem_ctx_t ctx, void* dest, const void* source, std::size_t bytes, int pe,
                 bool waits, const char* function) {
  in_call(function, [&] {
    member& here = serving_member();
    get(here, dest, source, bytes, pe_of(here, ctx, pe), waits);
  });
}

void iput_in_call(shmem_ctx_t ctx, void* dest, const void* source, const strided& s, int pe,
                  const char* function) {
  in_call(function, [&] {
    member& here = member::here();
    put_strided(here, dest, source, s, pe_of(here, ctx, pe));
  });
}

void iget_in_call(shmem_ctx_t ctx, void* dest, const void* source, const strided& s, int pe,
                  const char* function) {
  in_call(function, [&] {
    member& here = serving_member();
    get_strided(here, dest, source, s, pe_of(here, ctx, pe));
  });
}

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

// clang-format off
// The two functions of a name: without a context, and with one.
#define DEFINE_PUT(NAME, ELEMENT, SIZE) \
  void shmem_##NAME(ELEMENT* dest, const ELEMENT* source, std::size_t nelems, int pe) { \
    put_in_call(SHMEM_CTX_DEFAULT, dest, source, bytes_of(nelems, SIZE), pe, __func__); \
  } \
  void shmem_ctx_##NAME(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, \
                        std::size_t nelems, int pe) { \
    put_in_call(ctx, dest, source, bytes_of(nelems, SIZE), pe, __func__); \
  }
#define DEFINE_GET(NAME, ELEMENT, SIZE, WAITS) \
  void shmem_##NAME(ELEMENT* dest, const ELEMENT* source, std::size_t nelems, int pe) { \
    get_in_call(SHMEM_CTX_DEFAULT, dest, source, bytes_of(nelems, SIZE), pe, WAITS, __func__); \
  } \
  void shmem_ctx_##NAME(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, \
                        std::size_t nelems, int pe) { \
    get_in_call(ctx, dest, source, bytes_of(nelems, SIZE), pe, WAITS, __func__); \
  }
#define DEFINE_STRIDED(NAME, ACTION, ELEMENT, SIZE) \
  void shmem_##NAME(ELEMENT* dest, const ELEMENT* source, std::ptrdiff_t dst, std::ptrdiff_t sst, \
                    std::size_t nelems, int pe) { \
    ACTION(SHMEM_CTX_DEFAULT, dest, source, {dst, sst, nelems, SIZE}, pe, __func__); \
  } \
  void shmem_ctx_##NAME(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, \
                        std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems, int pe) { \
    ACTION(ctx, dest, source, {dst, sst, nelems, SIZE}, pe, __func__); \
  }

DEFINE_PUT(putmem, void, 1)
DEFINE_PUT(putmem_nbi, void, 1)
DEFINE_GET(getmem, void, 1, true)
DEFINE_GET(getmem_nbi, void, 1, false)

#define DEFINE_SIZED(BITS, BYTES) \
  DEFINE_PUT(put##BITS, void, BYTES) \
  DEFINE_PUT(put##BITS##_nbi, void, BYTES) \
  DEFINE_GET(get##BITS, void, BYTES, true) \
  DEFINE_GET(get##BITS##_nbi, void, BYTES, false) \
  DEFINE_STRIDED(iput##BITS, iput_in_call, void, BYTES) \
  DEFINE_STRIDED(iget##BITS, iget_in_call, void, BYTES)
BOXCAR_SHMEM_SIZES(DEFINE_SIZED)

#define DEFINE_TYPED(OP, NAME, TYPE) \
  DEFINE_PUT(NAME##_put, TYPE, sizeof(TYPE)) \
  DEFINE_PUT(NAME##_put_nbi, TYPE, sizeof(TYPE)) \
  DEFINE_GET(NAME##_get, TYPE, sizeof(TYPE), true) \
  DEFINE_GET(NAME##_get_nbi, TYPE, sizeof(TYPE), false) \
  DEFINE_STRIDED(NAME##_iput, iput_in_call, TYPE, sizeof(TYPE)) \
  DEFINE_STRIDED(NAME##_iget, iget_in_call, TYPE, sizeof(TYPE)) \
  void shmem_##NAME##_p(TYPE* dest, TYPE value, int pe) { \
    put_in_call(SHMEM_CTX_DEFAULT, dest, &value, sizeof value, pe, __func__); \
  } \
  void shmem_ctx_##NAME##_p(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) { \
    put_in_call(ctx, dest, &value, sizeof value, pe, __func__); \
  } \
  TYPE shmem_##NAME##_g(const TYPE* source, int pe) { \
    TYPE value; \
    get_in_call(SHMEM_CTX_DEFAULT, &value, source, sizeof value, pe, true, __func__); \
    return value; \
  } \
  TYPE shmem_ctx_##NAME##_g(shmem_ctx_t ctx, const TYPE* source, int pe) { \
    TYPE value; \
    get_in_call(ctx, &value, source, sizeof value, pe, true, __func__); \
    return value; \
  }
BOXCAR_SHMEM_RMA_TYPES(DEFINE_TYPED, )
// clang-format on
