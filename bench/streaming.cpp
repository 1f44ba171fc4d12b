// Streaming all-to-all (tram-thesis-2014, section 4.6): every PE sends items to all PEs, in rounds
// of one to each, in a random order that differs between PEs. The receiver reads every byte, and
// does nothing else.
#include "streaming.hpp"

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "one_way_benchmark.hpp"
#include "stream_loops.hpp"
#include "summed_items.hpp"
#include "support/random.hpp"

namespace boxcar::bench {
namespace {

std::vector<std::int32_t> round_after_round(const world& w, const setting& s) {
  const auto pes = static_cast<std::size_t>(w.size());
  std::vector<std::int32_t> order(pes);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t left = pes; left > 1; --left) {
    const auto random = examples::mix(static_cast<std::uint64_t>(w.rank()) << 32 | left);
    std::swap(order[left - 1], order[random % left]);
  }
  std::vector<std::int32_t> all(s.items);
  for (std::size_t i = 0, place = 0; i < all.size(); ++i) {
    all[i] = order[place];
    if (++place == pes) place = 0;
  }
  return all;
}

template <std::size_t ItemBytes>
class streaming_job final : public summed_items<ItemBytes> {
 public:
  streaming_job(const world& w, const setting& s)
      : summed_items<ItemBytes>(w, round_after_round(w, s)) {}
};

template <std::size_t ItemBytes>
class streaming final : public one_way_benchmark<streaming_job<ItemBytes>> {
  using by_conveyors = one_way_benchmark<streaming_job<ItemBytes>>;

 public:
  using by_conveyors::by_conveyors;

  std::vector<std::unique_ptr<contender>> ours() override {
    auto all = by_conveyors::ours();
    put_stream_first(all, "stream", this->world_, this->setting_,
                     stream_options_of(this->world_, this->setting_), this->job_);
    return all;
  }
};

}  // namespace

std::unique_ptr<benchmark> make_streaming(world& w, const setting& s) {
  return with_item_size(s.item_bytes,
                        [&]<std::size_t Bytes>(size_constant<Bytes>) -> std::unique_ptr<benchmark> {
                          return std::make_unique<streaming<Bytes>>(w, s);
                        });
}

}  // namespace boxcar::bench
