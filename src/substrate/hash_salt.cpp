// Salts of tables: random numbers, or the same numbers in every run of a simulated machine. The
// salts are the sequence of SplitMix64 (Steele, Lea and Flood, 2014).
#include <atomic>
#include <random>

#include <boxcar/detail/hash_salt.hpp>
#include <boxcar/detail/mix_bits.hpp>

namespace boxcar::detail {
namespace {

thread_local std::uint64_t* repeatable_state = nullptr;

std::uint64_t random_state() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

std::uint64_t next_hash_salt() {
  if (repeatable_state != nullptr) return mix_bits(*repeatable_state += golden_step);
  static std::atomic<std::uint64_t> state = random_state();
  return mix_bits(state.fetch_add(golden_step, std::memory_order_relaxed));  // publishes nothing
}

repeatable_salts::repeatable_salts() : outer_(repeatable_state) {
  repeatable_state = &state_;
}

repeatable_salts::~repeatable_salts() {
  repeatable_state = outer_;
}

}  // namespace boxcar::detail
