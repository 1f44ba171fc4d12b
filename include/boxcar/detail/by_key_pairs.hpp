// The sources of pairs for the functions by key, and the pairs on their way.
#pragma once

#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include <boxcar/detail/map_message.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/item.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

template <typename Source>
concept has_local_values = requires(Source& source) {
  { source.local() } -> std::ranges::input_range;
};

// Returns the pairs that a PE has of a source: of a container over all PEs, or of a range.
template <typename Source>
[[nodiscard]] decltype(auto) pairs_of(Source& source) {
  if constexpr (has_local_values<Source>) {
    return source.local();
  } else {
    return (source);
  }
}

// The type of the pairs that a PE has of a source.
template <typename Source>
using pairs_range = decltype(pairs_of(std::declval<std::remove_reference_t<Source>&>()));

// A source of pairs: a range of pairs, or a container whose part of the PE is such a range.
template <typename Source>
concept pairs_source =
    std::ranges::input_range<pairs_range<Source>> &&
    std::tuple_size<
        std::remove_cvref_t<std::ranges::range_reference_t<pairs_range<Source>>>>::value == 2;

template <pairs_source Source>
struct types_of_pairs {
  using pair = std::remove_cvref_t<std::ranges::range_reference_t<pairs_range<Source>>>;
  using key = std::remove_cvref_t<std::tuple_element_t<0, pair>>;
  using value = std::remove_cvref_t<std::tuple_element_t<1, pair>>;
};

// The visitor that combines a value with the value of a key.
template <typename K, typename V, typename Op>
struct combine_values {
  void operator()(const K&, V& value, const V& more) const { value = Op{}(value, more); }
};

// Checks the operation of a reduction; reports one mistake only.
template <typename V, typename Op>
consteval bool can_reduce() {
  constexpr bool has_no_captures = std::is_class_v<Op> && std::is_empty_v<Op>;
  static_assert(has_no_captures,
                "the operation must be a lambda without captures, or an empty class: captured "
                "values do not exist on the PE that owns the key");
  if constexpr (has_no_captures) {
    constexpr bool combines = std::is_invocable_r_v<V, const Op&, const V&, const V&>;
    static_assert(combines, "the operation must take two values, and return one value");
    return combines;
  }
  return false;
}

// Collective. Calls `produce(push)`, with `push(key, value, pe)`, and `consume(key, value)` where
// the pairs arrive.
template <typename K, typename V, typename Produce, typename Consume>
void exchange_pairs(const world& w, const Produce& produce, const Consume& consume) {
  using message = map_message<K, V>;
  if constexpr (message::is_plain && item<typename message::tuple>) {
    using tuple = typename message::tuple;
    exchange<tuple>(
        w,
        [&](auto& out) {
          produce([&](const K& key, const V& value, int pe) {
            out.push(make_plain_tuple(key, value), pe);
          });
        },
        [&](const tuple& pair) { apply_plain_tuple(consume, pair); });
  } else {
    using pair = std::pair<K, V>;
    exchange<pair>(
        w,
        [&](auto& out) {
          produce([&](const K& key, const V& value, int pe) { out.push(pair(key, value), pe); });
        },
        [&](const pair& p) { consume(p.first, p.second); });
  }
}

}  // namespace boxcar::detail
