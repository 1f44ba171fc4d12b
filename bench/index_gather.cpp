// Index-gather: a table is distributed over all PEs, and every PE needs the values at a list of
// random places of the whole table.
#include "index_gather.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gather_loops.hpp"
#include "job.hpp"
#include "one_way_limit.hpp"
#include "support/random.hpp"

namespace boxcar::bench {
namespace {

class gather_job final : public two_way<gather_job, std::uint64_t, std::uint64_t>,
                         public table_job {
 public:
  gather_job(const world& w, const setting& s)
      : pes_(static_cast<std::uint64_t>(w.size())),
        rank_(static_cast<std::uint64_t>(w.rank())),
        table_(s.table_bytes / sizeof(std::uint64_t)),
        packed_(s.items),
        gathered_(s.items) {
    for (std::uint64_t place = 0; place < table_.size(); ++place) {
      table_[place] = value_at(place, rank_);
    }
    for (std::uint64_t i = 0; i < s.items; ++i) {
      const std::uint64_t random = examples::mix(rank_ * s.items + i);
      const std::uint64_t pe = (random >> 32) * pes_ >> 32;
      const std::uint64_t place = (random & 0xffffffff) * table_.size() >> 32;
      packed_[i] = place << pe_bits | pe;
    }
  }

  [[nodiscard]] std::uint64_t items() const override { return packed_.size(); }
  [[nodiscard]] int destination(std::uint64_t i) const {
    return static_cast<int>(packed_[i] & pe_mask);
  }
  [[nodiscard]] std::uint64_t query(std::uint64_t i) const { return packed_[i] >> pe_bits; }
  [[nodiscard]] std::uint64_t answer(std::uint64_t place) const { return table_[place]; }
  void receive(std::uint64_t i, std::uint64_t value) { gathered_[i] = value; }

  void clear() override { std::ranges::fill(gathered_, 0); }
  [[nodiscard]] bool can_repeat() const override { return false; }

  table_job* as_table() override { return this; }
  [[nodiscard]] access kind() const override { return access::fetch; }
  [[nodiscard]] std::span<std::uint64_t> table() override { return table_; }
  [[nodiscard]] target target_of(std::uint64_t i) const override {
    return {destination(i), query(i)};
  }
  void fetched(std::uint64_t i, std::uint64_t value) override { receive(i, value); }

  void check(world&, std::uint64_t) const override {
    for (std::uint64_t i = 0; i < items(); ++i) {
      require(gathered_[i] == value_at(query(i), packed_[i] & pe_mask),
              "a value is not that of its place");
    }
  }
  void check_alone(std::uint64_t) const override {
    for (std::uint64_t i = 0; i < items(); ++i) {
      require(gathered_[i] == table_[query(i)], "a value is not that of its place");
    }
  }

 private:
  static constexpr int pe_bits = 16;
  static constexpr std::uint64_t pe_mask = (std::uint64_t{1} << pe_bits) - 1;

  [[nodiscard]] std::uint64_t value_at(std::uint64_t place, std::uint64_t pe) const {
    return examples::mix(place * pes_ + pe) | 1;  // never the value that `clear` leaves
  }

  std::uint64_t pes_;
  std::uint64_t rank_;
  std::vector<std::uint64_t> table_;
  std::vector<std::uint64_t> packed_;  // place and PE of each query
  std::vector<std::uint64_t> gathered_;
};

// A query of the limit stores its number, as nothing else does, and is answered in place.
struct numbered_query {
  std::uint64_t query;
  std::uint64_t number;
};

class local_gather {
 public:
  using item_type = numbered_query;
  explicit local_gather(gather_job& job) : job_(job) {}
  [[nodiscard]] std::uint64_t items() const { return job_.items(); }
  [[nodiscard]] int destination(std::uint64_t i) const { return job_.destination(i); }
  [[nodiscard]] numbered_query at(std::uint64_t i) const { return {job_.query(i), i}; }
  void apply(const numbered_query& q) { job_.receive(q.number, job_.answer(q.query)); }

 private:
  gather_job& job_;
};

class index_gather final : public benchmark {
 public:
  index_gather(world& w, const setting& s) : world_(w), setting_(s), job_(w, s), local_(job_) {}

  [[nodiscard]] bench::job& job() override { return job_; }
  std::vector<std::unique_ptr<contender>> ours() override {
    return gather_forms(world_, setting_, job_);
  }
  std::unique_ptr<contender> limit() override {
    return std::make_unique<one_way_limit<local_gather>>(world_, setting_, local_, job_);
  }

 private:
  world& world_;
  setting setting_;
  gather_job job_;
  local_gather local_;
};

}  // namespace

std::unique_ptr<benchmark> make_index_gather(world& w, const setting& s) {
  return std::make_unique<index_gather>(w, s);
}

}  // namespace boxcar::bench
