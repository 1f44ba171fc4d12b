#include "kmer_counter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "collected_rows.hpp"
#include "row_exchange.hpp"

namespace boxcar::python {
namespace {

constexpr std::size_t letters_at_once = 1024;

}  // namespace

// `send(kmers)` for all k-mers of the letters, some at a time.
template <typename Send>
void kmer_counter::for_each_batch(const Send& send) {
  std::array<std::uint64_t, letters_at_once> kmers;
  kmer_window window = window_;  // a local copy, which can be in registers
  for (std::span<const dna_letter> left = letters_; !left.empty();) {
    const std::span<const dna_letter> some = left.first(std::min(letters_at_once, left.size()));
    left = left.subspan(some.size());
    std::size_t n = 0;
    for (const dna_letter letter : some) {
      window.add(letter);
      kmers[n] = canonical_ ? window.canonical() : window.forward();
      n += static_cast<std::size_t>(window.has_kmer());
    }
    send(std::span<const std::uint64_t>(kmers.data(), n));
  }
  window_ = window;
}

void kmer_counter::count(const world& w) {
  const auto add = [this](const std::byte* rows, std::size_t count) {
    table_.add({reinterpret_cast<const std::uint64_t*>(rows), count});
  };
  collected_rows arrivals(sizeof(std::uint64_t), letters_at_once, add);
  const take_rows take = [&](const run_of_rows& run) { arrivals.add(run); };
  row_session s(w, sizeof(std::uint64_t), "KmerCounter", take);
  const auto pes = static_cast<std::uint64_t>(w.size());
  std::array<std::int32_t, letters_at_once> to;
  for_each_batch([&](std::span<const std::uint64_t> kmers) {
    for (std::size_t i = 0; i < kmers.size(); ++i) to[i] = kmer_table::pe_of_kmer(kmers[i], pes);
    s.push(reinterpret_cast<const std::byte*>(kmers.data()), {to.data(), kmers.size()});
    sent_ += kmers.size();
  });
  s.finish();
  arrivals.hand_on();
  letters_.clear();
}

}  // namespace boxcar::python
