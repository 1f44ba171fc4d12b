// Tests Boxcar's library built for an OpenSHMEM with puts with a signal (version 1.5): the program
// is linked with such a library, and defines the function by functions of version 1.4.
#include <gtest/gtest.h>
#include <shmem.h>
#include <string>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/shmem.hpp>

namespace {

int puts_with_signal = 0;

}  // namespace

void shmem_putmem_signal(void* to, const void* from, size_t bytes, uint64_t* signal_at,
                         uint64_t signal, int operation, int pe) {
  ++puts_with_signal;
  EXPECT_EQ(operation, SHMEM_SIGNAL_SET);
  if (bytes != 0) shmem_putmem(to, from, bytes, pe);
  shmem_fence();
  shmem_ulong_atomic_set(reinterpret_cast<unsigned long*>(signal_at), signal, pe);
}

namespace boxcar::test::put_signal_test {
namespace {

class put_signal : public testing::TestWithParam<int> {
 protected:
  put_signal() : hops_(GetParam()) {}

  [[nodiscard]] conveyor_options options() const {
    conveyor_options all;
    all.kind = conveyor_kind::tensor;
    all.hops = hops_;
    all.buffer_bytes = 256;
    return all;
  }

  world w_ = shmem::world_of_all({.nodes = shmem_n_pes()});  // none shares memory with another

 private:
  int hops_;
};

TEST_P(put_signal, carries_what_conveyors_send_and_a_session_without_items) {
  conveyor<int> c(w_, options());
  for (const int items : {0, 1, 10'000}) {
    const int before = puts_with_signal;
    std::vector<int> next(static_cast<std::size_t>(w_.size()));
    const session s = c.begin();
    int sent = 0;
    int item = 0;
    int from = 0;
    while (c.advance(sent == items * w_.size())) {
      while (sent < items * w_.size() && c.push(sent / w_.size(), sent % w_.size())) ++sent;
      while (c.pull(item, from)) EXPECT_EQ(item, next[static_cast<std::size_t>(from)]++);
    }
    EXPECT_EQ(next, std::vector<int>(static_cast<std::size_t>(w_.size()), items));
    EXPECT_GT(puts_with_signal, before);
  }
}

TEST_P(put_signal, carries_monsters) {
  elastic_conveyor c(w_, 100'000, options());
  const std::string item(100'000, static_cast<char>('a' + w_.rank()));
  const session s = c.begin();
  int sent = 0;
  int arrived = 0;
  while (c.advance(sent == w_.size())) {
    while (sent < w_.size() && c.push(item, sent)) ++sent;
    while (const auto got = c.pull()) {
      EXPECT_EQ(got->text(), std::string(item.size(), static_cast<char>('a' + got->from)));
      ++arrived;
    }
  }
  EXPECT_EQ(arrived, w_.size());
}

INSTANTIATE_TEST_SUITE_P(shmem, put_signal, testing::Values(1, 2, 3));

}  // namespace
}  // namespace boxcar::test::put_signal_test
