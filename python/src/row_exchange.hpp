// Sends rows of bytes, all of one size, to their destination PEs: the basis of the functions on
// arrays. Arrivals are delivered in runs, so that there is no call per row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/world.hpp>

namespace boxcar::python {

// Rows arrived from one PE, contiguous, in the order of their sending.
struct run_of_rows {
  int from;
  const std::byte* rows;
  std::size_t count;
};
using take_rows = std::function<void(const run_of_rows&)>;

// One session with rows of one size.
class row_session {
 public:
  // Collective. `row_bytes` is 1 to largest_item_bytes. `call`, a literal, is the name of the
  // function in messages.
  row_session(const world& w, std::size_t row_bytes, const char* call, const take_rows& take);

  // Sends rows[i] to the PE to[i]. Precondition: all to[i] are PEs of the world.
  void push(const std::byte* rows, std::span<const std::int32_t> to);
  // Sends rows that `write(place, i)` writes; `Bytes` is row_bytes.
  template <std::size_t Bytes, typename Write>
  void push_written(std::span<const std::int32_t> to, const Write& write);
  // Sends `count` rows to one PE: `fill(place, first, n)` writes `n` rows from row `first` on.
  template <typename Fill>
  void push_run(int to, std::size_t count, const Fill& fill);

  // Returns when all rows sent to this PE have been taken.
  void finish();

 private:
  void take_arrivals();
  void make_room() {
    conveyor_.advance(false);
    take_arrivals();
  }
  template <typename Row>
  void push_as(const Row* rows, std::span<const std::int32_t> to);

  const char* call_;
  detail::called_scope scope_;
  std::size_t row_bytes_;
  detail::conveyor_core conveyor_;
  session session_;
  const take_rows& take_;
};

// Collective. Sends rows of any size; to[i] is the PE of rows[i].
void exchange_rows(const world& w, const std::byte* rows, std::size_t row_bytes,
                   std::span<const std::int32_t> to, const char* call, const take_rows& take);
// Sends rows that are grouped by destination: counts[pe] rows for each PE.
void exchange_grouped_rows(const world& w, const std::byte* rows, std::size_t row_bytes,
                           std::span<const std::uint64_t> counts, const char* call,
                           const take_rows& take);

// Collective. Returns the number of rows that each PE sends to this PE, if this PE sends counts[pe]
// rows to each PE.
std::vector<std::uint64_t> exchange_counts(world& w, std::span<const std::uint64_t> counts);

// The offset of the first element of each group, for contiguous groups of counts[i] elements.
std::vector<std::uint64_t> first_of_each(std::span<const std::uint64_t> counts);

// Places arriving rows: the next row of a PE goes to place next[pe] of the array `into`.
take_rows put_in_order(std::vector<std::uint64_t>& next, std::size_t row_bytes, std::byte* into);

// Calls `use(pe)` for all PEs; each PE begins with a different PE, so that not all send to the same
// PE at the same time.
template <typename Use>
void to_each_pe(const world& w, const Use& use) {
  for (int k = 1; k <= w.size(); ++k) use((w.rank() + k) % w.size());
}

// --- Details -------------------------------------------------------------------------------------

template <std::size_t Bytes, typename Write>
void row_session::push_written(std::span<const std::int32_t> to, const Write& write) {
  struct row {
    std::byte bytes[Bytes];
  };
  for (std::size_t i = 0; i < to.size(); ++i) {
    row r;
    write(r.bytes, i);
    while (!conveyor_.push(&r, Bytes, to[i])) [[unlikely]]
      make_room();
  }
}

template <typename Fill>
void row_session::push_run(int to, std::size_t count, const Fill& fill) {
  if (!conveyor_.is_direct()) {
    std::vector<std::byte> row(row_bytes_);
    for (std::size_t i = 0; i < count; ++i) {
      fill(row.data(), i, 1);
      while (!conveyor_.push(row.data(), row_bytes_, to)) make_room();
    }
    return;
  }
  for (std::size_t i = 0; i < count;) {
    const auto room = conveyor_.room_for(to);
    const std::size_t n = std::min(room.bytes() / row_bytes_, count - i);
    if (n == 0) {
      make_room();
      continue;
    }
    fill(room.begin, i, n);
    conveyor_.pushed_to(to, room.begin + n * row_bytes_);
    i += n;
  }
}

}  // namespace boxcar::python
