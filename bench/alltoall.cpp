// All-to-all: every PE sends a fixed number of bytes in items to random PEs, as in section 5 of the
// conveyors paper. The receiver reads every byte, and does nothing else.
#include "alltoall.hpp"

#include <cstdint>
#include <vector>

#include "one_way_benchmark.hpp"
#include "summed_items.hpp"
#include "support/random.hpp"

namespace boxcar::bench {
namespace {

std::vector<std::int32_t> random_destinations(const world& w, const setting& s) {
  const auto pes = static_cast<std::uint64_t>(w.size());
  const std::uint64_t first = static_cast<std::uint64_t>(w.rank()) * s.items;
  std::vector<std::int32_t> all(s.items);
  for (std::uint64_t i = 0; i < s.items; ++i) {
    all[i] = static_cast<std::int32_t>((examples::mix(first + i) >> 32) * pes >> 32);
  }
  return all;
}

template <std::size_t ItemBytes>
class alltoall_job final : public summed_items<ItemBytes> {
 public:
  alltoall_job(const world& w, const setting& s)
      : summed_items<ItemBytes>(w, random_destinations(w, s)) {}
};

}  // namespace

std::unique_ptr<benchmark> make_alltoall(world& w, const setting& s) {
  return with_item_size(s.item_bytes, [&]<std::size_t Bytes>(size_constant<Bytes>) {
    return make_one_way<alltoall_job<Bytes>>(w, s);
  });
}

}  // namespace boxcar::bench
