// The locks of shmem.h. The upper half of a lock is the number of the next ticket, and the lower
// half is the ticket of the holder: a PE takes a ticket, and waits for the turn of the ticket. The
// PE of a lock follows from the place of the lock, so that locks spread over the PEs.
#include "openshmem-c/call.hpp"
#include "openshmem-c/transfer.hpp"

namespace boxcar::openshmem_c {
namespace {

using detail::atomic_operation;

constexpr int half_bits = 32;
constexpr std::uint64_t next_ticket = std::uint64_t{1} << half_bits;

std::uint32_t next_of(std::uint64_t lock) {
  return static_cast<std::uint32_t>(lock >> half_bits);
}
std::uint32_t holder_of(std::uint64_t lock) {
  return static_cast<std::uint32_t>(lock);
}

// The lower half wraps around without a carry.
std::uint64_t with_next_holder(std::uint64_t lock) {
  return (lock & ~std::uint64_t{UINT32_MAX}) | static_cast<std::uint32_t>(holder_of(lock) + 1);
}

class ticket_lock {
 public:
  ticket_lock(member& here, long* lock)
      : here_(here),
        lock_(lock),
        pe_(static_cast<int>(here.locate(lock, sizeof *lock, "the lock").index / sizeof *lock %
                             static_cast<std::size_t>(here.all().size()))) {}

  void set() {
    const std::uint32_t mine = next_of(change(atomic_operation::add, next_ticket));
    here_.wait([&] { return holder_of(load()) == mine; });
  }
  [[nodiscard]] bool try_set() {
    const std::uint64_t now = load();
    return next_of(now) == holder_of(now) && replace(now, now + next_ticket);
  }
  void clear() {
    std::uint64_t now = load();
    while (!replace(now, with_next_holder(now))) now = load();
  }

 private:
  std::uint64_t change(atomic_operation what, std::uint64_t value) {
    std::uint64_t before = 0;
    update(here_, lock_, {what, sizeof before, &value, nullptr, &before}, pe_);
    return before;
  }
  std::uint64_t load() { return change(atomic_operation::load, 0); }
  bool replace(std::uint64_t expected, std::uint64_t value) {
    std::uint64_t before = 0;
    update(here_, lock_,
           {atomic_operation::compare_swap, sizeof before, &value, &expected, &before}, pe_);
    return before == expected;
  }

  member& here_;
  long* lock_;
  int pe_;
};

static_assert(sizeof(long) == sizeof(std::uint64_t));

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

void shmem_set_lock(long* lock) {
  in_call(__func__, [&] { ticket_lock(serving_member(), lock).set(); });
}

void shmem_clear_lock(long* lock) {
  in_call(__func__, [&] {
    member& here = serving_member();
    here.quiet();
    ticket_lock(here, lock).clear();
  });
}

int shmem_test_lock(long* lock) {
  return in_call(__func__, [&] {
    member& here = serving_member();
    const bool is_set = ticket_lock(here, lock).try_set();
    if (!is_set) here.serve();
    return is_set ? 0 : 1;
  });
}
