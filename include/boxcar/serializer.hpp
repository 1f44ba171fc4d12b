// A serializer makes values that are not plain bytes travel: the parts of a value are written one
// after the other, and read in the same order on the destination. `exchange` uses serializers.
// docs/exchange.md has an example.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/plain_value.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/error.hpp>

namespace boxcar {

class byte_writer;
class byte_reader;

// The template that a program specialises for its own type:
//
//   template <> struct boxcar::serializer<molecule> {
//     static void write(byte_writer& out, const molecule& m) {
//       out.put(m.name);
//       out.put(m.masses);
//     }
//     static molecule read(byte_reader& in) {
//       return {in.get<std::string>(), in.get<std::vector<double>>()};
//     }
//   };
//
// Parts are plain values, strings, vectors, optionals, pairs and tuples of parts, and any type with
// a serializer. `read` must get the same parts as `write` has put, in the same order.
template <typename T>
struct serializer;

namespace detail {

template <typename T>
concept serializable = requires(byte_writer& out, byte_reader& in, const T& value) {
  serializer<T>::write(out, value);
  { serializer<T>::read(in) } -> std::convertible_to<T>;
};

template <typename T>
constexpr void require_serializable() {
  static_assert(
      serializable<T>,
      "the type is neither plain (without pointers), nor a string or vector, nor has it a "
      "serializer: specialise boxcar::serializer, with `write` and `read`");
}

}  // namespace detail

class byte_writer {
 public:
  explicit byte_writer(std::vector<std::byte>& to) : to_(to) {}

  template <typename T>
  void put(const T& value) {
    detail::require_serializable<T>();
    if constexpr (detail::serializable<T>) serializer<T>::write(*this, value);
  }
  void put_bytes(std::span<const std::byte> bytes) {
    // (GCC 12 warns of `insert` where the vector was empty.)
    const std::size_t before = to_.size();
    to_.resize(before + bytes.size());
    if (!bytes.empty()) std::memcpy(to_.data() + before, bytes.data(), bytes.size());
  }

 private:
  std::vector<std::byte>& to_;
};

class byte_reader {
 public:
  // `of`: the type of the whole item, for messages.
  byte_reader(std::span<const std::byte> from, std::string_view of) : rest_(from), of_(of) {}

  template <typename T>
  [[nodiscard]] T get() {
    detail::require_serializable<T>();
    if constexpr (detail::serializable<T>) return serializer<T>::read(*this);
  }
  // Returns the next `bytes` bytes. Throws boxcar::error if fewer bytes are left.
  [[nodiscard]] std::span<const std::byte> get_bytes(std::size_t bytes) {
    if (bytes > rest_.size()) {
      fail("reads " + std::to_string(bytes) + " bytes where " + std::to_string(rest_.size()) +
           " are left");
    }
    const auto here = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return here;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  // Returns all bytes that are left.
  [[nodiscard]] std::span<const std::byte> get_rest() { return get_bytes(rest_.size()); }
  // Returns the bytes of an array; the number of the elements precedes the bytes.
  [[nodiscard]] std::span<const std::byte> get_array(std::size_t element_bytes) {
    const auto length = get<std::uint64_t>();
    if (length > rest_.size() / element_bytes) {
      fail("reads " + std::to_string(length) + " elements where " + std::to_string(rest_.size()) +
           " bytes are left");
    }
    return get_bytes(length * element_bytes);
  }
  // Throws boxcar::error unless everything has been read.
  void expect_end() const {
    if (!rest_.empty()) fail("leaves " + std::to_string(rest_.size()) + " bytes unread");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw error("the serializer of " + std::string(of_) + " " + what +
                ": `read` must get what `write` has put, in the same order");
  }

  std::span<const std::byte> rest_;
  std::string_view of_;
};

template <detail::plain T>
struct serializer<T> {
  static void write(byte_writer& out, const T& value) {
    out.put_bytes(std::as_bytes(std::span(&value, 1)));
  }
  static T read(byte_reader& in) {
    return detail::plain_value<std::remove_const_t<T>>(in.get_bytes(sizeof(T)).data());
  }
};

template <>
struct serializer<std::string> {
  static void write(byte_writer& out, const std::string& text) {
    out.put(std::uint64_t{text.size()});
    out.put_bytes(std::as_bytes(std::span(text)));
  }
  static std::string read(byte_reader& in) {
    const auto bytes = in.get_array(1);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

template <typename T>
struct serializer<std::vector<T>> {
  // The elements are written as they lie in memory. (A std::vector<bool> has bits.)
  static constexpr bool by_bytes = detail::plain<T> && !std::is_same_v<T, bool>;

  static void write(byte_writer& out, const std::vector<T>& values) {
    out.put(std::uint64_t{values.size()});
    if constexpr (by_bytes) {
      out.put_bytes(std::as_bytes(std::span(values)));
    } else {
      for (const auto& value : values) out.put<T>(value);
    }
  }
  static std::vector<T> read(byte_reader& in) {
    std::vector<T> values;
    if constexpr (by_bytes && std::default_initializable<T>) {
      const auto bytes = in.get_array(sizeof(T));
      values.resize(bytes.size() / sizeof(T));
      if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    } else {
      for (auto left = in.get<std::uint64_t>(); left != 0; --left) values.push_back(in.get<T>());
    }
    return values;
  }
};

template <typename T>
  requires(!detail::plain<std::optional<T>>)
struct serializer<std::optional<T>> {
  static void write(byte_writer& out, const std::optional<T>& value) {
    out.put(value.has_value());
    if (value) out.put(*value);
  }
  static std::optional<T> read(byte_reader& in) {
    std::optional<T> value;
    if (in.get<bool>()) value.emplace(in.get<T>());
    return value;
  }
};

template <typename A, typename B>
struct serializer<std::pair<A, B>> {
  static void write(byte_writer& out, const std::pair<A, B>& both) {
    out.put(both.first);
    out.put(both.second);
  }
  static std::pair<A, B> read(byte_reader& in) {
    // (In braces, the first argument is evaluated first.)
    return std::pair<A, B>{in.get<A>(), in.get<B>()};
  }
};

template <typename... T>
struct serializer<std::tuple<T...>> {
  static void write(byte_writer& out, const std::tuple<T...>& all) {
    std::apply([&out](const T&... each) { (out.put(each), ...); }, all);
  }
  static std::tuple<T...> read(byte_reader& in) { return std::tuple<T...>{in.get<T>()...}; }
};

}  // namespace boxcar
