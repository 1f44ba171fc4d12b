// Sorts values over all PEs: the smallest values are on PE 0, the next values on PE 1, and so on.
// docs/by-key.md explains `sorted` with an example.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/bag.hpp>
#include <boxcar/detail/bag_values.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/splitters.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/error.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {

// Collective. The values of the PE become its share of all values. If an exception leaves the
// function before the PE has sent its values, `values` has the same values, in any order.
template <typename T, typename InOrder>
void sort_values(world& w, std::vector<T>& values, const InOrder& in_order) {
  agree_on(w, "", "sorting", "the", "type of the values to sort", std::string(identity_of<T>.name));
  std::sort(values.begin(), values.end(), in_order);
  const auto ends = splitters<T, InOrder>(w, values, in_order).ends();
  std::vector<T> share;
  exchange_values<T>(
      w,
      [&](const auto& push) {
        // Each PE begins with itself, so that not all PEs send to one PE at the same time.
        for (int i = 0; i != w.size(); ++i) {
          const int pe = (w.rank() + i) % w.size();
          const auto number = static_cast<std::size_t>(pe);
          std::size_t at = pe == 0 ? 0 : ends[number - 1];
          for (; at != ends[number]; ++at) push(values[at], pe);
        }
        std::vector<T>().swap(values);  // gives the memory back
      },
      [&](T value) { share.push_back(std::move(value)); });
  values = std::move(share);
  std::sort(values.begin(), values.end(), in_order);
}

// As above, after a check of the function that compares.
template <typename T, typename Compare>
void sort_by(world& w, std::vector<T>& values, Compare& compare) {
  constexpr bool can_compare = std::predicate<Compare&, const T&, const T&>;
  static_assert(can_compare,
                "the function of `sorted` must be callable as compare(a, b), and "
                "return whether a comes before b");
  if constexpr (can_compare) {
    sort_values(w, values, [&](const T& a, const T& b) -> bool { return compare(a, b); });
  }
}

}  // namespace detail

// Collective. Takes the values of the PE, possibly none, and returns the share of the PE of all
// values: the share is sorted, and no value of a PE comes behind a value of a later PE. Shares are
// balanced: with n values on p PEs, a share has n / p values, give or take n / (25 p) + 1, also if
// many values are equal.
//
// `compare(a, b)` says whether a comes before b; the function is a strict weak order, the same on
// all PEs, and may have captures. Equal values have no order. (Floating-point numbers are in order
// if all of them are numbers.) Values are those of a bag.
//
// Memory: the values twice, and some ten samples for each PE of the world in each of a few rounds.
// Throws argument_error on all PEs if the types of the values differ between PEs, world_error if
// another PE has failed. Source: V. Harsh, L. Kale, E. Solomonik, Histogram
// Sort with Sampling, SPAA 2019.
template <typename T, typename Compare = std::less<>>
[[nodiscard]] std::vector<T> sorted(world& w, std::vector<T> values, Compare compare = {}) {
  static_assert(detail::requires_bag_value<T>());
  detail::sort_by(w, values, compare);
  return values;
}

// Collective. As `sorted`, for the values of a bag. Throws contract_error, and the bag keeps its
// values, if the bag has a session, or in a handler. If `compare` throws, the bag has as many
// values as before, but a value may be there twice in place of another.
template <typename T, typename Compare = std::less<>>
void sort(world& w, bag<T>& values, Compare compare = {}) {
  if (values.on()) throw contract_error("sort: the bag has a session: call finish first");
  std::vector<T> taken = values.take_local();
  const auto put_back = [&] {
    for (T& value : taken) values.add(std::move(value));
  };
  try {
    detail::sort_by(w, taken, compare);
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
}

}  // namespace boxcar
