// The values of a bag on their way: plain values travel as items, other values as bytes, which
// their serializer writes.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/requirements.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/item.hpp>
#include <boxcar/serializer.hpp>
#include <boxcar/stream.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// Reports a type whose values cannot be in a bag, once for each mistake.
template <typename T>
constexpr bool requires_bag_value() {
  static_assert(!std::same_as<T, bool>, "values of type bool have no addresses: use std::uint8_t");
  if constexpr (std::is_trivially_copyable_v<T>) {
    require_plain<T>();
    static_assert(std::default_initializable<T>,
                  "plain values must have a default: they travel as items, which are read into "
                  "variables");
  } else {
    require_serializable<T>();
  }
  return true;
}

// The stream that carries values to other PEs.
template <typename T>
using bag_stream = stream<std::conditional_t<item<T>, T, std::byte[]>>;

template <typename T>
void write_value(std::vector<std::byte>& to, const T& value) {
  byte_writer out(to);
  out.put(value);
}
// Throws boxcar::error if the bytes are not the bytes of a value.
template <typename T>
[[nodiscard]] T value_in(std::span<const std::byte> bytes) {
  byte_reader in(bytes, identity_of<T>.name);
  T value = in.get<T>();
  in.expect_end();
  return value;
}

// Collective. Calls `produce(push)`, with `push(value, pe)`, and `consume(value)` where the values
// arrive.
template <typename T, typename Produce, typename Consume>
void exchange_values(const world& w, const Produce& produce, const Consume& consume) {
  if constexpr (item<T>) {
    exchange<T>(
        w, [&](auto& out) { produce([&](const T& value, int pe) { out.push(value, pe); }); },
        [&](const T& value) { consume(T(value)); });
  } else {
    exchange<std::vector<std::byte>>(
        w,
        [&](auto& out) {
          std::vector<std::byte> bytes;
          produce([&](const T& value, int pe) {
            bytes.clear();
            write_value(bytes, value);
            out.push(bytes, pe);
          });
        },
        [&](std::span<const std::byte> bytes) { consume(value_in<T>(bytes)); });
  }
}

}  // namespace boxcar::detail
