// A buffer for arriving rows: rows come one by one or in runs, and a table handles many rows at a
// time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "row_exchange.hpp"

namespace boxcar::python {

class collected_rows {
 public:
  using take_collected = std::function<void(const std::byte* rows, std::size_t count)>;

  // `take` gets `at_once` rows at a time, and fewer in `hand_on`; rows are aligned to 16 bytes.
  collected_rows(std::size_t row_bytes, std::size_t at_once, take_collected take)
      : row_bytes_(row_bytes),
        at_once_(at_once),
        take_(std::move(take)),
        rows_(row_bytes * at_once) {}

  void add(const run_of_rows& run) {
    for (std::size_t i = 0; i < run.count;) {
      const std::size_t n = std::min(run.count - i, at_once_ - count_);
      std::memcpy(rows_.data() + count_ * row_bytes_, run.rows + i * row_bytes_, n * row_bytes_);
      count_ += n;
      i += n;
      if (count_ == at_once_) hand_on();
    }
  }
  // Hands on the rows that have not been handed on yet.
  void hand_on() {
    take_(rows_.data(), count_);
    count_ = 0;
  }

 private:
  std::size_t row_bytes_;
  std::size_t at_once_;
  take_collected take_;
  std::vector<std::byte> rows_;
  std::size_t count_ = 0;
};

}  // namespace boxcar::python
