#include "collective_runs.hpp"

#include <algorithm>
#include <array>

namespace boxcar::bench {
namespace {

using word = collective_job::word;

// The shape of a collective for a PE: the number of blocks of its input and its output, and the
// number of source PEs, from `first` on, whose blocks the output has, combined or not.
struct shape {
  word given = 0;
  word got = 0;
  word from = 0;
};

struct known_collective {
  std::string_view name;
  shape (*shape_of)(word rank, word pes);
};

word if_root(word rank, word n) {
  return rank == 0 ? n : 0;
}

// Roots are PE 0. A broadcast has its input and output in the same place.
constexpr std::array<known_collective, 11> known{{
    {"barrier", [](word, word) -> shape { return {}; }},
    {"broadcast",
     [](word rank, word) -> shape {
       return {if_root(rank, 1), 1, 1};
     }},
    {"reduce",
     [](word rank, word pes) -> shape {
       return {1, if_root(rank, 1), pes};
     }},
    {"all_reduce",
     [](word, word pes) -> shape {
       return {1, 1, pes};
     }},
    {"scatter",
     [](word rank, word pes) -> shape {
       return {if_root(rank, pes), 1, 1};
     }},
    {"gather",
     [](word rank, word pes) -> shape {
       return {1, if_root(rank, pes), pes};
     }},
    {"all_gather",
     [](word, word pes) -> shape {
       return {1, pes, pes};
     }},
    {"all_to_all",
     [](word, word pes) -> shape {
       return {pes, pes, pes};
     }},
    {"reduce_scatter",
     [](word, word pes) -> shape {
       return {pes, 1, pes};
     }},
    {"scan",
     [](word rank, word) -> shape {
       return {1, 1, rank + 1};
     }},
    {"exclusive_scan",
     [](word rank, word) -> shape {
       return {1, 1, rank};
     }},
}};

shape shape_of(std::string_view which, word rank, word pes) {
  return std::ranges::find(known, which, &known_collective::name)->shape_of(rank, pes);
}

}  // namespace

std::vector<std::string_view> names_of_collectives() {
  std::vector<std::string_view> names;
  for (const known_collective& k : known) names.push_back(k.name);
  return names;
}

collective_runs::collective_runs(const world& w, const setting& s)
    : which_(s.problem_class),
      rank_(static_cast<word>(w.rank())),
      pes_(static_cast<word>(w.size())),
      runs_(s.items),
      words_(s.item_bytes / sizeof(word)) {
  const shape blocks = shape_of(which_, rank_, pes_);
  given_blocks_ = blocks.given;
  got_blocks_ = blocks.got;
  const shape of_root = shape_of(which_, 0, pes_);
  max_blocks_ = std::max(of_root.given, of_root.got);
}

void collective_runs::next(std::span<word> given) {
  ++run_;
  for (; !given.empty(); given = given.subspan(words_)) {
    given.front() = given[words_ - 1] = run_ + rank_;
  }
}

void collective_runs::take(std::span<const word> got) {
  for (; !got.empty(); got = got.subspan(words_)) sum_ += got.front() + got[words_ - 1];
}

void collective_runs::check(world&, std::uint64_t sessions) const {
  const word n = runs_ * sessions;
  require(run_ == n, "there were more or fewer runs");
  const word from = got_blocks_ == 0 ? 0 : shape_of(which_, rank_, pes_).from;
  // Each source contributes the number of the run and its rank.
  const word expected = from * n * (n + 1) + n * from * (from - (from == 0 ? 0 : 1));
  require(sum_ == expected, "what the PE got is not what the others have given");
}

void collective_runs::check_alone(std::uint64_t sessions) const {
  const word n = runs_ * sessions;
  require(run_ == n, "there were more or fewer copies");
  require(which_ == "barrier" || sum_ == n * (n + 1), "the copies are not what was copied");
}

}  // namespace boxcar::bench
