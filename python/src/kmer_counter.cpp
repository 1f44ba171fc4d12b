#include "kmer_counter.hpp"

#include <algorithm>
#include <array>

#include "collected_rows.hpp"
#include "kmer.hpp"
#include "kmer_table.hpp"
#include "row_exchange.hpp"

namespace boxcar::python {
namespace {

constexpr std::size_t letters_at_once = 1024;

// The counter of k-mers whose codes have so many words.
template <std::size_t Words>
class counter_of_words final : public kmer_counter {
 public:
  counter_of_words(int k, bool canonical) : canonical_(canonical), window_(k) {}

  void count(const world& w) override;
  [[nodiscard]] std::size_t size() const override { return table_.size(); }
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> spectrum() const override {
    return table_.spectrum();
  }
  void copy(std::uint64_t min_count, std::span<std::uint64_t> codes,
            std::span<std::int64_t> counts) const override {
    table_.copy(min_count, {reinterpret_cast<code*>(codes.data()), counts.size()}, counts);
  }
  void find(std::span<const std::uint64_t> codes, std::span<std::int64_t> counts) const override {
    table_.find({reinterpret_cast<const code*>(codes.data()), counts.size()}, counts);
  }

 private:
  using code = kmer_code<Words>;

  template <typename Send>
  void for_each_batch(const Send& send);

  bool canonical_;
  kmer_window<Words> window_;
  kmer_table<Words> table_;
};

// Calls `send(kmers)` for all k-mers of the letters, some at a time.
template <std::size_t Words>
template <typename Send>
void counter_of_words<Words>::for_each_batch(const Send& send) {
  std::array<code, letters_at_once> kmers;
  kmer_window<Words> window = window_;  // a local copy, which can be in registers
  for (std::span<const dna_letter> left = letters_; !left.empty();) {
    const std::span<const dna_letter> some = left.first(std::min(letters_at_once, left.size()));
    left = left.subspan(some.size());
    std::size_t n = 0;
    for (const dna_letter letter : some) {
      window.add(letter);
      kmers[n] = canonical_ ? window.canonical() : window.forward();
      n += static_cast<std::size_t>(window.has_kmer());
    }
    send(std::span<const code>(kmers.data(), n));
  }
  window_ = window;
}

template <std::size_t Words>
void counter_of_words<Words>::count(const world& w) {
  const auto add = [this](const std::byte* rows, std::size_t count) {
    table_.add({reinterpret_cast<const code*>(rows), count});
  };
  collected_rows arrivals(sizeof(code), letters_at_once, add);
  const take_rows take = [&](const run_of_rows& run) { arrivals.add(run); };
  row_session s(w, sizeof(code), "KmerCounter", take);
  const auto pes = static_cast<std::uint64_t>(w.size());
  std::array<std::int32_t, letters_at_once> to;
  for_each_batch([&](std::span<const code> kmers) {
    for (std::size_t i = 0; i < kmers.size(); ++i) {
      to[i] = kmer_table<Words>::pe_of_kmer(kmers[i], pes);
    }
    s.push(reinterpret_cast<const std::byte*>(kmers.data()), {to.data(), kmers.size()});
    sent_ += kmers.size();
  });
  s.finish();
  arrivals.hand_on();
  letters_.clear();
}

}  // namespace

std::unique_ptr<kmer_counter> make_kmer_counter(int k, bool canonical) {
  return with_words_of_kmer(k, [&]<std::size_t Words>() -> std::unique_ptr<kmer_counter> {
    return std::make_unique<counter_of_words<Words>>(k, canonical);
  });
}

}  // namespace boxcar::python
