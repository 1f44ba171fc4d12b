// Atomic operations of shmem.h. The functions that need not wait for the former value (nbi) wait
// all the same.
#include "openshmem-c/call.hpp"
#include "openshmem-c/transfer.hpp"

namespace boxcar::openshmem_c {
namespace {

using detail::atomic_operation;

void update_in_call(shmem_ctx_t ctx, const void* dest, const word_update& u, int pe,
                    const char* function) {
  in_call(function, [&] {
    member& here = serving_member();
    update(here, const_cast<void*>(dest), u, pe_of(here, ctx, pe));
  });
}

// Updates an element and returns the former value.
template <typename T>
T fetch(shmem_ctx_t ctx, atomic_operation what, const T* dest, const T* value, const T* expected,
        int pe, const char* function) {
  T before;
  update_in_call(ctx, dest, {what, sizeof(T), value, expected, &before}, pe, function);
  return before;
}

template <typename T>
constexpr T one = 1;

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

// clang-format off
#define UPDATE(CTX, WHAT, DEST, VALUE) \
  update_in_call(CTX, DEST, {WHAT, sizeof *(DEST), VALUE}, pe, __func__)
#define FETCH(CTX, WHAT, TYPE, DEST, VALUE, EXPECTED) \
  fetch<TYPE>(CTX, WHAT, DEST, VALUE, EXPECTED, pe, __func__)

// The functions of a name without a context, and with one: DO(name prefix, first parameter, context).
#define WITHOUT_AND_WITH_CTX(DO, OP, NAME, TYPE) \
  DO(OP, shmem_##NAME, TYPE, , SHMEM_CTX_DEFAULT) \
  DO(OP, shmem_ctx_##NAME, TYPE, shmem_ctx_t ctx BOXCAR_COMMA, ctx)
#define BOXCAR_COMMA ,

#define DEFINE_EXTENDED_ON(OP, PREFIX, TYPE, PARAMETER, CTX) \
  TYPE PREFIX##_atomic_fetch(PARAMETER const TYPE* source, int pe) { \
    return FETCH(CTX, atomic_operation::load, TYPE, source, nullptr, nullptr); \
  } \
  void PREFIX##_atomic_set(PARAMETER TYPE* dest, TYPE value, int pe) { \
    UPDATE(CTX, atomic_operation::store, dest, &value); \
  } \
  TYPE PREFIX##_atomic_swap(PARAMETER TYPE* dest, TYPE value, int pe) { \
    return FETCH(CTX, atomic_operation::swap, TYPE, dest, &value, nullptr); \
  } \
  void PREFIX##_atomic_fetch_nbi(PARAMETER TYPE* into, const TYPE* source, int pe) { \
    *into = FETCH(CTX, atomic_operation::load, TYPE, source, nullptr, nullptr); \
  } \
  void PREFIX##_atomic_swap_nbi(PARAMETER TYPE* into, TYPE* dest, TYPE value, int pe) { \
    *into = FETCH(CTX, atomic_operation::swap, TYPE, dest, &value, nullptr); \
  }
#define DEFINE_EXTENDED(OP, NAME, TYPE) WITHOUT_AND_WITH_CTX(DEFINE_EXTENDED_ON, OP, NAME, TYPE)
BOXCAR_SHMEM_EXTENDED_TYPES(DEFINE_EXTENDED, )

#define DEFINE_AMO_ON(OP, PREFIX, TYPE, PARAMETER, CTX) \
  void PREFIX##_atomic_inc(PARAMETER TYPE* dest, int pe) { UPDATE(CTX, atomic_operation::add, dest, &one<TYPE>); } \
  TYPE PREFIX##_atomic_fetch_inc(PARAMETER TYPE* dest, int pe) { \
    return FETCH(CTX, atomic_operation::add, TYPE, dest, &one<TYPE>, nullptr); \
  } \
  void PREFIX##_atomic_fetch_inc_nbi(PARAMETER TYPE* into, TYPE* dest, int pe) { \
    *into = FETCH(CTX, atomic_operation::add, TYPE, dest, &one<TYPE>, nullptr); \
  } \
  TYPE PREFIX##_atomic_compare_swap(PARAMETER TYPE* dest, TYPE cond, TYPE value, int pe) { \
    return FETCH(CTX, atomic_operation::compare_swap, TYPE, dest, &value, &cond); \
  } \
  void PREFIX##_atomic_compare_swap_nbi(PARAMETER TYPE* into, TYPE* dest, TYPE cond, TYPE value, \
                                        int pe) { \
    *into = FETCH(CTX, atomic_operation::compare_swap, TYPE, dest, &value, &cond); \
  }
#define DEFINE_AMO(OP, NAME, TYPE) WITHOUT_AND_WITH_CTX(DEFINE_AMO_ON, OP, NAME, TYPE)
BOXCAR_SHMEM_AMO_TYPES(DEFINE_AMO, )

// OP is the name of the operation in names of functions; operation_OP is the operation of windows.
constexpr atomic_operation operation_add = atomic_operation::add;
constexpr atomic_operation operation_and = atomic_operation::fetch_and;
constexpr atomic_operation operation_or = atomic_operation::fetch_or;
constexpr atomic_operation operation_xor = atomic_operation::fetch_xor;
#define DEFINE_UPDATE_ON(OP, PREFIX, TYPE, PARAMETER, CTX) \
  void PREFIX##_atomic##OP(PARAMETER TYPE* dest, TYPE value, int pe) { \
    UPDATE(CTX, operation##OP, dest, &value); \
  } \
  TYPE PREFIX##_atomic_fetch##OP(PARAMETER TYPE* dest, TYPE value, int pe) { \
    return FETCH(CTX, operation##OP, TYPE, dest, &value, nullptr); \
  } \
  void PREFIX##_atomic_fetch##OP##_nbi(PARAMETER TYPE* into, TYPE* dest, TYPE value, int pe) { \
    *into = FETCH(CTX, operation##OP, TYPE, dest, &value, nullptr); \
  }
#define DEFINE_UPDATE(OP, NAME, TYPE) WITHOUT_AND_WITH_CTX(DEFINE_UPDATE_ON, OP, NAME, TYPE)
BOXCAR_SHMEM_AMO_TYPES(DEFINE_UPDATE, _add)
BOXCAR_SHMEM_BITWISE_TYPES(DEFINE_UPDATE, _and)
BOXCAR_SHMEM_BITWISE_TYPES(DEFINE_UPDATE, _or)
BOXCAR_SHMEM_BITWISE_TYPES(DEFINE_UPDATE, _xor)
// clang-format on
