#include "collective/neighbors.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include "substrate/word_hash.hpp"

namespace boxcar::detail {
namespace {

// A block, sent between PEs as plain bytes. The n-th block from a PE to another PE is the n-th
// block that the other PE expects from it.
struct block {
  std::int32_t from;
  std::int32_t to;
  std::uint64_t number;
  std::uint64_t bytes;
  friend auto operator<=>(const block&, const block&) = default;
};

std::vector<block> blocks_of(int pe, const std::vector<int>& others,
                             const std::vector<std::size_t>& sizes, bool are_given) {
  std::vector<block> all;
  std::map<int, std::uint64_t> numbers;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const int other = others[i];
    all.push_back({.from = are_given ? pe : other,
                   .to = are_given ? other : pe,
                   .number = ++numbers[other],
                   .bytes = sizes[i]});
  }
  return all;
}

std::uint64_t scrambled(const block& b) {
  word_hash h;
  h.add(static_cast<std::uint64_t>(b.from) << 32 | static_cast<std::uint32_t>(b.to));
  h.add(b.number);
  h.add(b.bytes);
  return h.value();
}

std::uint64_t sum_of(const std::vector<block>& all) {
  std::uint64_t sum = 0;
  for (const block& b : all) sum += scrambled(b);
  return sum;
}

// Gathers the blocks of all PEs.
std::vector<block> of_all(substrate& world, const std::vector<block>& mine) {
  std::vector<std::vector<block>> parts(static_cast<std::size_t>(world.size()));
  world.gather(std::as_bytes(std::span(mine)), every_pe,
               [&parts](int pe, std::size_t bytes) {
                 auto& part = parts[static_cast<std::size_t>(pe)];
                 part.resize(bytes / sizeof(block));
                 return reinterpret_cast<std::byte*>(part.data());
               },
               {});
  std::vector<block> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  return all;
}

std::string text_of(const block& b) {
  return "block " + std::to_string(b.number) + " of PE " + std::to_string(b.from) + " for PE " +
         std::to_string(b.to);
}

std::string first_difference(const std::vector<block>& given, const std::vector<block>& taken) {
  std::size_t i = 0;
  while (i < given.size() && i < taken.size() && given[i] == taken[i]) ++i;
  const auto is_same = [](const block& a, const block& b) {
    return a.from == b.from && a.to == b.to && a.number == b.number;
  };
  const std::string remedy = "; both must name each other as neighbours, as often, with as much";
  if (i < given.size() && i < taken.size() && is_same(given[i], taken[i])) {
    return text_of(given[i]) + " has " + std::to_string(given[i].bytes) +
           " bytes, but that takes " + std::to_string(taken[i].bytes) + remedy;
  }
  const bool is_given = i == taken.size() || (i < given.size() && given[i] < taken[i]);
  return text_of(is_given ? given[i] : taken[i]) +
         (is_given ? ": it does not take it" : ": it is not given") + remedy;
}

}  // namespace

std::string problem_of_neighbors(substrate& world, const collective_request& call) {
  const std::vector<block> given = blocks_of(world.rank(), call.to, call.sizes, true);
  const std::vector<block> taken = blocks_of(world.rank(), call.from, call.arriving, false);
  std::uint64_t difference = sum_of(given) - sum_of(taken);
  world.all_reduce(std::as_writable_bytes(std::span(&difference, 1)),
                   [](std::byte* into, const std::byte* next) {
                     std::uint64_t a;
                     std::uint64_t b;
                     std::memcpy(&a, into, sizeof a);
                     std::memcpy(&b, next, sizeof b);
                     a += b;
                     std::memcpy(into, &a, sizeof a);
                   });
  if (difference == 0) return {};
  return first_difference(of_all(world, given), of_all(world, taken));
}

}  // namespace boxcar::detail
