#include "integer_sort_job.hpp"

#include <numeric>
#include <string>

#include "nas_random.hpp"
#include "support/random.hpp"

namespace boxcar::bench {

integer_sort_job::integer_sort_job(world& w, const integer_sort_class& what)
    : what_(what),
      pes_(w.size()),
      rank_(w.rank()),
      all_keys_(std::uint64_t{1} << what.keys_bits),
      bucket_shift_(what.range_bits - what.buckets_bits),
      changing_(keys_from(what, 0, 2 * iterations + 1)),
      pe_of_bucket_(std::size_t{1} << what.buckets_bits),
      counts_((std::size_t{1} << what.range_bits) + 1),
      keys_in_bucket_(pe_of_bucket_.size()),
      changed_(changing_) {
  const auto begin_of = [&](int pe) {
    return all_keys_ * static_cast<std::uint64_t>(pe) / static_cast<std::uint64_t>(pes_);
  };
  first_ = begin_of(rank_);
  keys_ = keys_from(what, first_, begin_of(rank_ + 1));
  for (const auto& tested : what.tested) {
    tested_.push_back(keys_from(what, tested.position, tested.position + 1).front());
  }
  for (const std::uint32_t key : keys_) {
    ++keys_in_bucket_[key >> bucket_shift_];
    sum_ += examples::mix(key);
  }
  keys_in_bucket_ = w.reduce(std::move(keys_in_bucket_));
  sum_ = w.reduce(sum_);
  for (std::uint64_t i = 0; i < iterations; ++i) {
    begin_next_iteration();
    max_arriving_ = std::max(max_arriving_, arriving());
  }
}

// A key is a quarter of the range times the sum of four random numbers between 0 and 1.
std::vector<std::uint32_t> integer_sort_job::keys_from(const integer_sort_class& what,
                                                       std::uint64_t first, std::uint64_t last) {
  constexpr std::uint64_t numbers = 4;
  constexpr int quarter_bits = 2;
  nas_random random(numbers * first);
  std::vector<std::uint32_t> keys(last - first);
  for (std::uint32_t& key : keys) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < numbers; ++i) sum += random.next();
    key = static_cast<std::uint32_t>(sum >> (nas_random::bits - (what.range_bits - quarter_bits)));
  }
  return keys;
}

void integer_sort_job::clear() {
  begin_next_iteration();
  std::ranges::fill(counts_, 0);
}

// Changes of iterations stay, until the iterations begin again.
void integer_sort_job::begin_next_iteration() {
  iteration_ = iteration_ % iterations + 1;
  if (iteration_ == 1) {
    for (std::uint64_t i = 0; i < changing_.size(); ++i) change(i, changing_[i]);
  }
  const auto range = static_cast<std::uint32_t>(counts_.size() - 1);
  const auto low = static_cast<std::uint32_t>(iteration_);
  change(iteration_, low);
  change(iteration_ + iterations, range - low);
  assign_buckets();
}

void integer_sort_job::change(std::uint64_t position, std::uint32_t key) {
  std::uint32_t& old = changed_[position];
  --keys_in_bucket_[old >> bucket_shift_];
  ++keys_in_bucket_[key >> bucket_shift_];
  sum_ += examples::mix(key) - examples::mix(old);
  old = key;
  if (first_ <= position && position < first_ + keys_.size()) keys_[position - first_] = key;
}

// As in NPB: a PE gets buckets until the PE and its predecessors have their share of the keys. If
// there are few buckets, the last PEs get none.
void integer_sort_job::assign_buckets() {
  std::uint64_t keys = 0;
  int pe = 0;
  for (std::size_t bucket = 0; bucket < keys_in_bucket_.size(); ++bucket) {
    pe_of_bucket_[bucket] = pe;
    keys += keys_in_bucket_[bucket];
    const auto share_ends = static_cast<std::uint64_t>(pe + 1);
    if (pe + 1 < pes_ && keys * static_cast<std::uint64_t>(pes_) >= share_ends * all_keys_) ++pe;
  }
}

std::size_t integer_sort_job::arriving() const {
  std::size_t keys = 0;
  for (std::size_t bucket = 0; bucket < keys_in_bucket_.size(); ++bucket) {
    if (pe_of_bucket_[bucket] == rank_) keys += keys_in_bucket_[bucket];
  }
  return keys;
}

std::uint64_t integer_sort_job::sum_of_counts() const {
  std::uint64_t sum = 0;
  for (std::size_t key = 0; key < counts_.size(); ++key) sum += counts_[key] * examples::mix(key);
  return sum;
}

// NPB's full verification puts every key in its place, and checks that the keys ascend. Counts by
// key can be wrong only from PE to PE. The check here also compares the received keys with the sent
// keys.
void integer_sort_job::check(world& w, std::uint64_t) const {
  const auto is_there = [](std::uint32_t n) { return n != 0; };
  const auto first = std::ranges::find_if(counts_, is_there);
  const auto last = std::find_if(counts_.rbegin(), counts_.rend(), is_there);
  const auto smallest = static_cast<std::int64_t>(first - counts_.begin());
  const auto largest = static_cast<std::int64_t>(counts_.rend() - last) - 1;  // -1: none is there
  const auto keys = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
  const std::int64_t largest_before = w.exclusive_scan(largest, -1, maximum());
  const std::int64_t keys_before = w.exclusive_scan(keys, 0);
  const bool same_keys = w.reduce(sum_of_counts()) == sum_;
  require(counts_.back() == 0, "there is a key that can be none");
  require(same_keys, "the keys that arrived are not those that were sent");
  require(keys == 0 || smallest >= largest_before,
          "the keys of this PE are not all larger than those of the PEs before");
  check_ranks(keys_before);
}

// NPB's partial verification.
void integer_sort_job::check_ranks(std::int64_t keys_before) const {
  for (std::size_t i = 0; i < tested_.size(); ++i) {
    const std::uint32_t key = tested_[i];
    if (pe_of_bucket_[key >> bucket_shift_] != rank_) continue;
    const std::int64_t rank = std::accumulate(counts_.begin(), counts_.begin() + key, keys_before);
    const auto iteration = static_cast<int>(iteration_);
    const std::int64_t right = what_.tested[i].rank_in(iteration);
    if (rank == right) continue;
    throw wrong_result("in iteration " + std::to_string(iteration) + " of class " +
                       std::string(what_.name) + " tested key " + std::to_string(i) + " has rank " +
                       std::to_string(rank) + " instead of " + std::to_string(right));
  }
}

void integer_sort_job::check_alone(std::uint64_t) const {
  std::vector<std::uint32_t> right(counts_.size());
  for (const std::uint32_t key : keys_) ++right[key];
  require(counts_ == right, "the keys that were counted are not those of the PE");
}

}  // namespace boxcar::bench
