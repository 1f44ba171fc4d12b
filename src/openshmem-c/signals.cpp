// Puts with a signal of shmem.h. The signal is an operation behind the put, in the order of both.
#include "openshmem-c/call.hpp"
#include "openshmem-c/wait.hpp"

namespace boxcar::openshmem_c {
namespace {

using detail::atomic_operation;

struct signal_update {
  uint64_t* address;
  uint64_t value;
  int operation;
};

atomic_operation operation_of(const signal_update& s) {
  if (s.operation == SHMEM_SIGNAL_SET) return atomic_operation::store;
  if (s.operation == SHMEM_SIGNAL_ADD) return atomic_operation::add;
  throw argument_error("there is no signal operation " + std::to_string(s.operation) +
                       ": give SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD");
}

void put_signal(shmem_ctx_t ctx, void* dest, const void* source, std::size_t bytes,
                const signal_update& s, int pe, const char* function) {
  in_call(function, [&] {
    member& here = member::here();
    const atomic_operation what = operation_of(s);
    const int target = pe_of(here, ctx, pe);
    if (bytes != 0) put(here, dest, source, bytes, target);
    here.fence();
    update(here, s.address, {what, sizeof s.value, &s.value}, target);
  });
}

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

uint64_t shmem_signal_fetch(const uint64_t* sig_addr) {
  return in_call(__func__, [&] {
    uint64_t now = 0;
    member& here = serving_member();
    get(here, &now, sig_addr, sizeof now, here.rank(), true);
    return now;
  });
}

uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value) {
  return in_call(__func__, [&] {
    member& here = member::here();
    return condition<uint64_t>(here, sig_addr, 1, nullptr, cmp, &cmp_value).wait_for_value();
  });
}

// clang-format off
#define DEFINE_SIGNAL(NAME, ELEMENT, SIZE) \
  void shmem_##NAME(ELEMENT* dest, const ELEMENT* source, std::size_t nelems, uint64_t* sig_addr, \
                    uint64_t signal, int sig_op, int pe) { \
    put_signal(SHMEM_CTX_DEFAULT, dest, source, bytes_of(nelems, SIZE), \
               {sig_addr, signal, sig_op}, pe, __func__); \
  } \
  void shmem_ctx_##NAME(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, \
                        std::size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, \
                        int pe) { \
    put_signal(ctx, dest, source, bytes_of(nelems, SIZE), {sig_addr, signal, sig_op}, pe, \
               __func__); \
  }
DEFINE_SIGNAL(putmem_signal, void, 1)
DEFINE_SIGNAL(putmem_signal_nbi, void, 1)
#define DEFINE_SIZED_SIGNALS(BITS, BYTES) \
  DEFINE_SIGNAL(put##BITS##_signal, void, BYTES) \
  DEFINE_SIGNAL(put##BITS##_signal_nbi, void, BYTES)
BOXCAR_SHMEM_SIZES(DEFINE_SIZED_SIGNALS)
#define DEFINE_TYPED_SIGNALS(OP, NAME, TYPE) \
  DEFINE_SIGNAL(NAME##_put_signal, TYPE, sizeof(TYPE)) \
  DEFINE_SIGNAL(NAME##_put_signal_nbi, TYPE, sizeof(TYPE))
BOXCAR_SHMEM_RMA_TYPES(DEFINE_TYPED_SIGNALS, )
// clang-format on
