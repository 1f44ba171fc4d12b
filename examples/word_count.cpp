// Word count: every PE reads its share of a text, and sends each word, unchanged, to its counting
// PE. Words may have any length.
//
//   boxcar run -n 4 -- word_count FILE

#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/text_share.hpp"

namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";
using word_counts = std::unordered_map<std::string, std::uint64_t>;

int owner_of(std::string_view word, int pes) {
  return static_cast<int>(std::hash<std::string_view>()(word) % static_cast<std::size_t>(pes));
}

// Removes the next word from `text` and returns it; empty at the end.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

word_counts count(boxcar::world& w, std::string_view text, std::uint64_t& sent) {
  word_counts counts;
  boxcar::exchange<std::string>(
      w,
      [&](auto& out) {
        for (auto word = next_word(text); !word.empty(); word = next_word(text), ++sent) {
          out.push(word, owner_of(word, w.size()));
        }
      },
      [&](std::string_view word) { ++counts[std::string(word)]; });
  return counts;
}

void print(boxcar::world& w, const word_counts& counts, std::uint64_t total) {
  const std::uint64_t distinct = w.reduce(std::uint64_t{counts.size()});
  std::uint64_t most = 0;
  for (const auto& [word, n] : counts) most = std::max(most, n);
  most = w.reduce(most, boxcar::maximum{});
  if (w.rank() == 0) {
    std::printf("%s words, %s of them distinct; the most frequent occurs %s times\n",
                examples::with_commas(total).c_str(), examples::with_commas(distinct).c_str(),
                examples::with_commas(most).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Counts the words of a text.");
    const std::string path = given.file("the text");
    if (!given.complete(w)) return;
    const auto pes = static_cast<std::uint64_t>(w.size());
    const std::string text =
        examples::read_share(path, static_cast<std::uint64_t>(w.rank()), pes, blanks);
    std::uint64_t sent = 0;
    const word_counts counts = count(w, text, sent);
    std::uint64_t counted = 0;
    for (const auto& [word, n] : counts) counted += n;
    const std::uint64_t total = w.reduce(sent);
    examples::require(w.reduce(counted) == total, "not every word was counted once");
    print(w, counts, total);
  });
}
