// K-mer counting: every PE has words of k letters of DNA, and sends each word to its owner PE. The
// owner counts the word in a hash table. Reading and cutting up the DNA is not measured.
#include "kmer.hpp"

#include <cstdint>
#include <tsl/robin_map.h>
#include <vector>

#include "job.hpp"
#include "kmer_source.hpp"
#include "one_way_benchmark.hpp"
#include "support/kmer.hpp"

namespace boxcar::bench {
namespace {

constexpr int kmer_length = 31;

class kmer_job final : public one_way<kmer_job, std::uint64_t> {
 public:
  kmer_job(const world& w, const setting& s)
      : pes_(w.size()),
        rank_(w.rank()),
        kmers_(s.file.empty() ? kmers_of_random_reads(w, kmer_length, s.items)
                              : kmers_of_file(w, kmer_length, s.file)) {
    if (s.items != 0 && s.items < kmers_.size()) kmers_.resize(s.items);
  }

  [[nodiscard]] std::uint64_t items() const override { return kmers_.size(); }
  [[nodiscard]] int destination(std::uint64_t i) const { return owner_of(kmers_[i]); }
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const { return kmers_[i]; }
  void apply(std::uint64_t kmer) { ++counts_[kmer]; }

  void clear() override { counts_.clear(); }
  // The first session makes the entries of the hash table that later sessions find.
  [[nodiscard]] bool can_repeat() const override { return false; }

  void check(world& w, std::uint64_t sessions) const override {
    for (const auto& [kmer, times] : counts_) {
      require(owner_of(kmer) == rank_, "a k-mer was counted on a PE that does not own it");
    }
    require(sessions * w.reduce(sent()) == w.reduce(counted()),
            "the counts are not those of the k-mers");
  }
  void check_alone(std::uint64_t sessions) const override {
    require(sessions * sent() == counted(), "the counts are not those of the k-mers");
  }

 private:
  [[nodiscard]] int owner_of(std::uint64_t kmer) const {
    return examples::owner_of_hash(examples::mix(kmer), pes_);
  }
  [[nodiscard]] std::uint64_t sent() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t kmer : kmers_) sum += examples::mix(kmer);
    return sum;
  }
  [[nodiscard]] std::uint64_t counted() const {
    std::uint64_t sum = 0;
    for (const auto& [kmer, times] : counts_) sum += times * examples::mix(kmer);
    return sum;
  }

  int pes_;
  int rank_;
  std::vector<std::uint64_t> kmers_;
  tsl::robin_map<std::uint64_t, std::uint64_t, examples::kmer_hash> counts_;
};

}  // namespace

std::unique_ptr<benchmark> make_kmer(world& w, const setting& s) {
  return make_one_way<kmer_job>(w, s);
}

}  // namespace boxcar::bench
