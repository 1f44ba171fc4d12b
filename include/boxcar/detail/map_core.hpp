// The map core is the part of a distributed map on one PE: the local table, and the functions that
// run for arrived messages.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/local_table.hpp>
#include <boxcar/detail/map_message.hpp>
#include <boxcar/detail/map_transport.hpp>
#include <boxcar/detail/map_visitor.hpp>
#include <boxcar/error.hpp>
#include <boxcar/key_hash.hpp>

namespace boxcar::detail {

template <typename K, typename V>
class map_core;

// The set of built-in operations that the program uses with maps from K to V. A static object of
// each used operation adds a bit before the program starts: so a map without `erase`, for instance,
// has no messages for `erase`.
template <typename K, typename V>
struct used_operations {
  static inline std::uint32_t bits = 0;
};
template <typename K, typename V, typename Operation>
struct use_of_operation {
  static inline const bool is_noted =
      (used_operations<K, V>::bits |= 1U << Operation::number, true);
};

// --- Operations
// ------------------------------------------------------------------------------------ An operation
// has the type of its message, and `apply(core, hash, key, arguments...)`.

template <typename K, typename V, typename F, absent policy, typename Arguments>
struct visit_operation;
template <typename K, typename V, typename F, absent policy, typename... A>
struct visit_operation<K, V, F, policy, type_list<A...>> {
  using message = map_message<K, A...>;

  [[gnu::always_inline]] static void apply(map_core<K, V>& core, std::uint64_t hash, const K& key,
                                           const A&... arguments) {
    if constexpr (policy == absent::skip) {
      if (auto* const entry = core.table().find(key, hash)) {
        map_function<K, V, F>::call(core.map(), *entry, arguments...);
      }
    } else if constexpr (policy == absent::store) {
      bool is_new = false;
      auto& entry = core.table().find_or_insert(key, hash, [&] {
        is_new = true;
        return table_entry<K, V>{key, static_cast<V>(arguments)...};
      });
      if (!is_new) map_function<K, V, F>::call(core.map(), entry, arguments...);
    } else {
      auto& entry = core.table().find_or_insert(key, hash, [&] { return core.default_entry(key); });
      map_function<K, V, F>::call(core.map(), entry, arguments...);
    }
  }
};

template <typename K, typename V>
struct insert_operation {
  static constexpr unsigned number = 0;
  using message = map_message<K, V>;
  static void apply(map_core<K, V>& core, std::uint64_t hash, const K& key, const V& value) {
    core.table().find_or_insert(key, hash, [&] { return table_entry<K, V>{key, value}; });
  }
};
template <typename K>
struct insert_operation<K, void> {
  static constexpr unsigned number = 0;
  using message = map_message<K>;
  static void apply(map_core<K, void>& core, std::uint64_t hash, const K& key) {
    core.table().find_or_insert(key, hash, [&] { return table_entry<K, void>{key}; });
  }
};

template <typename K, typename V>
struct assign_operation {
  static constexpr unsigned number = 1;
  using message = map_message<K, V>;
  static void apply(map_core<K, V>& core, std::uint64_t hash, const K& key, const V& value) {
    auto& entry = core.table().find_or_insert(key, hash, [&] {
      return table_entry<K, V>{key, value};
    });
    entry.value = value;
  }
};

template <typename K, typename V>
struct erase_operation {
  static constexpr unsigned number = 2;
  using message = map_message<K>;
  static void apply(map_core<K, V>& core, std::uint64_t hash, const K& key) {
    core.table().erase(key, hash);
  }
};

// The constant is true if a visitor has one argument, and the argument converts to a value.
template <typename V, typename Arguments>
inline constexpr bool takes_value = false;
template <typename V, typename A>
  requires(!std::is_void_v<V>)
inline constexpr bool takes_value<V, type_list<A>> = std::convertible_to<const A&, V>;

// A type of values with a value for each new key: the value of a new key of other types is V{}.
template <typename V, typename K>
concept has_value_of_new_key = requires(const K& key) {
  { V::of_new_key(key) } -> std::same_as<V>;
};

// --- The core
// --------------------------------------------------------------------------------------

template <typename K, typename V>
class map_core final : public map_transport {
 public:
  using table_type = local_table<K, V>;
  using map_type = distributed_map<K, V>;

  map_core(const world& w, const stream_options& options, std::uint64_t keys_per_pe, map_type& map)
      : map_transport(w, options, types()), map_(&map) {
    require_memory(try_reserve(keys_per_pe), keys_per_pe, sizeof(table_entry<K, V>));
  }

  [[nodiscard]] table_type& table() { return table_; }
  [[nodiscard]] map_type& map() const { return *map_; }
  void map_moved(map_type& to) { map_ = &to; }

  // The types of the map, in words.
  static std::string types() {
    if constexpr (std::is_void_v<V>) {
      return "a set of " + std::string(identity_of<K>.name);
    } else {
      return "a map from " + std::string(identity_of<K>.name) + " to " +
             std::string(identity_of<V>.name);
    }
  }

  [[nodiscard]] int owner_of(std::uint64_t hash) const { return owner_of_hash(hash, size()); }

  [[nodiscard]] static table_entry<K, V> default_entry(const K& key) {
    if constexpr (std::is_void_v<V>) {
      return {key};
    } else if constexpr (has_value_of_new_key<V, K>) {
      return {key, V::of_new_key(key)};
    } else {
      return {key, V{}};
    }
  }

  template <typename F>
  std::uint8_t add_visitor(absent policy, const std::source_location& where) {
    require_no_session("visitor");
    // A place in the library can name visitors of several types.
    const std::string name =
        "the visitor of " + name_of(where) + ", " + std::string(identity_of<F>.name);
    const std::uint8_t number = add_visitor<F>(policy, name);
    visitor_types_.push_back({&type_mark<F>, number});
    return number;
  }

  // Returns the number of the only visitor of a type.
  template <typename F>
  [[nodiscard]] std::uint8_t number_of_visitor() const {
    const auto is_named = [](const visitor_type& t) { return t.mark == &type_mark<F>; };
    const auto found = std::ranges::find_if(visitor_types_, is_named);
    if (found == visitor_types_.end() ||
        std::find_if(found + 1, visitor_types_.end(), is_named) != visitor_types_.end()) {
      throw argument_error("the map has no visitor, or several visitors, of the type " +
                           std::string(identity_of<F>.name) +
                           ": name one visitor of the type by `visitor`");
    }
    return found->number;
  }

  // Collective.
  session begin(const termination& ending) {
    require_no_session("begin");
    add_built_in<insert_operation<K, V>>("insert");
    if constexpr (!std::is_void_v<V>) add_built_in<assign_operation<K, V>>("assign");
    add_built_in<erase_operation<K, V>>("erase");
    return map_transport::begin(ending, this);
  }

  // Sends a message of the operation with the number to the owner of the key.
  template <typename Operation, typename... A>
  [[gnu::always_inline]] void send(std::uint8_t number, const K& key, const A&... arguments) {
    using message = typename Operation::message;
    const int owner = owner_of(table_type::hash_of(key));
    if constexpr (message::is_plain) {
      using sent = decltype(make_plain_tuple(key, arguments...));
      static_assert(std::same_as<sent, typename message::tuple>);
      if (dispatch_stream* const stream = plain_stream()) [[likely]] {
        return stream->send(number, make_plain_tuple(key, arguments...), owner);
      }
    }
    send_written<message>(number, owner, key, arguments...);
  }

  template <typename Operation, typename... A>
  [[gnu::always_inline]] void send_built_in(const K& key, const A&... arguments) {
    static_cast<void>(use_of_operation<K, V, Operation>::is_noted);
    send<Operation>(built_in_[Operation::number], key, arguments...);
  }

  template <typename F, absent policy>
  using visit = visit_operation<K, V, F, policy, typename map_function<K, V, F>::arguments>;

 private:
  struct visitor_type {
    const void* mark;  // of the type
    std::uint8_t number;
  };

  // Returns false if there is not enough memory.
  [[nodiscard]] bool try_reserve(std::uint64_t keys) {
    if (keys > local_table_memory::physical_bytes() / sizeof(table_entry<K, V>)) return false;
    try {
      table_.reserve(keys);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  template <typename F>
  std::uint8_t add_visitor(absent policy, const std::string& name) {
    if (policy == absent::skip) return add(operation_of<visit<F, absent::skip>>(name + " (skip)"));
    if (policy == absent::store) return add_storing_visitor<F>(name + " (store)");
    return add_inserting_visitor<F>(name);
  }
  template <typename F>
  std::uint8_t add_storing_visitor(const std::string& name) {
    if constexpr (takes_value<V, typename map_function<K, V, F>::arguments>) {
      return add(operation_of<visit<F, absent::store>>(name));
    } else {
      throw argument_error(
          "absent::store needs a visitor with one argument, which converts to the values of the "
          "map: use absent::insert");
    }
  }
  template <typename F>
  std::uint8_t add_inserting_visitor(const std::string& name) {
    if constexpr (std::is_void_v<V> || std::default_initializable<V> ||
                  has_value_of_new_key<V, K>) {
      return add(operation_of<visit<F, absent::insert>>(name));
    } else {
      throw argument_error(
          "the values of the map have no default: name the visitor with absent::skip");
    }
  }

  // The number of messages whose slots are requested ahead.
  static constexpr std::size_t ahead = 16;

  template <typename Operation>
  static map_operation operation_of(std::string name) {
    using message = typename Operation::message;
    map_operation o{.name = std::move(name),
                    .is_plain = message::is_plain,
                    .bytes = 0,
                    .alignment = 1,
                    .handle_run = nullptr,
                    .handle_bytes = &handle_bytes<Operation>};
    if constexpr (message::is_plain) {
      o.bytes = sizeof(typename message::tuple);
      o.alignment = alignof(typename message::tuple);
      o.handle_run = &handle_run<Operation>;
    }
    return o;
  }

  template <typename Operation>
  void add_built_in(const char* name) {
    bool& is_added = has_built_in_[Operation::number];
    if (is_added || (used_operations<K, V>::bits >> Operation::number & 1) == 0) return;
    built_in_[Operation::number] = add(operation_of<Operation>(name));
    is_added = true;
  }

  // The slots of a message are requested some messages before the message is handled.
  template <typename Operation>
  static void handle_run(void* map, const message_run& messages) {
    using tuple = typename Operation::message::tuple;
    const message_run run = messages;  // in registers, whatever visitors write to
    map_core& core = *static_cast<map_core*>(map);
    std::array<std::uint64_t, ahead> hashes;
    const auto request = [&](std::size_t i) {
      const std::uint64_t hash = table_type::hash_of(run.message<tuple>(i).first);
      hashes[i % ahead] = hash;
      core.table_.prefetch(hash);
    };
    for (std::size_t i = 0; i != std::min(run.count, ahead); ++i) request(i);
    for (std::size_t i = 0; i != run.count; ++i) {
      const std::uint64_t hash = hashes[i % ahead];
      if (i + ahead < run.count) request(i + ahead);
      apply_plain_tuple(
          [&](const auto&... all)
              __attribute__((always_inline)) { Operation::apply(core, hash, all...); },
          run.message<tuple>(i));
    }
  }

  template <typename Operation>
  static void handle_bytes(void* map, std::span<const std::byte> bytes) {
    byte_reader in(bytes, identity_of<typename Operation::message>.name);
    Operation::message::read(in, [&](const K& key, const auto&... arguments) {
      Operation::apply(*static_cast<map_core*>(map), table_type::hash_of(key), key, arguments...);
    });
  }

  template <typename Message, typename... A>
  [[gnu::noinline]] void send_written(std::uint8_t number, int owner, const K& key,
                                      const A&... arguments) {
    // (`send_bytes` may call visitors, which send.)
    std::vector<std::byte> message = std::exchange(written_, {});
    message.resize(1);
    message.front() = std::byte{number};
    Message::write(message, key, arguments...);
    send_bytes(message, owner);
    message.clear();
    written_ = std::move(message);
  }

  table_type table_;
  map_type* map_;
  std::vector<visitor_type> visitor_types_;
  std::vector<std::byte> written_;  // memory for a message
  std::array<std::uint8_t, 3> built_in_{};
  std::array<bool, 3> has_built_in_{};
};

}  // namespace boxcar::detail
