// A map message carries a key and arguments to the owner of the key: as plain bytes, or written by
// serializers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/requirements.hpp>
#include <boxcar/serializer.hpp>

namespace boxcar::detail {

// A tuple that is trivially copyable if its elements are. (A std::tuple never is.)
template <typename... T>
struct plain_tuple;
template <typename T>
struct plain_tuple<T> {
  T first;
};
template <typename T, typename Next, typename... More>
struct plain_tuple<T, Next, More...> {
  T first;
  plain_tuple<Next, More...> rest;
};

template <typename T>
[[nodiscard]] constexpr plain_tuple<T> make_plain_tuple(const T& only) {
  return {only};
}
template <typename T, typename Next, typename... More>
[[nodiscard]] constexpr plain_tuple<T, Next, More...> make_plain_tuple(const T& first,
                                                                       const Next& next,
                                                                       const More&... more) {
  return {first, make_plain_tuple<Next, More...>(next, more...)};
}

// Calls `f(elements...)`.
template <typename F, typename T, typename... Before>
[[gnu::always_inline]] constexpr decltype(auto) apply_plain_tuple(F&& f, const plain_tuple<T>& t,
                                                                  const Before&... before) {
  return f(before..., t.first);
}
template <typename F, typename T, typename Next, typename... More, typename... Before>
[[gnu::always_inline]] constexpr decltype(auto) apply_plain_tuple(
    F&& f, const plain_tuple<T, Next, More...>& t, const Before&... before) {
  return apply_plain_tuple(std::forward<F>(f), t.rest, before..., t.first);
}

// The message of a key and arguments.
template <typename... T>
struct map_message {
  using tuple = plain_tuple<T...>;

  // A message that travels as bytes fits in an item of a stream. Half of the maximum is left to the
  // messages of other functions of the map, and to the buffers.
  static constexpr bool is_plain = (plain<T> && ...) && sizeof(tuple) <= largest_item_bytes / 2;

  static void write(std::vector<std::byte>& to, const T&... all) {
    byte_writer out(to);
    (out.put(all), ...);
  }
  // Calls `f(elements...)`. Throws boxcar::error if the serializers do not fit.
  template <typename F>
  static void read(byte_reader& in, F&& f) {
    const std::tuple<T...> all{in.get<T>()...};
    in.expect_end();
    std::apply(std::forward<F>(f), all);
  }
};

}  // namespace boxcar::detail
