// Selects the algorithm that was fastest in measurements within a node (docs/collectives.md). Pure.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collective/request.hpp"

namespace boxcar::detail {

// The collectives before the neighbour all-to-all, which goes one way only.
inline constexpr int num_measured_operations =
    static_cast<int>(collective_operation::neighbor_all_to_all);

// A row of a table: for `pes` PEs, and for more than `above_bytes` up to `most_bytes` bytes. The
// bytes are the blocks of all PEs for gather and scatter, the blocks sent by a PE for all-to-all,
// and the bytes sent by a PE otherwise.
struct measured_way {
  static constexpr std::size_t any_bytes = std::numeric_limits<std::size_t>::max();

  collective_operation kind = collective_operation::barrier;
  int pes = 0;
  std::size_t above_bytes = 0;
  std::size_t most_bytes = any_bytes;
  topology over = topology::automatic;
  int fan_out = 2;
  std::size_t segment_bytes = 0;
  bool is_calibrated = false;  // measured on this machine, by `boxcar calibrate`

  friend bool operator==(const measured_way&, const measured_way&) = default;
};

// Returns true if the rows name one algorithm, for whatever PEs and bytes.
[[nodiscard]] bool is_same_way(const measured_way& a, const measured_way& b);

// Returns a text like "measured on 8 PEs of a node for up to 65536 bytes".
[[nodiscard]] std::string text_of(const measured_way& row);

// A table of the fastest algorithms, sorted by collective, PEs and bytes.
class way_table {
 public:
  // The medians of several machines, known when Boxcar was built.
  [[nodiscard]] static const way_table& built_in();

  // Returns a table in which the rows of a collective and a number of PEs are replaced if `rows`
  // has any for the two. Precondition: the rows of the two cover all bytes, in order.
  [[nodiscard]] way_table with(std::span<const measured_way> rows) const;

  // Returns a row of the greatest measured number of PEs up to `pes`, or of the smallest if all are
  // greater.
  [[nodiscard]] measured_way find(collective_operation kind, int pes, std::size_t bytes) const;

  [[nodiscard]] std::span<const measured_way> rows() const { return rows_; }

 private:
  explicit way_table(std::vector<measured_way> rows) : rows_(std::move(rows)) {}

  std::vector<measured_way> rows_;
};

}  // namespace boxcar::detail
