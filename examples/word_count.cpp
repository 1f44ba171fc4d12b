// Word count: each PE reads its share of a text, and counts the words in a map over all PEs. Words
// may have any length. The result is compared with a serial count.
//
//   boxcar run -n 4 -- word_count FILE

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/text_share.hpp"

namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";
using word_counts = boxcar::distributed_map<std::string, std::uint64_t>;

// Removes the next word from `text` and returns it; empty at the end.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

// Collective. Counts the words of the PE's text with those of the other PEs; returns the number of
// words in the text. Counts of frequent words meet on this PE before they are sent.
std::uint64_t count(word_counts& counts, std::string_view text) {
  const auto add =
      counts.visitor([](const std::string&, std::uint64_t& n, std::uint64_t more) { n += more; });
  auto sums = counts.combine(add);
  std::uint64_t words = 0;
  const boxcar::session s = counts.begin();
  for (auto word = next_word(text); !word.empty(); word = next_word(text), ++words) {
    counts.tell(std::string(word), sums, 1);
  }
  counts.finish();
  return words;
}

// Collective. Compares the counts with a serial count of the whole text; returns the number of
// different words.
std::uint64_t check(word_counts& counts, std::string_view text) {
  std::unordered_map<std::string_view, std::uint64_t> right;
  for (auto word = next_word(text); !word.empty(); word = next_word(text)) ++right[word];
  for (const auto& [word, n] : counts.local()) {
    const auto found = right.find(word);
    examples::require(found != right.end() && found->second == n, "a word was not counted once");
  }
  const std::uint64_t distinct = counts.size();
  examples::require(distinct == right.size(), "there are more or fewer different words");
  return distinct;
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Counts the words of a text.");
    const std::string path = given.file("the text");
    if (!given.complete(w)) return;
    const auto share_of = [&](int index, int of) {
      return examples::read_share(path, static_cast<std::uint64_t>(index),
                                  static_cast<std::uint64_t>(of), blanks);
    };
    word_counts counts(w);
    const std::uint64_t total = w.reduce(count(counts, share_of(w.rank(), w.size())));
    const std::uint64_t distinct = check(counts, share_of(0, 1));
    std::uint64_t most = 0;
    for (const auto& [word, n] : counts.local()) most = std::max(most, n);
    most = w.reduce(most, boxcar::maximum{});
    if (w.rank() == 0) {
      std::printf("%s words, %s of them distinct; the most frequent occurs %s times\n",
                  examples::with_commas(total).c_str(), examples::with_commas(distinct).c_str(),
                  examples::with_commas(most).c_str());
    }
  });
}
