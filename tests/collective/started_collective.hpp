// Starts a collective of a case by a function of the world.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <vector>

#include <boxcar/collective_run.hpp>

#include "collective/collective_case.hpp"

namespace boxcar::test {

// Precondition: the lengths are the same for all PEs.
template <typename T, typename Combine>
[[nodiscard]] collective_run started(world& w, const collective_case& c, std::span<const T> in,
                                     std::span<T> out, Combine combine, const T& first) {
  const collective_options& o = c.options;
  switch (c.kind) {
    case collective_operation::barrier:
      return w.barrier_async(o);
    case collective_operation::broadcast:
      return w.broadcast_async(out, c.root, o);
    case collective_operation::reduce:
      return w.reduce_async(in, out, c.root, combine, o);
    case collective_operation::all_reduce:
      return w.all_reduce_async(in, out, combine, o);
    case collective_operation::scatter:
      return w.scatter_async(in, out, c.root, o);
    case collective_operation::gather:
      return w.gather_async(in, out, c.root, o);
    case collective_operation::all_gather:
      return w.all_gather_async(in, out, o);
    case collective_operation::all_to_all:
      return w.all_to_all_async(in, out, o);
    case collective_operation::reduce_scatter:
      return w.reduce_scatter_async(in, out, combine, o);
    case collective_operation::scan:
      return w.scan_async(in, out, combine, o);
    default:  // exclusive_scan: all_kinds() has no further kinds
      break;
  }
  return w.exclusive_scan_async(in, out, first, combine, o);
}

// A collective with memory of its own, until the end is reported.
template <typename T, typename Combine>
class started_case {
 public:
  started_case(world& w, const collective_case& c, Combine combine, T first, std::uint64_t seed)
      : rank_(w.rank()),
        case_(c),
        combine_(combine),
        first_(first),
        given_(c.template gifts<T>(seed)),
        memory_(c.room_for(rank_)) {
    const auto l = c.layout_for(rank_);
    const std::span<T> all = memory_;
    std::ranges::copy(given_[static_cast<std::size_t>(rank_)], all.subspan(l.in_at, l.in).begin());
    run_.emplace(
        started<T>(w, c, all.subspan(l.in_at, l.in), all.subspan(l.out_at, l.out), combine, first));
  }
  [[nodiscard]] collective_run& run() { return *run_; }
  void check() const {
    const auto l = case_.layout_for(rank_);
    ASSERT_TRUE(std::ranges::equal(std::span(memory_).subspan(l.out_at, l.out),
                                   case_.expected(rank_, given_, combine_, first_)))
        << case_.text() << "\n"
        << run_->explain();
  }

 private:
  int rank_;
  collective_case case_;
  Combine combine_;
  T first_;
  std::vector<std::vector<T>> given_;
  std::vector<T> memory_;
  std::optional<collective_run> run_;
};

}  // namespace boxcar::test
