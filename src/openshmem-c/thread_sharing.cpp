#include "openshmem-c/thread_sharing.hpp"

#include <algorithm>
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
                                     pe_pointer::openshmem_member, pe_pointer::openshmem_ended};
using pointers = std::array<void*, shared_pointers.size()>;

pointers pointers_now() {
  pointers values{};
  std::ranges::transform(shared_pointers, values.begin(),
                         [](pe_pointer which) { return progress::pointer(which); });
  return values;
}
void set_pointers(const pointers& values) {
  for (std::size_t i = 0; i < values.size(); ++i) progress::pointer(shared_pointers[i]) = values[i];
}

}  // namespace

std::atomic<progress*> thread_sharing::owner_ = nullptr;

void thread_sharing::begin() {
  if (is_on()) return;
  progress& mine = progress::of_this_pe();
  const pointers values = pointers_now();
  progress::run_as(&mine);
  set_pointers(values);
  progress::run_as(nullptr);
  owner_.store(&mine, std::memory_order_release);
}

void thread_sharing::end() {
  progress* const owner = owner_.load(std::memory_order_acquire);
  if (owner == nullptr) return;
  const pointers values = pointers_now();
  progress::run_as(nullptr);
  if (&progress::of_this_pe() != owner) return progress::run_as(owner);
  set_pointers(values);
  owner_.store(nullptr, std::memory_order_release);
}

void thread_sharing::turn::take() {
  turns().lock();
  is_taken_ = true;
  progress::run_as(owner_.load(std::memory_order_acquire));
}

void thread_sharing::turn::give_back() {
  progress::run_as(nullptr);
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
