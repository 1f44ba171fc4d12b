#include "mpi/alltoallv.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/item_rounds.hpp"

namespace boxcar::bench {
namespace {

class one_way_alltoallv final : public baseline {
 public:
  one_way_alltoallv(one_way_job& work, std::uint64_t items_of_a_round)
      : job_(work), rounds_(work, items_of_a_round) {}
  [[nodiscard]] std::string name() const override { return "alltoallv"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void run() override {
    const std::uint64_t rounds = rounds_.agree_on_number();
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const auto arrived = rounds_.exchange(round, {});
      job_.apply_all(arrived.items, arrived.n);
    }
  }

 private:
  one_way_job& job_;
  item_rounds rounds_;
};

// Replies come back to the places of their queries.
class two_way_alltoallv final : public baseline {
 public:
  two_way_alltoallv(two_way_job& work, std::uint64_t items_of_a_round)
      : job_(work),
        rounds_(work, items_of_a_round),
        kept_(rounds_.items()),
        taken_(rounds_.items() * work.reply_bytes()) {}
  [[nodiscard]] std::string name() const override { return "alltoallv"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void run() override {
    const std::uint64_t rounds = rounds_.agree_on_number();
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const auto arrived = rounds_.exchange(round, kept_);
      const std::size_t bytes = arrived.n * job_.reply_bytes();
      if (given_.size() < bytes) given_.resize(bytes);
      job_.answer_all(arrived.items, arrived.n, given_.data());
      rounds_.send_back(given_.data(), job_.reply_bytes(), taken_.data());
      job_.receive_all(rounds_.first_of(round), rounds_.first_of(round + 1), taken_.data(), kept_);
    }
  }

 private:
  two_way_job& job_;
  item_rounds rounds_;
  std::vector<std::uint32_t> kept_;
  std::vector<std::byte> given_;
  std::vector<std::byte> taken_;
};

}  // namespace

void make_alltoallv(job& work, std::uint64_t items_of_a_round, baselines& all) {
  if (one_way_job* one = work.as_one_way()) {
    all.push_back(std::make_unique<one_way_alltoallv>(*one, items_of_a_round));
  } else if (two_way_job* two = work.as_two_way()) {
    all.push_back(std::make_unique<two_way_alltoallv>(*two, items_of_a_round));
  }
}

}  // namespace boxcar::bench
