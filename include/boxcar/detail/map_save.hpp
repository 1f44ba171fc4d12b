// Saves a distributed map to a file, and loads the file on any number of PEs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <boxcar/detail/map_core.hpp>
#include <boxcar/detail/record_file.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/serializer.hpp>

namespace boxcar::detail {

// An entry as it is saved: a key and a value, or a key.
template <typename K, typename V>
using saved_entry =
    typename std::conditional_t<std::is_void_v<V>, std::type_identity<std::tuple<K>>,
                                std::type_identity<std::tuple<K, V>>>::type;

template <typename V>
inline constexpr std::string_view saved_map_name = std::is_void_v<V> ? "set" : "map";

// Collective.
template <typename K, typename V>
void save_map(map_core<K, V>& core, const std::string& name) {
  record_writer::save(core.the_world(), name, saved_map_name<V>, identity_of<saved_entry<K, V>>,
                      [&](record_writer& out) {
                        for (const auto& entry : core.table()) {
                          if constexpr (std::is_void_v<V>) {
                            out.add(entry.key);
                          } else {
                            out.add(entry.key, entry.value);
                          }
                        }
                      });
}

// Collective.
template <typename K, typename V>
void load_map(map_core<K, V>& core, const std::string& name) {
  using entry = saved_entry<K, V>;
  record_reader in(core.the_world(), name, saved_map_name<V>, identity_of<entry>);
  exchange<entry>(
      core.the_world(),
      [&](auto& out) {
        in.for_each<entry>([&](const entry& e) {
          out.push(e, core.owner_of(core.table().hash_of(std::get<0>(e))));
        });
      },
      [&](const entry& e) {
        const K& key = std::get<0>(e);
        const std::uint64_t hash = core.table().hash_of(key);
        auto& at = core.table().find_or_insert(key, hash, [&]() -> table_entry<K, V> {
          if constexpr (std::is_void_v<V>) {
            return {key};
          } else {
            return {key, std::get<1>(e)};
          }
        });
        if constexpr (!std::is_void_v<V>) at.value = std::get<1>(e);
      });
  in.close();
}

}  // namespace boxcar::detail
