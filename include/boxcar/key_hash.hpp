// The key hash determines the owner PE of a key of a distributed container, or of an object of a
// collection. The hash of a key is the same on all PEs, and all of its bits depend on all of the
// key.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <boxcar/detail/mix_bits.hpp>

namespace boxcar {

// Returns the hash of bytes.
[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes);

// Returns a hash of a number whose bits all depend on all bits of the number; a bijection.
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) {
  return detail::mix_bits(x);
}

namespace detail {

template <typename K>
concept text = std::convertible_to<const K&, std::string_view>;

template <typename K>
concept tuple_like = requires { typename std::tuple_size<K>::type; };

}  // namespace detail

// The default: numbers, enumerations, texts, pairs, tuples and arrays of these, types without
// padding whose equality is the equality of their bytes, and any type with a std::hash equal on all
// PEs. A program specialises the template for its own type.
template <typename K>
struct key_hash {
  [[nodiscard]] std::uint64_t operator()(const K& key) const {
    if constexpr (std::integral<K> || std::is_enum_v<K>) {
      return mix_bits(static_cast<std::uint64_t>(key));
    } else if constexpr (detail::text<K>) {
      const std::string_view text(key);
      return hash_bytes(std::as_bytes(std::span(text.data(), text.size())));
    } else if constexpr (detail::tuple_like<K>) {
      return std::apply(
          [](const auto&... parts) {
            std::uint64_t h = 0;
            ((h = mix_bits(h + 0x9e3779b97f4a7c15 +
                           key_hash<std::remove_cvref_t<decltype(parts)>>()(parts))),
             ...);
            return h;
          },
          key);
    } else if constexpr (std::has_unique_object_representations_v<K>) {
      return hash_bytes(std::as_bytes(std::span(&key, 1)));
    } else {
      static_assert(std::is_default_constructible_v<std::hash<K>>,
                    "the type of the key has no hash: specialise boxcar::key_hash, with "
                    "operator()(const K&)");
      return mix_bits(std::hash<K>()(key));
    }
  }
};

// Returns the PE that owns a key with the given hash: even, whatever the number of PEs.
[[nodiscard]] inline int owner_of_hash(std::uint64_t hash, int pes) {
  const auto high = static_cast<std::uint32_t>(hash >> 32);
  return static_cast<int>((std::uint64_t{high} * static_cast<std::uint32_t>(pes)) >> 32);
}

}  // namespace boxcar
