#include "benchmark.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <boxcar/error.hpp>

#include "alltoall.hpp"
#include "histogram.hpp"
#include "index_gather.hpp"
#include "kmer.hpp"
#include "limit.hpp"
#include "padded_item.hpp"
#include "permute.hpp"
#include "random_access.hpp"
#include "session.hpp"
#include "streaming.hpp"

namespace boxcar::bench {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::size_t usual_table_bytes = std::size_t{512} << 10;

std::string list(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

// All sizes that there are, but another one is the usual one.
std::vector<std::size_t> usual_size_first(std::size_t bytes) {
  std::vector<std::size_t> sizes = listed(item_sizes());
  std::ranges::stable_partition(sizes, [bytes](std::size_t s) { return s == bytes; });
  return sizes;
}

}  // namespace

std::span<const description> benchmarks() {
  const std::vector<std::size_t> any_size = listed(item_sizes());
  static const std::array all{
      description{"histogram", "count random slots of a table that is spread over all PEs",
                  any_size, true, false, 64 * mebibyte, make_histogram},
      description{"indexgather",
                  "fetch the values at random places of such a table",
                  {8},
                  true,
                  false,
                  32 * mebibyte,
                  make_index_gather},
      description{"alltoall", "send items to random PEs, which look at every byte", any_size, false,
                  false, 256 * mebibyte, make_alltoall},
      description{"streaming", "send items to all PEs in turn, in random order, round after round",
                  usual_size_first(32), false, false, 256 * mebibyte, make_streaming},
      description{"randomaccess",
                  "change random words of a table that is spread over all PEs (HPC Challenge)",
                  {8},
                  true,
                  false,
                  64 * mebibyte,
                  make_random_access},
      description{"permute",
                  "move every element of an array to its place in a random permutation",
                  {16},
                  false,
                  false,
                  64 * mebibyte,
                  make_permute},
      description{"kmer",
                  "count the words of 31 letters of DNA in hash tables",
                  {8},
                  false,
                  true,
                  16 * mebibyte,
                  make_kmer},
      description{"session",
                  "begin, send one item to the next PE, finish, reset: how long that takes",
                  {8},
                  false,
                  false,
                  0,
                  make_session,
                  1},
      description{"limit", "the histogram of one core, without any communication", any_size, true,
                  false, 64 * mebibyte, make_limit},
  };
  return all;
}

const description& benchmark_of(std::string_view name) {
  const auto all = benchmarks();
  const auto found = std::ranges::find(all, name, &description::name);
  if (found != all.end()) return *found;
  std::string names;
  for (const description& d : all) names += (names.empty() ? "" : ", ") + std::string(d.name);
  throw argument_error("there is no benchmark \"" + std::string(name) + "\": give one of " + names);
}

setting completed(const description& what, setting s) {
  const std::string name(what.name);
  if (s.item_bytes == 0) s.item_bytes = what.item_sizes.front();
  if (std::ranges::find(what.item_sizes, s.item_bytes) == what.item_sizes.end()) {
    throw argument_error("items of " + name + " cannot have " + std::to_string(s.item_bytes) +
                         " bytes: give one of " + list(what.item_sizes) + " to --item-bytes");
  }
  if (s.table_bytes != 0 && !what.has_table) {
    throw argument_error(name + " has no table: leave --table-bytes out");
  }
  if (!s.file.empty() && !what.reads_file) {
    throw argument_error(name + " reads no file: leave --file out");
  }
  if (!s.file.empty() && s.items != 0) {
    throw argument_error("the file says how many items there are: leave --items or --file out");
  }
  if (s.table_bytes == 0 && what.has_table) s.table_bytes = usual_table_bytes;
  if (what.has_table && s.table_bytes < sizeof(std::uint64_t)) {
    throw argument_error("a table of " + std::to_string(s.table_bytes) +
                         " bytes holds nothing: give at least 8 to --table-bytes");
  }
  if (s.items == 0 && s.file.empty()) {
    constexpr std::uint64_t least = std::uint64_t{1} << 16;
    const std::uint64_t share = what.bytes / s.item_bytes / static_cast<std::uint64_t>(s.pes);
    s.items = what.items != 0 ? what.items : std::max(share, least);
  }
  return s;
}

}  // namespace boxcar::bench
