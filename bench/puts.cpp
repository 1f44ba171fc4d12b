// Puts: every PE puts a block into the memory of every other, and each learns when all are there
// (counting-puts-2014, "All-to-All Bandwidth"). For comparison every PE also gets the blocks of the
// others.
#include "puts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boxcar/counter.hpp>
#include <boxcar/window.hpp>

#include "all_to_all_blocks.hpp"
#include "one_sided_benchmark.hpp"
#include "other_pes.hpp"

namespace boxcar::bench {
namespace {

using word = all_to_all_blocks::word;

// The receive buffers of the blocks, one behind the other in the order of PEs. There is room for
// two exchanges, in turn: when a PE has all blocks of an exchange, all PEs have taken the blocks of
// the exchange before.
class rooms {
 public:
  rooms(world& w, const all_to_all_blocks& all)
      : rank_(all.rank()),
        pes_(all.pes()),
        words_(all.words()),
        memory_(w, 2 * static_cast<std::size_t>(pes_) * words_) {}

  void clear() { std::ranges::fill(memory_.local(), 0); }
  void begin_exchange() { turn_ ^= 1; }
  // The buffer in use: 0 or 1.
  [[nodiscard]] std::size_t turn() const { return turn_; }

  template <typename Action>
  void for_others(const Action& action) const {
    for_other_pes(rank_, pes_, action);
  }
  // Puts this PE's block into the memory of another PE; with a counter, counted.
  template <typename... Counter>
  void put(std::span<const word> block, int pe, const Counter&... counted) {
    if (words_ == 1) {
      memory_.put(block[0], pe, place_of(rank_), counted...);
    } else {
      memory_.put(block, pe, place_of(rank_), counted...);
    }
  }
  void fence() { memory_.fence(); }
  void flush() { memory_.flush(); }
  [[nodiscard]] const word* from(int pe) const { return memory_.local().data() + place_of(pe); }

 private:
  [[nodiscard]] std::size_t place_of(int pe) const {
    return (turn_ * static_cast<std::size_t>(pes_) + static_cast<std::size_t>(pe)) * words_;
  }

  int rank_;
  int pes_;
  std::size_t words_;
  window<word> memory_;
  std::size_t turn_ = 0;
};

// Computes the number of blocks to wait for before an exchange is complete. Blocks of the next
// exchange may come meanwhile, and are counted apart.
class expected_blocks {
 public:
  explicit expected_blocks(const all_to_all_blocks& all) : others_(all.others()) {}
  void clear() { counts_ = {}; }
  word next(std::size_t turn) { return counts_[turn] += others_; }

 private:
  word others_;
  std::array<word, 2> counts_{};
};

// --- Means to learn of the arrival of blocks -----------------------------------------------------

class by_barrier {
 public:
  static constexpr const char* name = "put, barrier";
  by_barrier(world& w, const all_to_all_blocks&) : world_(w) {}
  // Precondition: nothing has been put yet.
  void begin() {}
  void put_to_others(rooms& all, std::span<const word> block) {
    all.for_others([&](int pe) { all.put(block, pe); });
  }
  // Waits for the puts of all other PEs.
  void wait(rooms& all) {
    all.flush();
    world_.barrier();
  }

 private:
  world& world_;
};

class by_flags {
 public:
  static constexpr const char* name = "put_and_flag";
  by_flags(world& w, const all_to_all_blocks& all) : flags_(w, 2), expected_(all) {}
  void begin() {
    std::ranges::fill(flags_.local(), 0);
    expected_.clear();
  }
  void put_to_others(rooms& all, std::span<const word> block) {
    all.for_others([&](int pe) { all.put(block, pe); });
    all.fence();
    all.for_others([&](int pe) { flags_.add(1, pe, all.turn()); });
  }
  void wait(rooms& all) {
    flags_.wait_until(all.turn(),
                      [n = expected_.next(all.turn())](word seen) { return seen >= n; });
  }

 private:
  window<word> flags_;
  expected_blocks expected_;
};

class by_counting {
 public:
  static constexpr const char* name = "counting_put";
  by_counting(world& w, const all_to_all_blocks& all)
      : counters_{counter(w), counter(w)}, expected_(all) {}
  void begin() {
    for (counter& c : counters_) c.set(0);
    expected_.clear();
  }
  void put_to_others(rooms& all, std::span<const word> block) {
    all.for_others([&](int pe) { all.put(block, pe, counters_[all.turn()]); });
  }
  void wait(rooms& all) {
    counters_[all.turn()].wait(static_cast<std::int64_t>(expected_.next(all.turn())));
  }

 private:
  std::array<counter, 2> counters_;
  expected_blocks expected_;
};

template <typename Completion>
class puts_contender final : public contender {
 public:
  puts_contender(world& w, all_to_all_blocks& all)
      : world_(w), all_(all), rooms_(w, all), completion_(w, all) {}
  [[nodiscard]] std::string name() const override { return Completion::name; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return all_; }
  void prepare() override {
    rooms_.clear();
    completion_.begin();
    world_.barrier();
  }
  void run() override {
    const std::uint64_t n = all_.exchanges();
    for (std::uint64_t i = 0; i < n; ++i) {
      rooms_.begin_exchange();
      completion_.put_to_others(rooms_, all_.next());
      completion_.wait(rooms_);
      rooms_.for_others([this](int pe) { all_.take(pe, rooms_.from(pe)); });
    }
  }

 private:
  world& world_;
  all_to_all_blocks& all_;
  rooms rooms_;
  Completion completion_;
};

// A contender in which every PE gets the block of every other PE.
class gets_contender final : public contender {
 public:
  gets_contender(world& w, all_to_all_blocks& all)
      : world_(w),
        all_(all),
        exposed_{window<word>(w, all.words()), window<word>(w, all.words())},
        arrived_(static_cast<std::size_t>(all.pes()) * all.words()) {}
  [[nodiscard]] std::string name() const override { return "get"; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return all_; }
  void prepare() override {
    for (std::size_t i = 0; i != exposed_.size(); ++i) {
      std::ranges::copy(all_.sent()[i], exposed_[i].local().begin());
    }
  }
  void run() override {
    const std::uint64_t n = all_.exchanges();
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto block = all_.next();
      window<word>& blocks = block.data() == all_.sent()[0].data() ? exposed_[0] : exposed_[1];
      blocks.local().front() = block.front();  // what differs between exchanges
      blocks.local().back() = block.back();
      world_.barrier();
      for_other_pes(all_.rank(), all_.pes(), [&](int pe) { blocks.get_nbi(place_of(pe), pe, 0); });
      blocks.flush();
      for_other_pes(all_.rank(), all_.pes(), [&](int pe) { all_.take(pe, place_of(pe).data()); });
    }
  }

 private:
  std::span<word> place_of(int pe) {
    return std::span(arrived_).subspan(static_cast<std::size_t>(pe) * all_.words(), all_.words());
  }

  world& world_;
  all_to_all_blocks& all_;
  std::array<window<word>, 2> exposed_;  // the blocks of this PE, which others get in turn
  std::vector<word> arrived_;
};

// A contender in which PE 0 copies its blocks to other places in its own memory.
class copies_of_one final : public contender {
 public:
  copies_of_one(world&, all_to_all_blocks& all) : all_(all) {}
  [[nodiscard]] std::string name() const override { return "limit"; }
  [[nodiscard]] bench::role role() const override { return bench::role::limit; }
  [[nodiscard]] bench::job& job() override { return all_; }
  void run() override {
    if (all_.rank() != 0) return;
    copies_.resize(all_.others() * all_.words());
    for (std::uint64_t i = 0; i < all_.exchanges(); ++i) {
      const auto block = all_.next();
      word* copy = copies_.data();
      for (int pe = 1; pe < all_.pes(); ++pe, copy += block.size()) {
        std::ranges::copy(block, copy);
        all_.take(pe, copy);
      }
    }
  }

 private:
  all_to_all_blocks& all_;
  std::vector<word> copies_;
};

}  // namespace

std::unique_ptr<benchmark> make_puts(world& w, const setting& s) {
  return std::make_unique<
      one_sided_benchmark<all_to_all_blocks, copies_of_one, puts_contender<by_counting>,
                          puts_contender<by_flags>, puts_contender<by_barrier>, gets_contender>>(w,
                                                                                                 s);
}

}  // namespace boxcar::bench
