// Pairs of keys and values on all PEs are grouped, reduced or joined by their keys: the pairs of a
// key meet on the PE that owns the key. docs/by-key.md explains the functions with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/by_key_pairs.hpp>
#include <boxcar/distributed_map.hpp>
#include <boxcar/session.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// All functions are collective, and throw as a session of a distributed_map. Each PE gives its own
// pairs, possibly none: a range of std::pair or of tuples of two, a bag of pairs, or a map. Keys
// and values are those of a distributed_map, of any size.

// Returns a map from each key to the values of all its pairs. The values of one PE keep their
// order. All values of a key are on one PE, so a PE needs the memory for the largest group.
template <detail::pairs_source Pairs>
[[nodiscard]] auto group_by_key(const world& w, Pairs&& pairs, const map_options& options = {}) {
  using types = detail::types_of_pairs<Pairs>;
  using K = typename types::key;
  using V = typename types::value;
  distributed_map<K, std::vector<V>> groups(w, options);
  const auto append = groups.visitor(
      [](const K&, std::vector<V>& values, const V& value) { values.push_back(value); });
  const session scope = groups.begin();
  for (const auto& [key, value] : detail::pairs_of(pairs)) groups.tell(key, append, value);
  groups.finish();
  return groups;
}

// Returns a map from each key to the values of all its pairs, combined by `op`: a function without
// captures, associative and commutative, from two values to one value. Values of one key are
// combined at the sender first, as far as a small table goes: so a key with very many pairs costs
// few messages.
template <detail::pairs_source Pairs, typename Op = std::plus<>>
[[nodiscard]] auto reduce_by_key(const world& w, Pairs&& pairs, Op = {},
                                 const map_options& options = {}) {
  using types = detail::types_of_pairs<Pairs>;
  using K = typename types::key;
  using V = typename types::value;
  distributed_map<K, V> values(w, options);
  if constexpr (detail::can_reduce<V, Op>()) {
    const auto add = values.visitor(detail::combine_values<K, V, Op>{}, absent::store);
    const auto tell_all = [&](auto& visitor) {
      const session scope = values.begin();
      for (const auto& [key, value] : detail::pairs_of(pairs)) values.tell(key, visitor, value);
      values.finish();
    };
    if constexpr (std::default_initializable<K> && std::default_initializable<V>) {
      auto at_sender = values.combine(add, Op{});
      tell_all(at_sender);
    } else {
      tell_all(add);
    }
  }
  return values;
}

// Calls f(key, left value, right value) for each two pairs of `left` and `right` with one key (an
// inner join), on the owner of the key: if a key has m pairs in `left` and n pairs in `right`, `f`
// is called m n times. `f` may have captures, and uses no function of Boxcar that communicates. The
// memory of the PEs holds the pairs of `left`, and the pairs of `right` pass by: the smaller source
// is given first.
template <detail::pairs_source Left, detail::pairs_source Right, typename F>
void join_by_key(const world& w, Left&& left, Right&& right, F&& f,
                 const map_options& options = {}) {
  using K = typename detail::types_of_pairs<Left>::key;
  using V = typename detail::types_of_pairs<Left>::value;
  using W = typename detail::types_of_pairs<Right>::value;
  constexpr bool is_one_key = std::same_as<K, typename detail::types_of_pairs<Right>::key>;
  static_assert(is_one_key, "both sides of a join must have keys of one type");
  constexpr bool can_call = std::invocable<F&, const K&, const V&, const W&>;
  static_assert(can_call, "the function of a join must be callable as f(key, left, right)");
  if constexpr (is_one_key && can_call) {
    auto groups = group_by_key(w, left, options);
    detail::exchange_pairs<K, W>(
        w,
        [&](const auto& push) {
          for (const auto& [key, value] : detail::pairs_of(right)) {
            push(key, value, groups.owner(key));
          }
        },
        [&](const K& key, const W& value) {
          const std::vector<V>* const group = groups.local_find(key);
          if (group == nullptr) return;
          for (const V& of_left : *group) f(key, of_left, value);
        });
  }
}

}  // namespace boxcar
