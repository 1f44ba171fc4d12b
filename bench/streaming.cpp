// Streaming all-to-all (tram-thesis-2014, section 4.6): every PE sends items to all PEs, in rounds
// of one to each, in an order that is random and another one on every PE. The receiver looks at
// every byte, and does nothing else.
#include "streaming.hpp"

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "one_way_limit.hpp"
#include "one_way_loops.hpp"
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
class streaming final : public benchmark {
 public:
  streaming(world& w, const setting& s) : world_(w), setting_(s), job_(w, s) {}

  [[nodiscard]] bench::job& job() override { return job_; }
  // The kinds are those of conveyors.
  std::vector<std::unique_ptr<contender>> ours() override {
    auto all = one_way_forms(world_, setting_, job_);
    if (setting_.kind != carrier::automatic) return all;
    all.insert(all.begin(), std::make_unique<by_stream<streaming_job<ItemBytes>>>(
                                "stream", world_, stream_options_of(world_, setting_), job_));
    return all;
  }
  std::unique_ptr<contender> limit() override {
    return std::make_unique<one_way_limit<streaming_job<ItemBytes>>>(world_, setting_, job_, job_);
  }

 private:
  world& world_;
  setting setting_;
  streaming_job<ItemBytes> job_;
};

}  // namespace

std::unique_ptr<benchmark> make_streaming(world& w, const setting& s) {
  return with_item_size(s.item_bytes,
                        [&]<std::size_t Bytes>(size_constant<Bytes>) -> std::unique_ptr<benchmark> {
                          return std::make_unique<streaming<Bytes>>(w, s);
                        });
}

}  // namespace boxcar::bench
