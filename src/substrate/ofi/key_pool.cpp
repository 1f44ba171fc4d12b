#include "substrate/ofi/key_pool.hpp"

#include <limits>

#include "substrate/ofi/random_number.hpp"

namespace boxcar::detail::ofi {
namespace {

// The largest number is no key (FI_KEY_NOTAVAIL).
std::uint64_t largest_key(std::size_t bytes) {
  constexpr std::size_t most = sizeof(std::uint64_t);
  if (bytes == 0 || bytes >= most) return std::numeric_limits<std::uint64_t>::max() - 1;
  return (std::uint64_t{1} << 8 * bytes) - 1;
}

}  // namespace

key_pool::key_pool(std::size_t key_bytes) : largest_(largest_key(key_bytes)) {}

std::optional<std::uint64_t> key_pool::take() {
  if (in_use_.size() > largest_) return {};
  const bool is_whole = largest_ == largest_key(0);
  for (;;) {
    std::uint64_t key = random_number();
    if (!is_whole) key &= largest_;
    if (key <= largest_ && in_use_.insert(key).second) return key;
  }
}

}  // namespace boxcar::detail::ofi
