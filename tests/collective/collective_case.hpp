// A collective, with the input and the expected output of every PE, computed by serial code.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <boxcar/collective.hpp>

#include "collective/request.hpp"
#include "support/dice.hpp"

namespace boxcar::test {

using detail::collective_operation;

// The function x -> a x + b: composition is associative, but not commutative.
struct affine {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
struct then {
  affine operator()(const affine& first, const affine& second) const {
    return {second.a * first.a, second.a * first.b + second.b};
  }
};
// A combination neither associative nor commutative: each order has its own result.
struct in_one_order {
  std::uint32_t operator()(std::uint32_t first, std::uint32_t second) const {
    return 31 * first + second;
  }
};
inline void PrintTo(const affine& x, std::ostream* out) {
  *out << x.a << " x + " << x.b;
}

inline void make_random(dice& d, affine& x) {
  x = {static_cast<std::uint32_t>(d.next()) | 1, static_cast<std::uint32_t>(d.next())};
}
inline void make_random(dice& d, std::uint32_t& x) {
  x = static_cast<std::uint32_t>(d.next());
}
// Draws numbers of all sizes, with NaNs and zeros of both signs among them.
inline void make_random(dice& d, double& x) {
  const int kind = d.below(40);
  x = std::ldexp(d.below(2000) - 1000, d.below(40)) / 3;
  if (kind == 0) x = std::bit_cast<double>(0x7ff8'0000'0000'0000U + d.next() % 1000);
  if (kind == 1) x = std::bit_cast<double>(0xfff8'0000'0000'0000U + d.next() % 1000);
  if (kind > 34) x = d.chance(50) ? 0.0 : -0.0;
}
inline void make_random(dice& d, std::int64_t& x) {
  x = d.below(2000) - 1000;
}

struct collective_case {
  collective_operation kind = collective_operation::barrier;
  int pes = 1;
  int root = 0;
  bool in_place = false;
  // Lengths of blocks or contributions, by PE. If lengths differ, a block from one PE to another
  // has the sum of their lengths, modulo 4.
  std::vector<std::size_t> lengths = {};
  collective_options options = {};

  [[nodiscard]] bool has_root() const {
    return kind == collective_operation::broadcast || kind == collective_operation::reduce ||
           kind == collective_operation::scatter || kind == collective_operation::gather;
  }
  [[nodiscard]] bool has_blocks() const {
    return kind == collective_operation::scatter || kind == collective_operation::gather ||
           kind == collective_operation::all_gather || kind == collective_operation::reduce_scatter;
  }
  [[nodiscard]] bool combines() const {
    return kind == collective_operation::reduce || kind == collective_operation::all_reduce ||
           kind == collective_operation::reduce_scatter || kind == collective_operation::scan ||
           kind == collective_operation::exclusive_scan;
  }
  [[nodiscard]] bool are_equal() const {
    return std::ranges::all_of(lengths, [this](std::size_t n) { return n == lengths[0]; });
  }
  [[nodiscard]] std::size_t length(int pe) const { return lengths[static_cast<std::size_t>(pe)]; }
  [[nodiscard]] std::size_t length(int from, int to) const {
    return are_equal() ? lengths[0] : (length(from) + length(to)) % 4;
  }
  [[nodiscard]] std::size_t start_of_block(int pe) const {
    return std::accumulate(lengths.begin(), lengths.begin() + pe, std::size_t{0});
  }
  [[nodiscard]] std::size_t whole() const { return start_of_block(pes); }
  // The blocks of all-to-all.
  [[nodiscard]] std::vector<std::size_t> sent_by(int pe) const {
    std::vector<std::size_t> all;
    for (int to = 0; to < pes; ++to) all.push_back(length(pe, to));
    return all;
  }
  [[nodiscard]] std::vector<std::size_t> sent_to(int pe) const {
    std::vector<std::size_t> all;
    for (int from = 0; from < pes; ++from) all.push_back(length(from, pe));
    return all;
  }
  [[nodiscard]] static std::size_t sum(const std::vector<std::size_t>& all) {
    return std::accumulate(all.begin(), all.end(), std::size_t{0});
  }

  // The number of elements of a PE's input and output.
  [[nodiscard]] std::size_t given_by(int pe) const {
    switch (kind) {
      case collective_operation::barrier:
        return 0;
      case collective_operation::broadcast:
        return pe == root ? length(0) : 0;
      case collective_operation::scatter:
        return pe == root ? whole() : 0;
      case collective_operation::reduce_scatter:
        return whole();
      case collective_operation::gather:
      case collective_operation::all_gather:
        return length(pe);
      case collective_operation::all_to_all:
        return sum(sent_by(pe));
      default:
        return length(0);
    }
  }
  [[nodiscard]] std::size_t got_by(int pe) const {
    switch (kind) {
      case collective_operation::barrier:
        return 0;
      case collective_operation::reduce:
        return pe == root ? length(0) : 0;
      case collective_operation::scatter:
      case collective_operation::reduce_scatter:
        return length(pe);
      case collective_operation::gather:
        return pe == root ? whole() : 0;
      case collective_operation::all_gather:
        return whole();
      case collective_operation::all_to_all:
        return sum(sent_to(pe));
      default:
        return length(0);
    }
  }

  // The layout of input and output in memory of the PE.
  struct layout {
    std::size_t in_at = 0;
    std::size_t in = 0;
    std::size_t out_at = 0;
    std::size_t out = 0;
  };
  [[nodiscard]] layout layout_for(int pe) const {
    layout l{.in = given_by(pe), .out_at = given_by(pe), .out = got_by(pe)};
    if (kind == collective_operation::broadcast) {
      l.out_at = 0;
    } else if (in_place && l.in != 0 && l.out != 0) {
      l.out_at = 0;
      if (kind == collective_operation::gather || kind == collective_operation::all_gather) {
        l.in_at = start_of_block(pe);
      } else if (kind == collective_operation::scatter) {
        l.out_at = start_of_block(pe);
      }
    }
    return l;
  }
  [[nodiscard]] std::size_t room_for(int pe) const { return given_by(pe) + got_by(pe); }

  // The input of all PEs in a run.
  template <typename T>
  [[nodiscard]] std::vector<std::vector<T>> gifts(std::uint64_t seed) const {
    std::vector<std::vector<T>> all;
    for (int pe = 0; pe < pes; ++pe) {
      dice d(scramble_all({seed, static_cast<std::uint64_t>(pe)}));
      auto& mine = all.emplace_back(given_by(pe));
      for (T& x : mine) make_random(d, x);
    }
    return all;
  }

  // The expected output of a PE.
  template <typename T, typename Combine>
  [[nodiscard]] std::vector<T> expected(int pe, const std::vector<std::vector<T>>& given,
                                        const Combine& combine, const T& first) const {
    const auto of = [&given](int p) -> const std::vector<T>& {
      return given[static_cast<std::size_t>(p)];
    };
    const auto part = [](const std::vector<T>& all, std::size_t at, std::size_t n) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
      return std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(n));
    };
    const auto combined = [&](int last) {
      std::vector<T> all = of(0);
      for (int p = 1; p < last; ++p) {
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = combine(all[i], of(p)[i]);
      }
      return all;
    };
    switch (kind) {
      case collective_operation::barrier:
        return {};
      case collective_operation::broadcast:
        return of(root);
      case collective_operation::reduce:
        return pe == root ? combined(pes) : std::vector<T>();
      case collective_operation::all_reduce:
        return combined(pes);
      case collective_operation::scatter:
        return part(of(root), start_of_block(pe), length(pe));
      case collective_operation::reduce_scatter:
        return part(combined(pes), start_of_block(pe), length(pe));
      case collective_operation::scan:
        return combined(pe + 1);
      case collective_operation::exclusive_scan: {
        std::vector<T> all(length(0), first);
        for (int p = 0; p < pe; ++p) {
          for (std::size_t i = 0; i < all.size(); ++i) all[i] = combine(all[i], of(p)[i]);
        }
        return all;
      }
      case collective_operation::gather:
      case collective_operation::all_gather: {
        std::vector<T> all;
        if (kind == collective_operation::gather && pe != root) return all;
        for (const auto& one : given) all.insert(all.end(), one.begin(), one.end());
        return all;
      }
      case collective_operation::all_to_all: {
        std::vector<T> all;
        for (int p = 0; p < pes; ++p) {
          std::size_t at = 0;
          for (int before = 0; before < pe; ++before) at += length(p, before);
          const auto mine = part(of(p), at, length(p, pe));
          all.insert(all.end(), mine.begin(), mine.end());
        }
        return all;
      }
      case collective_operation::neighbor_all_to_all:  // neighbor_graph.hpp
        break;
    }
    return {};
  }

  [[nodiscard]] std::string text() const {
    std::string t(detail::name_of(kind));
    t += " over ";
    t += detail::name_of(options.over);
    t += ", k " + std::to_string(options.fan_out) + ", segments " +
         std::to_string(options.segment_bytes) + ", " + std::to_string(pes) + " PEs, root " +
         std::to_string(root) + (options.by_node ? ", by node" : "") +
         (options.reproducible ? ", reproducible" : "") + (in_place ? ", in place" : "") +
         ", lengths";
    for (const std::size_t n : lengths) t += ' ' + std::to_string(n);
    return t;
  }
};

inline const std::vector<collective_operation>& all_kinds() {
  using enum collective_operation;
  static const std::vector<collective_operation> all{
      barrier,    broadcast,  reduce,         all_reduce, scatter,       gather,
      all_gather, all_to_all, reduce_scatter, scan,       exclusive_scan};
  return all;
}

// A case with all other parameters at random.
inline collective_case random_case(dice& d, collective_operation kind, topology over, int pes) {
  collective_case c{.kind = kind, .pes = pes};
  c.root = d.below(pes);
  c.in_place = d.chance(40) && kind != collective_operation::reduce_scatter;
  c.options.over = over;
  c.options.fan_out = (over == topology::k_nomial_tree ? 2 : 1) + d.below(pes);
  // Enough for several shares between nodes, or little.
  const bool is_long = d.chance(10);
  const int some = is_long ? 1000 : 1 + d.below(20);
  const int piece = (1 + d.below(40)) * (is_long ? 100 : 1);
  c.options.segment_bytes = d.chance(50) ? 0 : static_cast<std::size_t>(piece);
  c.options.by_node = d.chance(50);
  const bool differ =
      d.chance(50) && (c.has_blocks() || (kind == collective_operation::all_to_all && !c.in_place &&
                                          over != topology::grid));
  const auto length = static_cast<std::size_t>(d.chance(20) ? 0 : some);
  for (int pe = 0; pe < pes; ++pe) {
    c.lengths.push_back(differ ? static_cast<std::size_t>(d.below(9)) : length);
  }
  return c;
}

}  // namespace boxcar::test
