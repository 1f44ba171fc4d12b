#include "openshmem-c/thread_sharing.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include <boxcar/detail/called_scope.hpp>

namespace boxcar::openshmem_c {
namespace {

using detail::pe_pointer;
using detail::progress;

// A queue_lock serves threads in the order of the requests: a thread that unlocks and locks again
// waits for all threads in the queue.
class queue_lock {
 public:
  void lock() {
    std::unique_lock l(guard_);
    const unsigned mine = next_++;
    turn_changed_.wait(l, [&] { return serving_ == mine; });
  }
  void unlock() {
    {
      const std::lock_guard l(guard_);
      ++serving_;
    }
    turn_changed_.notify_all();
  }
  [[nodiscard]] bool has_waiters() {
    const std::lock_guard l(guard_);
    return next_ - serving_ > 1;
  }

 private:
  std::mutex guard_;
  std::condition_variable turn_changed_;
  unsigned next_ = 0;
  unsigned serving_ = 0;
};

queue_lock& turns() {
  static auto* const only = new queue_lock;  // threads may call until the process ends
  return *only;
}

constexpr std::array shared_pointers{pe_pointer::current_world, pe_pointer::host,
                                     pe_pointer::openshmem_member};

}  // namespace

std::atomic<progress*> thread_sharing::owner_ = nullptr;

void thread_sharing::begin() {
  progress& mine = progress::of_this_pe();
  std::array<void*, shared_pointers.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = progress::pointer(shared_pointers[i]);
  // Guests find the pointers of the PE in its engine.
  progress::run_as(&mine);
  for (std::size_t i = 0; i < values.size(); ++i) progress::pointer(shared_pointers[i]) = values[i];
  progress::run_as(nullptr);
  owner_.store(&mine, std::memory_order_release);
}

void thread_sharing::end() {
  owner_.store(nullptr, std::memory_order_release);
}

void thread_sharing::turn::take() {
  progress* const owner = owner_.load(std::memory_order_acquire);
  is_guest_ = &progress::of_this_pe() != owner;
  turns().lock();
  is_taken_ = true;
  if (is_guest_) progress::run_as(owner);
}

void thread_sharing::turn::give_back() {
  if (is_guest_) progress::run_as(nullptr);
  turns().unlock();
}

void thread_sharing::let_others() {
  if (!turns().has_waiters()) return;
  // The calls of other threads are not within the call of this thread.
  detail::current_call& call = progress::of_this_pe().watch().call;
  const detail::current_call mine = call;
  call = {.is_traced = mine.is_traced};
  turns().unlock();
  turns().lock();
  call = mine;
}

}  // namespace boxcar::openshmem_c
