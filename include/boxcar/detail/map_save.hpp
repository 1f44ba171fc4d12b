// Saves a distributed map to files, and loads the files on any number of PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/map_core.hpp>
#include <boxcar/detail/map_file.hpp>
#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/serializer.hpp>

namespace boxcar::detail {

// An entry as it is saved: a key and a value, or a key.
template <typename K, typename V>
using saved_entry =
    typename std::conditional_t<std::is_void_v<V>, std::type_identity<std::tuple<K>>,
                                std::type_identity<std::tuple<K, V>>>::type;

template <typename K, typename V>
constexpr std::uint64_t saved_types_hash() {
  if constexpr (std::is_void_v<V>) {
    return identity_of<K>.hash;
  } else {
    return identity_of<K>.hash * 3 + identity_of<V>.hash;
  }
}

// Collective.
template <typename K, typename V>
void save_map(map_core<K, V>& core, const std::string& folder) {
  world& w = core.the_world();
  const saved_map map = new_saved_map(w, core.types(), saved_types_hash<K, V>());
  std::optional<map_file> file;
  agree_on_success(w, [&] {
    file.emplace(folder, static_cast<std::uint32_t>(w.rank()), map);
    std::vector<std::byte> block;
    std::uint64_t entries = 0;
    const auto write = [&] {
      file->write_block(block, std::exchange(entries, 0));
      block.clear();
    };
    for (const auto& entry : core.table()) {
      byte_writer out(block);
      out.put(entry.key);
      if constexpr (!std::is_void_v<V>) out.put(entry.value);
      ++entries;
      if (block.size() >= map_file::block_bytes) write();
    }
    write();
    file->close();
  });
  // No file of an older save is replaced before all files are complete.
  agree_on_success(w, [&] { file->publish(); });
}

// Calls `take(entry)` for all entries of a file.
template <typename K, typename V, typename Take>
void read_map_file(map_file& file, const std::string& types, const Take& take) {
  std::vector<std::byte> block;
  while (const std::uint64_t entries = file.read_block(block)) {
    byte_reader in(block, types);
    for (std::uint64_t i = 0; i != entries; ++i) take(in.get<saved_entry<K, V>>());
    in.expect_end();
  }
}

// Collective.
template <typename K, typename V>
void load_map(map_core<K, V>& core, const std::string& folder) {
  world& w = core.the_world();
  const auto rank = static_cast<std::uint32_t>(w.rank());
  const auto pes = static_cast<std::uint32_t>(w.size());
  saved_map map;
  agree_on_success(w, [&] {
    map = map_file(folder, 0).map();
    map.types = core.types();
    map.types_hash = saved_types_hash<K, V>();
    for (std::uint32_t part = rank; part < map.parts; part += pes) {
      map_file(folder, part).require(map, part);
    }
  });
  agree_on_success(w, [&] {
    std::optional<boxcar::error> problem;
    exchange<saved_entry<K, V>>(
        w,
        [&](auto& out) {
          for (std::uint32_t part = rank; part < map.parts && !problem; part += pes) {
            try {
              map_file file(folder, part);
              read_map_file<K, V>(file, map.types, [&](const saved_entry<K, V>& entry) {
                const K& key = std::get<0>(entry);
                out.push(entry, core.owner_of(core.table().hash_of(key)));
              });
            } catch (const world_error&) {
              throw;
            } catch (const error& e) {
              problem = e;
            }
          }
        },
        [&](const saved_entry<K, V>& entry) {
          const K& key = std::get<0>(entry);
          const std::uint64_t hash = core.table().hash_of(key);
          auto& at = core.table().find_or_insert(key, hash, [&]() -> table_entry<K, V> {
            if constexpr (std::is_void_v<V>) {
              return {key};
            } else {
              return {key, std::get<1>(entry)};
            }
          });
          if constexpr (!std::is_void_v<V>) at.value = std::get<1>(entry);
        });
    if (problem) throw argument_error(problem->what());
  });
}

}  // namespace boxcar::detail
