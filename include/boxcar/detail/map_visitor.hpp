// A map visitor is a function that a program names for a distributed map, and that runs where the
// key is. The header derives the arguments of a visitor from its signature, and checks the
// signature.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <boxcar/detail/call_signature.hpp>

namespace boxcar {

template <typename K, typename V>
class distributed_map;
template <typename K, typename V, typename F, typename Combine>
class combined_visitor;

// Says whether a visitor is called for keys that the map does not have.
enum class absent {
  insert,  // an absent key is inserted first, with a default value
  skip,    // nothing happens
  store,   // an absent key is inserted with the argument of the visitor as its value
};

namespace detail {

// Returns an argument as the type of the parameter, converted if the types differ.
template <typename T, typename A>
[[gnu::always_inline]] constexpr decltype(auto) converted(const A& argument) {
  if constexpr (std::same_as<T, A>) {
    return (argument);
  } else {
    constexpr bool converts = std::convertible_to<const A&, T>;
    static_assert(converts, "an argument does not convert to the parameter of the function");
    if constexpr (converts) {
      return static_cast<T>(argument);
    } else {
      return *static_cast<const T*>(nullptr);  // never compiled to code
    }
  }
}

// An object for each type: its address stands for the type within a program.
template <typename T>
inline constexpr char type_mark = 0;

// Removes the map, the key and the value from the parameters of a visitor: the arguments remain.
template <typename K, typename V, typename List>
struct visitor_arguments {
  static constexpr bool is_valid = false;
};
template <typename K, typename V, typename Key, typename Value, typename... A>
  requires std::convertible_to<const K&, Key> &&
           (std::same_as<Value, V&> || std::same_as<Value, const V&>)
struct visitor_arguments<K, V, type_list<Key, Value, A...>> {
  static constexpr bool is_valid = true;
  static constexpr bool takes_map = false;
  using type = type_list<std::remove_cvref_t<A>...>;
};
template <typename K, typename Key, typename... A>
  requires std::convertible_to<const K&, Key>
struct visitor_arguments<K, void, type_list<Key, A...>> {
  static constexpr bool is_valid = true;
  static constexpr bool takes_map = false;
  using type = type_list<std::remove_cvref_t<A>...>;
};
template <typename K, typename V, typename... P>
struct visitor_arguments<K, V, type_list<distributed_map<K, V>&, P...>>
    : visitor_arguments<K, V, type_list<P...>> {
  static constexpr bool takes_map = true;
};

// Checks a function for `visitor` and `ask`; reports one mistake only.
template <typename K, typename V, typename F>
consteval bool is_map_function() {
  constexpr bool has_no_captures = std::is_class_v<F> && std::is_empty_v<F>;
  static_assert(
      has_no_captures,
      "the function must be a lambda without captures, or an empty class: captured values "
      "do not exist on the PE that owns the key; pass the values as arguments");
  if constexpr (has_no_captures) {
    constexpr bool has_signature = has_one_signature<F>;
    static_assert(has_signature,
                  "the function must have one signature: give the types of all parameters instead "
                  "of `auto`");
    if constexpr (has_signature) {
      using parameters = typename call_signature<F>::parameters;
      constexpr bool takes_key = visitor_arguments<K, V, parameters>::is_valid;
      static_assert(takes_key || std::is_void_v<V>,
                    "the function must take (const K& key, V& value, arguments...), or the map "
                    "(distributed_map<K, V>&) before these");
      static_assert(takes_key || !std::is_void_v<V>,
                    "the function must take (const K& key, arguments...), or the map "
                    "(distributed_map<K>&) before these");
      return takes_key;
    }
  }
  return false;
}

// The function of a visitor, and how to call the function. Precondition: is_map_function<K, V,
// F>().
template <typename K, typename V, typename F>
struct map_function {
  using parsed = visitor_arguments<K, V, typename call_signature<F>::parameters>;
  using arguments = typename parsed::type;

  template <typename Entry, typename... A>
  [[gnu::always_inline]] static decltype(auto) call(distributed_map<K, V>& map, Entry& entry,
                                                    const A&... arguments_of_call) {
    F f{};
    if constexpr (std::is_void_v<V>) {
      if constexpr (parsed::takes_map) {
        return f(map, std::as_const(entry.key), arguments_of_call...);
      } else {
        return f(std::as_const(entry.key), arguments_of_call...);
      }
    } else {
      if constexpr (parsed::takes_map) {
        return f(map, std::as_const(entry.key), entry.value, arguments_of_call...);
      } else {
        return f(std::as_const(entry.key), entry.value, arguments_of_call...);
      }
    }
  }
};

}  // namespace detail

// The handle of a visitor of a map: what `tell` takes. Copyable.
template <typename K, typename V, typename F>
class map_visitor {
 private:
  friend distributed_map<K, V>;
  template <typename, typename, typename, typename>
  friend class combined_visitor;

  map_visitor(std::uint64_t owner, std::uint8_t number) : owner_(owner), number_(number) {}

  std::uint64_t owner_;  // the serial number of the map
  std::uint8_t number_;
};

}  // namespace boxcar
