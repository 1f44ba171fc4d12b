// A map query calls a function for many keys on the PEs that own the keys, and brings the results
// back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <boxcar/detail/map_core.hpp>
#include <boxcar/detail/map_message.hpp>
#include <boxcar/detail/map_visitor.hpp>
#include <boxcar/exchange.hpp>

namespace boxcar::detail {

// The messages have the function in their types: PEs that ask by different functions find the
// difference.
template <typename F, typename... T>
struct plain_query {
  plain_tuple<T...> content;
};
template <typename R>
struct plain_reply {
  R result;
  bool is_present;
};

// The function that `get` asks by.
template <typename K, typename V>
struct value_of_key {
  V operator()(const K&, V& value) const { return value; }
};

template <typename K, typename V, typename F, typename R, typename Arguments>
struct map_query;
template <typename K, typename V, typename F, typename R, typename... A>
struct map_query<K, V, F, R, type_list<A...>> {
  using core_type = map_core<K, V>;
  using results = std::vector<std::optional<R>>;

  static constexpr bool is_plain =
      map_message<K, A...>::is_plain && item<plain_reply<R>> && std::default_initializable<R>;

  // Collective.
  static results run(core_type& core, std::span<const K> keys, const A&... arguments) {
    results all(keys.size());
    if constexpr (is_plain) {
      run_plain(core, keys, all, arguments...);
    } else {
      run_written(core, keys, all, arguments...);
    }
    return all;
  }

 private:
  static auto* find(core_type& core, const K& key) {
    return core.table().find(key, core.table().hash_of(key));
  }

  static void run_plain(core_type& core, std::span<const K> keys, results& all,
                        const A&... arguments) {
    using query = plain_query<F, K, A...>;
    exchange<query>(
        core.the_world(),
        [&](auto& out) {
          for (std::size_t i = 0; i != keys.size(); ++i) {
            const int owner = core.owner_of(core.table().hash_of(keys[i]));
            out.push(query{make_plain_tuple(keys[i], arguments...)}, owner, i);
          }
        },
        [&](const query& q) {
          return apply_plain_tuple(
              [&](const K& key, const A&... of_query) -> plain_reply<R> {
                auto* const entry = find(core, key);
                if (entry == nullptr) return {R{}, false};
                return {map_function<K, V, F>::call(core.map(), *entry, of_query...), true};
              },
              q.content);
        },
        [&](const plain_reply<R>& reply, std::size_t i) {
          if (reply.is_present) all[i] = reply.result;
        });
  }

  // Queries of any size: all queries travel, and then all results.
  static void run_written(core_type& core, std::span<const K> keys, results& all,
                          const A&... arguments) {
    using query = std::tuple<std::uint64_t, K, A...>;
    using reply = std::pair<std::uint64_t, R>;
    std::vector<std::pair<int, reply>> replies;
    exchange<query>(
        core.the_world(),
        [&](auto& out) {
          for (std::size_t i = 0; i != keys.size(); ++i) {
            const int owner = core.owner_of(core.table().hash_of(keys[i]));
            out.push(query{i, keys[i], arguments...}, owner);
          }
        },
        [&](const query& q, int from) {
          std::apply(
              [&](std::uint64_t number, const K& key, const A&... of_query) {
                auto* const entry = find(core, key);
                if (entry == nullptr) return;
                replies.emplace_back(from, reply{number, map_function<K, V, F>::call(
                                                             core.map(), *entry, of_query...)});
              },
              q);
        });
    exchange<reply>(
        core.the_world(),
        [&](auto& out) {
          for (const auto& [pe, r] : replies) out.push(r, pe);
        },
        [&](const reply& r) { all[r.first] = r.second; });
  }
};

}  // namespace boxcar::detail
