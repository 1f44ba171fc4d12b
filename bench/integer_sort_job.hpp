// What there is to do in the integer sort of the NAS Parallel Benchmarks (IS, NPB 3.4): keys are
// sent to the PE that owns their bucket, and counted there; how many of each there are says the
// rank of every key.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <boxcar/world.hpp>

#include "integer_sort_class.hpp"
#include "job.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// A session is the exchange of keys of one of ten iterations, in turn: two keys change before each
// (`clear`). Buckets go to PEs so that all get about as many keys: in each iteration anew, and
// before it, for all PEs know how many keys there are in all buckets and which ones change.
class integer_sort_job final : public one_way<integer_sort_job, std::uint32_t> {
 public:
  // Collective.
  integer_sort_job(world& w, const integer_sort_class& what);
  integer_sort_job(world& w, const setting& s)
      : integer_sort_job(w, integer_sort_class_of(s.problem_class)) {}

  [[nodiscard]] std::uint64_t items() const override { return keys_.size(); }
  [[nodiscard]] int destination(std::uint64_t i) const {
    return pe_of_bucket_[keys_[i] >> bucket_shift_];
  }
  [[nodiscard]] std::uint32_t at(std::uint64_t i) const { return keys_[i]; }
  void apply(std::uint32_t key) {
    ++counts_[std::min(static_cast<std::size_t>(key), counts_.size() - 1)];
  }

  // How many keys this PE will get in any iteration, at most.
  [[nodiscard]] std::size_t most_arriving() const { return most_arriving_; }

  void clear() override;
  [[nodiscard]] bool can_repeat() const override { return false; }
  [[nodiscard]] std::uint64_t least_sessions() const override { return iterations; }

  void check(world& w, std::uint64_t sessions) const override;
  void check_alone(std::uint64_t sessions) const override;

 private:
  static constexpr std::uint64_t iterations = 10;

  [[nodiscard]] static std::vector<std::uint32_t> keys_from(const integer_sort_class& what,
                                                            std::uint64_t first,
                                                            std::uint64_t last);
  void begin_next_iteration();
  void change(std::uint64_t position, std::uint32_t key);
  void assign_buckets();
  [[nodiscard]] std::size_t arriving() const;
  [[nodiscard]] std::uint64_t sum_of_counts() const;
  void check_ranks(std::int64_t keys_before) const;

  const integer_sort_class& what_;
  int pes_;
  int rank_;
  std::uint64_t all_keys_;
  std::uint64_t first_;  // position of this PE's first key
  int bucket_shift_;
  std::uint64_t iteration_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> changing_;  // the keys of all positions that change, at first
  std::vector<std::uint32_t> tested_;    // the tested keys
  std::vector<std::int32_t> pe_of_bucket_;
  std::size_t most_arriving_ = 0;
  // By what this PE got: how often each key came, and at the end, what can be no key.
  std::vector<std::uint32_t> counts_;
  // Of all PEs, in this iteration.
  std::vector<std::uint64_t> keys_in_bucket_;
  std::vector<std::uint32_t> changed_;  // the keys of all positions that change
  std::uint64_t sum_ = 0;               // tells one multitude of keys from another
};

}  // namespace boxcar::bench
