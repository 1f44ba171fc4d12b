// HPC Challenge RandomAccess: a table is distributed over all PEs, and every PE updates random
// words of the whole table: an update combines the word with a random number by xor. The random
// numbers are the sequence of HPC Challenge, of which every PE computes its stretch; each random
// number determines the PE and the word. HPC Challenge lets a PE hold back at most 1024 updates,
// and allows one lost update in a hundred. The benchmark runs within the bound of 1024, and
// without; no update may be lost.
//
// The highest bits of a random number determine the PE and the lowest the word, so that any number
// of PEs will do; HPC Challenge takes neighbouring bits.
#include "random_access.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "job.hpp"
#include "one_way_benchmark.hpp"
#include "stream_loops.hpp"

namespace boxcar::bench {
namespace {

// The sequence of HPC Challenge: powers of x in the field of polynomials modulo x^64 + x^2 + x + 1,
// whose coefficients are bits.
class random_sequence {
 public:
  // Begins with number `n` of the sequence.
  explicit random_sequence(std::uint64_t n) {
    std::uint64_t power = 2;  // x to the powers of 2
    for (; n != 0; n >>= 1) {
      if (n & 1) value_ = product(value_, power);
      power = product(power, power);
    }
  }
  std::uint64_t next() {
    const std::uint64_t now = value_;
    value_ = times_x(value_);
    return now;
  }

 private:
  static std::uint64_t times_x(std::uint64_t a) { return a << 1 ^ (a >> 63) * 7; }
  static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    for (; b != 0; b >>= 1, a = times_x(a)) sum ^= (b & 1) * a;
    return sum;
  }

  std::uint64_t value_ = 1;
};

class random_access_job final : public one_way<random_access_job, std::uint64_t>, public table_job {
 public:
  random_access_job(const world& w, const setting& s)
      : pes_(static_cast<std::uint64_t>(w.size())),
        rank_(static_cast<std::uint64_t>(w.rank())),
        table_(s.table_bytes / sizeof(std::uint64_t)),
        updates_(s.items) {
    random_sequence random(rank_ * s.items);
    for (std::uint64_t& update : updates_) update = random.next();
    clear();
  }

  [[nodiscard]] std::uint64_t items() const override { return updates_.size(); }
  [[nodiscard]] int destination(std::uint64_t i) const { return pe_of_update(updates_[i]); }
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const { return updates_[i]; }
  void apply(std::uint64_t update) { table_[word_of(update)] ^= update; }

  void clear() override { table_ = first_table(); }
  // Two sessions cancel each other out.
  [[nodiscard]] bool can_repeat() const override { return false; }

  table_job* as_table() override { return this; }
  [[nodiscard]] access kind() const override { return access::combine_xor; }
  [[nodiscard]] std::span<std::uint64_t> table() override { return table_; }
  [[nodiscard]] target target_of(std::uint64_t i) const override {
    return {destination(i), word_of(updates_[i])};
  }
  [[nodiscard]] std::uint64_t value_of(std::uint64_t i) const override { return updates_[i]; }

  // The right result is unique, and computed once: all updates of all PEs, in any order.
  void check(world& w, std::uint64_t) const override {
    if (right_.empty()) {
      right_ = first_table();
      random_sequence random(0);
      for (std::uint64_t i = 0; i < pes_ * items(); ++i) {
        const std::uint64_t update = random.next();
        if (static_cast<std::uint64_t>(pe_of_update(update)) == rank_) {
          right_[word_of(update)] ^= update;
        }
      }
    }
    check_table(w.reduce(wrong_words(right_)));
  }
  void check_alone(std::uint64_t) const override {
    std::vector<std::uint64_t> right = first_table();
    for (const std::uint64_t update : updates_) right[word_of(update)] ^= update;
    check_table(wrong_words(right));
  }

 private:
  [[nodiscard]] int pe_of_update(std::uint64_t update) const {
    return static_cast<int>((update >> 32) * pes_ >> 32);
  }
  [[nodiscard]] std::uint64_t word_of(std::uint64_t update) const {
    return update & (table_.size() - 1);
  }
  [[nodiscard]] std::vector<std::uint64_t> first_table() const {
    std::vector<std::uint64_t> table(table_.size());
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = rank_ * table.size() + i;
    return table;
  }
  [[nodiscard]] std::uint64_t wrong_words(const std::vector<std::uint64_t>& right) const {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < right.size(); ++i) wrong += table_[i] != right[i];
    return wrong;
  }
  static void check_table(std::uint64_t wrong) {
    require(wrong == 0, (std::to_string(wrong) + " words of the table are wrong").c_str());
  }

  std::uint64_t pes_;
  std::uint64_t rank_;
  std::vector<std::uint64_t> table_;
  std::vector<std::uint64_t> updates_;
  mutable std::vector<std::uint64_t> right_;  // the expected table; empty: not computed yet
};

class random_access final : public one_way_benchmark<random_access_job> {
 public:
  using one_way_benchmark::one_way_benchmark;

  std::vector<std::unique_ptr<contender>> ours() override {
    auto all = one_way_benchmark::ours();
    const stream_options unbounded = stream_options_of(world_, setting_);
    stream_options bounded = unbounded;
    bounded.look_ahead = look_ahead;
    if (world_.size() > static_cast<int>(look_ahead) && !bounded.way) {
      bounded.way = route::balanced(world_.size(), 2);
    }
    put_stream_first(all, "stream, 1024 ahead", world_, setting_, bounded, job_);
    put_stream_first(all, "stream", world_, setting_, unbounded, job_);
    return all;
  }

 private:
  static constexpr std::size_t look_ahead = 1024;
};

}  // namespace

std::unique_ptr<benchmark> make_random_access(world& w, const setting& s) {
  return std::make_unique<random_access>(w, s);
}

}  // namespace boxcar::bench
