// The limit of a job of sent items: one core partitions the same items into as many buffers as
// there are PEs, and processes a buffer when it is full. No item leaves the core, so that the
// result is the limit of the machine without any communication.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/world.hpp>

#include "contender.hpp"
#include "setting.hpp"

namespace boxcar::bench {

template <typename Job>
class one_way_limit final : public contender {
 public:
  // Buffers have the size that Boxcar chooses in the same place, unless the setting gives a size.
  // `whole` is the job of which `job` is a part, or `job` itself.
  one_way_limit(const world& w, const setting& s, Job& job, bench::job& whole)
      : works_(w.rank() == 0),
        job_(job),
        whole_(whole),
        capacity_(std::max<std::size_t>(buffer_bytes_of(w, s) / sizeof(item_type), 1)) {
    if (!works_) return;
    buffers_.resize(static_cast<std::size_t>(w.size()) * capacity_);
    ends_.resize(static_cast<std::size_t>(w.size()));
  }

  [[nodiscard]] std::string name() const override { return "limit"; }
  [[nodiscard]] bench::role role() const override { return bench::role::limit; }
  [[nodiscard]] bench::job& job() override { return whole_; }

  void run() override {
    if (!works_) return;
    for (std::size_t pe = 0; pe < ends_.size(); ++pe) ends_[pe] = buffer_of(pe);
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto pe = static_cast<std::size_t>(job_.destination(i));
      item_type* end = ends_[pe];
      *end++ = job_.at(i);
      if (end == buffer_of(pe) + capacity_) [[unlikely]] {
        apply_all(pe, end);
        end = buffer_of(pe);
      }
      ends_[pe] = end;
    }
    for (std::size_t pe = 0; pe < ends_.size(); ++pe) apply_all(pe, ends_[pe]);
  }

 private:
  using item_type = typename Job::item_type;

  static std::size_t buffer_bytes_of(const world& w, const setting& s) {
    if (s.buffer_bytes != 0) return s.buffer_bytes;
    return conveyor<item_type>(w, {.hops = 1, .buffers_per_link = s.buffers}).buffer_bytes();
  }

  item_type* buffer_of(std::size_t pe) { return buffers_.data() + pe * capacity_; }
  void apply_all(std::size_t pe, const item_type* end) {
    for (const item_type* item = buffer_of(pe); item != end; ++item) job_.apply(*item);
  }

  bool works_;
  Job& job_;
  bench::job& whole_;
  std::size_t capacity_;            // items in a buffer
  std::vector<item_type> buffers_;  // one per PE
  std::vector<item_type*> ends_;
};

}  // namespace boxcar::bench
