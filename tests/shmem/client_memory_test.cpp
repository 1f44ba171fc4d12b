// Tests of conveyors whose buffers lie in symmetric memory of the program: released memory belongs
// to the program again, and no other PE writes to it any more.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <shmem.h>
#include <stdexcept>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/shmem.hpp>

namespace boxcar::test::client_memory_test {
namespace {

using namespace std::chrono_literals;

constexpr std::byte poison{0x5a};

// Allocates symmetric memory as a stack, and fills released memory with poison.
class poisoned_stack final : public allocator {
 public:
  explicit poisoned_stack(std::size_t bytes)
      : begin_(static_cast<std::byte*>(shmem_malloc(bytes))), bytes_(bytes) {
    std::memset(begin_, static_cast<int>(poison), bytes);
    shmem_barrier_all();
  }
  poisoned_stack(const poisoned_stack&) = delete;
  poisoned_stack& operator=(const poisoned_stack&) = delete;
  ~poisoned_stack() override { shmem_free(begin_); }

  void* grab(std::size_t bytes, const char*) override {
    if (bytes > bytes_ - top()) return nullptr;
    ends_.push_back(top() + bytes);
    most_ = std::max(most_, top());
    return begin_ + top() - bytes;
  }
  void free(void* memory) noexcept override {
    const auto at = static_cast<std::size_t>(static_cast<std::byte*>(memory) - begin_);
    std::memset(memory, static_cast<int>(poison), top() - at);
    ends_.pop_back();
    EXPECT_EQ(top(), at) << "what was grabbed last is not what is freed first";
  }

  [[nodiscard]] std::size_t most() const { return most_; }
  [[nodiscard]] bool is_untouched() const {
    return std::all_of(begin_ + top(), begin_ + bytes_, [](std::byte b) { return b == poison; });
  }

 private:
  [[nodiscard]] std::size_t top() const { return ends_.empty() ? 0 : ends_.back(); }

  std::byte* begin_;
  std::size_t bytes_;
  std::size_t most_ = 0;
  std::vector<std::size_t> ends_;
};

// PE `slow` polls late, and returns the last buffers when the other PEs are done.
void run_session(world& w, conveyor<int>& c, int slow) {
  const session s = c.begin();
  for (int pe = 0; pe < w.size(); ++pe) EXPECT_TRUE(c.push(w.rank(), pe));
  int item = 0;
  int pulled = 0;
  while (c.advance(true)) {
    if (w.rank() == slow) w.sleep(2ms);
    while (c.pull(item)) ++pulled;
  }
  EXPECT_EQ(pulled, w.size());
}

class client_memory : public testing::TestWithParam<bool> {};

TEST_P(client_memory, is_not_written_to_after_it_was_given_back) {
  constexpr std::size_t plenty = std::size_t{8} << 20;
  constexpr int rounds = 20;
  poisoned_stack stack(plenty);
  {
    world w = shmem::world_of_all({.nodes = shmem_n_pes()});
    conveyor_options options;
    options.buffer_bytes = 1024;
    options.memory = &stack;
    options.dynamic_memory = GetParam();
    for (int round = 0; round < rounds; ++round) {
      {
        conveyor<int> c(w, options);
        run_session(w, c, round % w.size());
        if (GetParam()) {
          run_session(w, c, (round + 1) % w.size());
        }
      }
      shmem_barrier_all();  // all writes have completed
      EXPECT_TRUE(stack.is_untouched());
    }
    // The stack holds the receive buffers, two for each link: else no PE could write to them.
    EXPECT_GT(stack.most(), 2 * 1024 * static_cast<std::size_t>(w.size() - 1));
  }
  shmem_barrier_all();
}

// Counts, and allocates memory that is never used again.
class counting final : public allocator {
 public:
  explicit counting(std::size_t bytes)
      : next_(static_cast<std::byte*>(shmem_malloc(bytes))), end_(next_ + bytes) {}

  void* grab(std::size_t bytes, const char*) override {
    if (bytes > static_cast<std::size_t>(end_ - next_)) return nullptr;
    ++held_;
    next_ += bytes;
    return next_ - bytes;
  }
  void free(void*) noexcept override { --held_; }
  [[nodiscard]] int held() const { return held_; }

 private:
  std::byte* next_;
  std::byte* end_;
  int held_ = 0;
};

TEST(client_memory_of_a_failed_world, to_which_others_may_still_send_is_not_given_back) {
  counting memory(std::size_t{1} << 20);
  world w = shmem::world_of_all({.nodes = shmem_n_pes()});
  conveyor_options options;
  options.buffer_bytes = 1024;
  options.memory = &memory;
  {
    const conveyor<int> c(w, options);
    EXPECT_GT(memory.held(), 1);
  }
  EXPECT_EQ(memory.held(), 0);
  try {
    conveyor<int> c(w, options);
    const session s = c.begin();
    while (c.advance(w.rank() != 0)) {
      if (w.rank() == 0) throw std::runtime_error("enough");
    }
  } catch (const std::exception&) {
  }
  EXPECT_EQ(memory.held(), 1);
}

INSTANTIATE_TEST_SUITE_P(shmem, client_memory, testing::Bool());

}  // namespace
}  // namespace boxcar::test::client_memory_test
