#include "row_exchange.hpp"

#include <array>
#include <cstring>
#include <numeric>

#include <boxcar/collective_run.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/item.hpp>

namespace boxcar::python {
namespace {

template <std::size_t Words, typename Word>
struct words {
  Word word[Words];
};

// Sends rows that are too large for the buffers of a conveyor.
template <typename Produce>
void exchange_large_rows(const world& w, const Produce& produce, const take_rows& take) {
  exchange<std::vector<std::byte>>(w, produce, [&](std::span<const std::byte> row, int from) {
    take({from, row.data(), 1});
  });
}

bool is_aligned(const std::byte* rows, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(rows) % alignment == 0;
}

}  // namespace

row_session::row_session(const world& w, std::size_t row_bytes, const char* call,
                         const take_rows& take)
    : call_(call),
      scope_(call),
      row_bytes_(row_bytes),
      conveyor_(w, row_bytes, conveyor_options{}),
      session_([this] {
        conveyor_.begin(row_bytes_);
        return session(conveyor_, boxcar::detail::stays_in_place{});
      }()),
      take_(take) {}

template <typename Row>
void row_session::push_as(const Row* rows, std::span<const std::int32_t> to) {
  const std::size_t n = to.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!conveyor_.push_item_at_hand(rows[i], to[i])) [[unlikely]] {
      while (!conveyor_.push_item(rows[i], to[i])) make_room();
    }
  }
}

void row_session::push(const std::byte* rows, std::span<const std::int32_t> to) {
  const auto as = [&]<typename Row>(const Row*) {
    push_as(reinterpret_cast<const Row*>(rows), to);
  };
  if (is_aligned(rows, alignof(std::uint64_t))) {
    switch (row_bytes_) {
      case 8:
        return as(static_cast<const std::uint64_t*>(nullptr));
      case 16:
        return as(static_cast<const words<2, std::uint64_t>*>(nullptr));
      case 24:
        return as(static_cast<const words<3, std::uint64_t>*>(nullptr));
      case 32:
        return as(static_cast<const words<4, std::uint64_t>*>(nullptr));
      case 64:
        return as(static_cast<const words<8, std::uint64_t>*>(nullptr));
      default:
        break;
    }
  }
  if (is_aligned(rows, alignof(std::uint32_t))) {
    switch (row_bytes_) {
      case 4:
        return as(static_cast<const std::uint32_t*>(nullptr));
      case 12:
        return as(static_cast<const words<3, std::uint32_t>*>(nullptr));
      default:
        break;
    }
  }
  if (row_bytes_ == 2 && is_aligned(rows, alignof(std::uint16_t))) {
    return as(static_cast<const std::uint16_t*>(nullptr));
  }
  if (row_bytes_ == 1) return as(static_cast<const std::uint8_t*>(nullptr));
  for (std::size_t i = 0; i < to.size(); ++i) {
    while (!conveyor_.push(rows + i * row_bytes_, row_bytes_, to[i])) make_room();
  }
}

void row_session::take_arrivals() {
  if (conveyor_.has_rows()) {
    for (auto row = conveyor_.unread_row(); !row.empty(); row = conveyor_.unread_row()) {
      take_({conveyor_.from(), row.begin, row.bytes() / row_bytes_});
      conveyor_.pulled_to(row.end);
    }
  } else {
    conveyor_.pull_all(row_bytes_, [this](const std::byte* row, int from) {
      take_({from, row, 1});
    });
  }
}

void row_session::finish() {
  const boxcar::detail::called_scope end(call_, boxcar::detail::called_scope::kind::ending);
  while (conveyor_.advance(true)) take_arrivals();
}

void exchange_rows(const world& w, const std::byte* rows, std::size_t row_bytes,
                   std::span<const std::int32_t> to, const char* call, const take_rows& take) {
  if (row_bytes > largest_item_bytes) {
    exchange_large_rows(
        w,
        [&](auto& out) {
          for (std::size_t i = 0; i < to.size(); ++i) {
            out.push(std::span(rows + i * row_bytes, row_bytes), to[i]);
          }
        },
        take);
    return;
  }
  row_session s(w, row_bytes, call, take);
  s.push(rows, to);
  s.finish();
}

void exchange_grouped_rows(const world& w, const std::byte* rows, std::size_t row_bytes,
                           std::span<const std::uint64_t> counts, const char* call,
                           const take_rows& take) {
  const std::vector<std::uint64_t> first = first_of_each(counts);
  const auto rows_to = [&](int pe) {
    return rows + first[static_cast<std::size_t>(pe)] * row_bytes;
  };
  const auto count_to = [&](int pe) { return counts[static_cast<std::size_t>(pe)]; };
  if (row_bytes > largest_item_bytes) {
    exchange_large_rows(
        w,
        [&](auto& out) {
          to_each_pe(w, [&](int pe) {
            for (std::size_t i = 0; i < count_to(pe); ++i) {
              out.push(std::span(rows_to(pe) + i * row_bytes, row_bytes), pe);
            }
          });
        },
        take);
    return;
  }
  row_session s(w, row_bytes, call, take);
  to_each_pe(w, [&](int pe) {
    s.push_run(pe, count_to(pe), [&](std::byte* place, std::size_t i, std::size_t n) {
      std::memcpy(place, rows_to(pe) + i * row_bytes, n * row_bytes);
    });
  });
  s.finish();
}

std::vector<std::uint64_t> exchange_counts(world& w, std::span<const std::uint64_t> counts) {
  std::vector<std::uint64_t> arriving(counts.size());
  w.all_to_all_async(counts, std::span(arriving)).wait();
  return arriving;
}

std::vector<std::uint64_t> first_of_each(std::span<const std::uint64_t> counts) {
  std::vector<std::uint64_t> first(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), first.begin(), std::uint64_t(0));
  return first;
}

take_rows put_in_order(std::vector<std::uint64_t>& next, std::size_t row_bytes, std::byte* into) {
  return [&next, row_bytes, into](const run_of_rows& run) {
    std::uint64_t& place = next[static_cast<std::size_t>(run.from)];
    std::memcpy(into + place * row_bytes, run.rows, run.count * row_bytes);
    place += run.count;
  };
}

}  // namespace boxcar::python
