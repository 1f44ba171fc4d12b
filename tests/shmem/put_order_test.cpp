// An OpenSHMEM whose puts arrive late: earlier puts arrive only at a fence, or a stronger
// operation. A signal without a fence arrives before the data.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <shmem.h>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/shmem.hpp>

namespace {

struct late_put {
  void* to;
  std::vector<std::byte> data;
  int pe;
};
std::vector<late_put> late_puts;  // in the order of the calls

template <typename Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void bring_late_puts() {
  static auto* const put = original<void(void*, const void*, std::size_t, int)>("shmem_putmem");
  for (const late_put& p : late_puts) put(p.to, p.data.data(), p.data.size(), p.pe);
  late_puts.clear();
}

}  // namespace

// The following functions replace OpenSHMEM's own functions.
void shmem_putmem(void* to, const void* from, std::size_t bytes, int pe) {
  const auto* data = static_cast<const std::byte*>(from);
  late_puts.push_back({to, {data, data + bytes}, pe});
}

void shmem_fence() {
  static auto* const fence = original<void()>("shmem_fence");
  bring_late_puts();
  fence();
}

void shmem_quiet() {
  static auto* const quiet = original<void()>("shmem_quiet");
  bring_late_puts();
  quiet();
}

void shmem_barrier_all() {
  static auto* const barrier = original<void()>("shmem_barrier_all");
  bring_late_puts();
  barrier();
}

namespace boxcar::test::put_order_test {
namespace {

TEST(late_puts, are_there_when_the_signal_is) {
  const world w = shmem::world_of_all({.nodes = shmem_n_pes()});  // none shares memory with another
  conveyor<std::uint64_t> c(w, {.buffer_bytes = 256});
  constexpr std::uint64_t items = 2000;
  const int to = (w.rank() + 1) % w.size();
  std::uint64_t pushed = 0;
  std::uint64_t pulled = 0;
  const session s = c.begin();
  while (c.advance(pushed == items)) {
    while (pushed < items && c.push(pushed * pushed + 1, to)) ++pushed;
    for (std::uint64_t item = 0; c.pull(item); ++pulled) ASSERT_EQ(item, pulled * pulled + 1);
  }
  EXPECT_EQ(pulled, items);
}

}  // namespace
}  // namespace boxcar::test::put_order_test
