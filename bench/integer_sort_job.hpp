// The job of the integer sort of the NAS Parallel Benchmarks (IS, NPB 3.4): keys are sent to the
// owner PE of their bucket, and counted there; the counts give the rank of every key.
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
// session (`clear`). Buckets are assigned to PEs so that all PEs get about as many keys. The
// assignment is made anew before each iteration, as all PEs know the number of keys in all buckets
// and the changing keys.
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

  // The largest number of keys that this PE gets in any iteration.
  [[nodiscard]] std::size_t max_arriving() const { return max_arriving_; }

  void clear() override;
  [[nodiscard]] bool can_repeat() const override { return false; }
  [[nodiscard]] std::uint64_t min_sessions() const override { return iterations; }

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
  std::uint64_t first_;  // position of the PE's first key
  int bucket_shift_;
  std::uint64_t iteration_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> changing_;  // the initial keys of all positions with changes
  std::vector<std::uint32_t> tested_;    // the tested keys
  std::vector<std::int32_t> pe_of_bucket_;
  std::size_t max_arriving_ = 0;
  // The counts of the keys received by this PE, and at the end of invalid keys.
  std::vector<std::uint32_t> counts_;
  // The number of keys of all PEs in each bucket, in this iteration.
  std::vector<std::uint64_t> keys_in_bucket_;
  std::vector<std::uint32_t> changed_;  // the keys of all positions with changes
  std::uint64_t sum_ = 0;               // a checksum of all keys
};

}  // namespace boxcar::bench
