// The values that are too many are numbered over all PEs, by a scan; so are the vacancies. The
// value with a number fills the vacancy with the same number. The PE that has the vacancy is found
// at a broker, a PE that has a block of consecutive numbers: all PEs announce their ranges of
// numbers to the brokers of these numbers. So no PE needs the ranges of all PEs.
#include <algorithm>
#include <cstddef>

#include <boxcar/detail/bag_balance.hpp>
#include <boxcar/exchange.hpp>

namespace boxcar::detail {
namespace {

// A range of numbers of values too many, or of vacancies, on a PE.
struct number_range {
  std::uint64_t first;
  std::uint64_t count;
  std::int32_t pe;
  bool has_values;

  [[nodiscard]] std::uint64_t end() const { return first + count; }
};

struct two_counts {
  std::uint64_t first;
  std::uint64_t second;
};
two_counts operator+(const two_counts& a, const two_counts& b) {
  return {a.first + b.first, a.second + b.second};
}

// Collective. Returns the number of values that the PE has in the end. PEs that have more than the
// quotient are the first to keep one more.
std::uint64_t even_share(world& w, std::uint64_t values) {
  const auto pes = static_cast<std::uint64_t>(w.size());
  const std::uint64_t total = w.reduce(values);
  const std::uint64_t quotient = total / pes;
  const std::uint64_t num_larger = total % pes;
  const std::uint64_t has_more = values > quotient ? 1 : 0;
  const std::uint64_t all_with_more = w.reduce(has_more);
  const std::uint64_t with_more_before = w.exclusive_scan(has_more, 0);
  const std::uint64_t place =
      has_more != 0 ? with_more_before
                    : all_with_more + static_cast<std::uint64_t>(w.rank()) - with_more_before;
  return quotient + (place < num_larger ? 1 : 0);
}

// Sends the parts of a range to the brokers of its numbers. `block`: the numbers of a broker.
void announce(auto& out, const number_range& range, std::uint64_t block) {
  for (std::uint64_t at = range.first; at != range.end();) {
    const std::uint64_t broker = at / block;
    const std::uint64_t end = std::min(range.end(), (broker + 1) * block);
    out.push(number_range{at, end - at, range.pe, range.has_values}, static_cast<int>(broker));
    at = end;
  }
}

struct order {
  std::uint64_t values;
  std::int32_t to;
};

// Sends each PE with values too many the vacancies with the same numbers. Precondition: both lists
// cover the same numbers.
void send_orders(auto& out, std::vector<number_range>& with_values,
                 std::vector<number_range>& vacancies) {
  std::ranges::sort(with_values, {}, &number_range::first);
  std::ranges::sort(vacancies, {}, &number_range::first);
  auto vacancy = vacancies.begin();
  for (const number_range& range : with_values) {
    for (std::uint64_t at = range.first; at != range.end();) {
      while (vacancy->end() <= at) ++vacancy;
      const std::uint64_t end = std::min(range.end(), vacancy->end());
      out.push(order{end - at, vacancy->pe}, range.pe);
      at = end;
    }
  }
}

}  // namespace

std::vector<value_transfer> plan_even_balance(world& w, std::uint64_t values) {
  const std::uint64_t share = even_share(w, values);
  const two_counts mine{values > share ? values - share : 0, values < share ? share - values : 0};
  const std::uint64_t all = w.reduce(mine.first);
  if (all == 0) return {};
  const two_counts before = w.exclusive_scan(mine, two_counts{0, 0});
  const auto pes = static_cast<std::uint64_t>(w.size());
  const std::uint64_t block = (all + pes - 1) / pes;

  std::vector<number_range> with_values;
  std::vector<number_range> vacancies;
  exchange<number_range>(
      w,
      [&](auto& out) {
        announce(out, {before.first, mine.first, w.rank(), true}, block);
        announce(out, {before.second, mine.second, w.rank(), false}, block);
      },
      [&](const number_range& range) {
        (range.has_values ? with_values : vacancies).push_back(range);
      });
  std::vector<value_transfer> transfers;
  exchange<order>(
      w, [&](auto& out) { send_orders(out, with_values, vacancies); },
      [&](const order& o) {
        transfers.push_back({o.to, o.values});
      });
  return transfers;
}

}  // namespace boxcar::detail
