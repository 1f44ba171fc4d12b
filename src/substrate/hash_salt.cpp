// Salts of tables: random numbers, or the same numbers in every run of a simulated machine.
#include <atomic>
#include <random>

#include <boxcar/detail/hash_salt.hpp>

namespace boxcar::detail {
namespace {

thread_local std::uint64_t* repeatable_state = nullptr;

// The sequence of SplitMix64 (Steele, Lea and Flood, 2014): the state rises by `step`, and the
// number is the state, with all bits mixed.
constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
std::uint64_t number_of(std::uint64_t state) {
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
  return state ^ (state >> 31);
}

std::uint64_t random_state() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

std::uint64_t next_hash_salt() {
  if (repeatable_state != nullptr) return number_of(*repeatable_state += step);
  static std::atomic<std::uint64_t> state = random_state();
  return number_of(state.fetch_add(step, std::memory_order_relaxed));  // publishes nothing
}

repeatable_salts::repeatable_salts() : outer_(repeatable_state) {
  repeatable_state = &state_;
}

repeatable_salts::~repeatable_salts() {
  repeatable_state = outer_;
}

}  // namespace boxcar::detail
