// The elastic outbox is the argument of `produce` in an `exchange` of items of any size; the
// elastic form is the form of the items on the way.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/elastic_core.hpp>
#include <boxcar/detail/item_handler.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/error.hpp>
#include <boxcar/serializer.hpp>

namespace boxcar::detail {

[[noreturn]] inline void refuse_push_from_handler() {
  throw contract_error(
      "push from within a handler of `exchange`: handlers only receive; what they find out may be "
      "stored and sent by another exchange");
}

// The scope in which handlers of an exchange run.
class handling_scope {
 public:
  explicit handling_scope(bool& handling) : handling_(handling) { handling_ = true; }
  handling_scope(const handling_scope&) = delete;
  handling_scope& operator=(const handling_scope&) = delete;
  ~handling_scope() { handling_ = false; }

 private:
  bool& handling_;
};

// The form of a type with a serializer: an item is written where pushed, and read where consumed.
template <typename T>
class elastic_form {
 public:
  using given = const T&;  // the argument of `push`
  using taken = T;         // the type to which `consume` gets a const reference

  std::span<const std::byte> bytes_of(const T& item) {
    bytes_.clear();
    byte_writer out(bytes_);
    out.put(item);
    return bytes_;
  }
  static T item_in(std::span<const std::byte> bytes) {
    byte_reader in(bytes, identity_of<T>.name);
    T item = in.get<T>();
    in.expect_end();
    return item;
  }
  static constexpr std::size_t alignment = 1;

 private:
  std::vector<std::byte> bytes_;
};

// The form of strings and arrays of plain elements: they travel unchanged, and are consumed in
// place.
template <>
class elastic_form<std::string> {
 public:
  using given = std::string_view;
  using taken = std::string_view;

  static std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
  }
  static std::string_view item_in(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  static constexpr std::size_t alignment = 1;
};
template <plain T>
  requires(!std::same_as<T, bool>)
class elastic_form<std::vector<T>> {
 public:
  using given = std::span<const T>;
  using taken = std::span<const T>;

  static std::span<const std::byte> bytes_of(std::span<const T> array) {
    return std::as_bytes(array);
  }
  static std::span<const T> item_in(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  static constexpr std::size_t alignment = alignof(T);
};

// As `outbox`.
template <typename T, typename Consume>
class elastic_outbox {
 public:
  elastic_outbox(elastic_core& c, Consume& consume) : conveyor_(c), consume_(consume) {}

  void push(typename elastic_form<T>::given item, int pe) {
    if (consuming_) refuse_push_from_handler();
    const std::span<const std::byte> bytes = form_.bytes_of(item);
    while (!conveyor_.push(bytes.data(), bytes.size(), pe)) {
      const called_scope scope("push");
      conveyor_.advance(false);
      consume_arrivals();
    }
  }

 private:
  friend struct exchange_access;

  void consume_arrivals() {
    const handling_scope scope(consuming_);
    for (auto arrived = conveyor_.pull(); arrived.data != nullptr; arrived = conveyor_.pull()) {
      const std::byte* const data = conveyor_.aligned(arrived, elastic_form<T>::alignment);
      const typename elastic_form<T>::taken item =
          elastic_form<T>::item_in(std::span(data, arrived.bytes));
      call_handler(consume_, item, conveyor_.from());
    }
  }

  elastic_core& conveyor_;
  Consume& consume_;
  elastic_form<T> form_;
  bool consuming_ = false;
};

}  // namespace boxcar::detail
