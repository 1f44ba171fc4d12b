// A distributed map is a hash table over all PEs of a world: each key belongs to one PE, its owner,
// and functions travel to the owner of a key in aggregated messages. docs/maps.md explains maps
// with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/combining.hpp>
#include <boxcar/detail/map_core.hpp>
#include <boxcar/detail/map_local_range.hpp>
#include <boxcar/detail/map_query.hpp>
#include <boxcar/detail/map_save.hpp>
#include <boxcar/detail/map_visitor.hpp>
#include <boxcar/detail/movable_part.hpp>
#include <boxcar/detail/serial_number.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/stream_statistics.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

struct map_options {
  // How messages travel: route, buffers, tuning. All PEs must give the same values.
  stream_options messages = {};
  // About how many keys a PE will own: memory for the keys is reserved.
  std::uint64_t keys_per_pe = 0;
};

// A question asks for values one by one; see boxcar/map_question.hpp.
template <typename K, typename V, typename F>
class map_question;

// A visitor whose updates are combined at the sender; see distributed_map::combine.
template <typename K, typename V, typename F, typename Combine>
class combined_visitor;

// A map from keys of type K to values of type V; with V = void a set. Thread safety: a map belongs
// to one thread, and its functions are called as those of a stream.
//
// Keys and values are plain types, strings, vectors, or types with a boxcar::serializer. Keys can
// be compared by ==, and have a boxcar::key_hash.
//
// Visitors change the map: a visitor is a function that is named once on all PEs, and runs on the
// owner of a key. Visitors run from within `tell`, `poll`, `finish` and every other function of
// Boxcar that waits, and never while another visitor runs. All messages of one PE for one key
// arrive in the order in which the messages were sent. If a visitor throws, the exception leaves
// the function that called the visitor, and the world has failed.
template <typename K, typename V = void>
class distributed_map {
  static_assert(std::equality_comparable<K>, "the keys of a map must be comparable by ==");

 public:
  using key_type = K;
  using mapped_type = V;

  // Collective. Throws argument_error on all PEs if the types differ between PEs, or if a PE has no
  // memory for the keys of the options.
  explicit distributed_map(const world& w, const map_options& options = {})
      : core_("distributed_map",
              std::make_unique<core_type>(w, options.messages, options.keys_per_pe, *this)) {}

  // Movable, also during a session (the session moves with the map); a moved-from map may only be
  // destroyed or assigned to. Assigning to a map in the middle of a session makes the world fail.
  distributed_map(distributed_map&& other) noexcept
      : core_(std::move(other.core_)), serial_(std::move(other.serial_)) {
    if (core_.is_here()) core_->map_moved(*this);
  }
  distributed_map& operator=(distributed_map&& other) noexcept {
    core_ = std::move(other.core_);
    serial_ = std::move(other.serial_);
    if (core_.is_here()) core_->map_moved(*this);
    return *this;
  }
  ~distributed_map() = default;

  // --- Visitors ----------------------------------------------------------------------------------
  // Names a visitor: f(const K& key, V& value, arguments...), a function without captures. (For a
  // set: f(const K& key, arguments...).) A visitor that sends takes the map as its first parameter:
  // f(distributed_map<K, V>& map, const K& key, ...). All PEs name the same visitors in the same
  // order, without a session; `begin` compares the places in the source where visitors are named.
  // Throws contract_error in a session.
  template <typename F>
  [[nodiscard]] map_visitor<K, V, F> visitor(
      F, absent policy = absent::insert,
      const std::source_location& where = std::source_location::current()) {
    if constexpr (detail::is_map_function<K, V, F>()) {
      return {serial_.value(), core().template add_visitor<F>(policy, where)};
    } else {
      return {0, 0};
    }
  }

  // Local. Returns the handle of the visitor of a type, for visitors that send: a class with
  // operator() is its own name. Throws argument_error if no visitor, or several visitors, of the
  // type have been named.
  template <typename F>
  [[nodiscard]] map_visitor<K, V, F> named(F) const {
    return {serial_.value(), core().template number_of_visitor<F>()};
  }

  // Local. Legal in a session, also in a visitor. Calls the visitor on the owner of the key, with
  // copies of the arguments. May wait for a free buffer, except in a visitor. Throws contract_error
  // without a session, argument_error if another map has named the visitor.
  template <typename F, typename... A>
  [[gnu::always_inline]] void tell(const K& key, const map_visitor<K, V, F>& visitor,
                                   const A&... arguments) {
    if (visitor.owner_ != serial_.value()) [[unlikely]]
      detail::refuse_visitor_of_another_map();
    using wanted = typename detail::map_function<K, V, F>::arguments;
    constexpr bool fits = sizeof...(A) == wanted::size;
    static_assert(fits, "`tell` needs the arguments of the visitor behind the key and the value");
    if constexpr (fits) tell_as(wanted{}, key, visitor, arguments...);
  }

  // As `tell`: inserts the key with the value unless the map has the key; inserts or replaces the
  // value; removes the key, if the map has the key.
  template <typename Value = V>
    requires(!std::is_void_v<Value>)
  void insert(const K& key, const std::type_identity_t<Value>& value) {
    core().template send_built_in<detail::insert_operation<K, V>>(key, value);
  }
  void insert(const K& key)
    requires std::is_void_v<V>
  {
    core().template send_built_in<detail::insert_operation<K, V>>(key);
  }
  template <typename Value = V>
    requires(!std::is_void_v<Value>)
  void assign(const K& key, const std::type_identity_t<Value>& value) {
    core().template send_built_in<detail::assign_operation<K, V>>(key, value);
  }
  void erase(const K& key) { core().template send_built_in<detail::erase_operation<K, V>>(key); }

  // Returns an object for `tell` that combines updates of one key at the sender, in a table of
  // `bytes` bytes; see boxcar/combining.hpp. The visitor has one argument. Updates leave when the
  // table is full, and in `flush`, `done` and `finish`; other messages for the key may overtake the
  // updates. The object lives in the scope of the map, and is not used in visitors. If the object
  // is destroyed with updates before `finish`, the updates are lost, and `finish` throws
  // contract_error.
  template <typename F, typename Combine = std::plus<>>
  [[nodiscard]] auto combine(const map_visitor<K, V, F>& visitor, Combine combine = {},
                             std::size_t bytes = 0) {
    constexpr bool has_update = detail::map_function<K, V, F>::arguments::size == 1;
    static_assert(has_update, "only a visitor with one argument, the update, can be combined");
    if constexpr (has_update) {
      return combined_visitor<K, V, F, Combine>(*this, visitor, std::move(combine), bytes);
    }
  }
  template <typename F, typename Combine, typename Update>
  [[gnu::always_inline]] void tell(const K& key, combined_visitor<K, V, F, Combine>& visitor,
                                   const Update& update) {
    visitor(*core_, key, update);
  }

  // --- Sessions ----------------------------------------------------------------------------------
  // As the functions of a stream. Collective: `begin` and `finish`. `begin` throws argument_error
  // on all PEs if the visitors or options differ between PEs.
  session begin(const termination& ending = quiescence()) { return core().begin(ending); }
  void flush() { core().flush(); }
  bool poll() { return core().poll(); }
  void done(std::int64_t producers = 1) { core().done(producers); }
  void finish() { core().finish(); }
  [[nodiscard]] bool on() const { return core().on(); }
  [[nodiscard]] stream_statistics session_statistics() const { return core().session_statistics(); }
  [[nodiscard]] std::string explain() const { return core().explain(); }

  // --- Queries -----------------------------------------------------------------------------------
  // Collective, without a session. Calls f(const K& key, V& value, arguments...) on the owner of
  // each key, and returns the results, in the order of the keys; nothing for keys that the map does
  // not have. Each PE gives its own keys and arguments, possibly no keys. The rules for the
  // function are those of visitors. Throws contract_error in a session.
  template <typename F, typename... A>
  [[nodiscard]] auto ask(std::span<const K> keys, F, const A&... arguments) {
    if constexpr (detail::is_map_function<K, V, F>()) {
      using wanted = typename detail::map_function<K, V, F>::arguments;
      constexpr bool fits = sizeof...(A) == wanted::size;
      static_assert(fits, "`ask` needs the arguments of the function behind the key and the value");
      if constexpr (fits) return ask_as<F>(wanted{}, keys, arguments...);
    }
  }
  template <typename F, typename... A>
  [[nodiscard]] auto ask(const std::vector<K>& keys, F f, const A&... arguments) {
    return ask(std::span<const K>(keys), f, arguments...);
  }
  // Collective, without a session. Returns the values of keys.
  template <typename Value = V>
    requires(!std::is_void_v<Value>)
  [[nodiscard]] std::vector<std::optional<Value>> get(std::span<const K> keys) {
    return ask(keys, detail::value_of_key<K, V>{});
  }
  template <typename Value = V>
    requires(!std::is_void_v<Value>)
  [[nodiscard]] std::vector<std::optional<Value>> get(const std::vector<K>& keys) {
    return get(std::span<const K>(keys));
  }
  // Collective. Returns the number of keys of all PEs.
  [[nodiscard]] std::uint64_t size() {
    return core().the_world().reduce(std::uint64_t{local_size()});
  }

  // --- The keys of the PE; local -----------------------------------------------------------------
  [[nodiscard]] int owner(const K& key) const { return core().owner_of(hash_of(key)); }
  [[nodiscard]] std::size_t local_size() const { return core().table().size(); }
  [[nodiscard]] std::size_t local_memory_bytes() const { return core().table().memory_bytes(); }

  // Returns a forward range over the keys of the PE, in no particular order: of pairs (const K&
  // key, V& value), or of const K& if the map is a set. Iterators and references become invalid
  // when a key of the PE is inserted or erased: also by a message that arrives, in a session, while
  // any function of Boxcar waits (`tell`, `insert` and `erase` too). So a loop over the range may
  // wait for nothing in a session of the map: use for_each_local, or gather first and send behind
  // the loop.
  [[nodiscard]] detail::map_local_range<K, V> local() { return {core().table()}; }
  // Calls f(key, value), or f(key) if the map is a set, for the keys of the PE. `f` may call `tell`
  // and other functions that wait, and may erase keys by local_erase. Keys that messages insert
  // meanwhile may be visited or not. Throws contract_error from `clear` in `f`; also, and the world
  // has failed, where a message arrives that erases a key, or inserts a key for which the table
  // must grow: if such messages are possible, `f` gathers what to send, and the program sends
  // behind the loop.
  template <typename F>
  void for_each_local(F&& f) {
    core().table().for_each([&f](auto& entry) {
      if constexpr (std::is_void_v<V>) {
        f(std::as_const(entry.key));
      } else {
        f(std::as_const(entry.key), entry.value);
      }
    });
  }
  // Returns the value of a key, or nullptr if the PE does not have the key; of a set, the key.
  [[nodiscard]] auto* local_find(const K& key) {
    auto* const entry = core().table().find(key, hash_of(key));
    if constexpr (std::is_void_v<V>) {
      return entry == nullptr ? nullptr : &std::as_const(entry->key);
    } else {
      return entry == nullptr ? nullptr : &entry->value;
    }
  }
  // Removes a key of the PE. Returns false if the PE does not have the key.
  bool local_erase(const K& key) { return core().table().erase(key, hash_of(key)); }
  // Removes all keys of the PE, and gives the memory back. Throws contract_error in for_each_local.
  void clear() { core().table().clear(); }

  // --- Files -------------------------------------------------------------------------------------
  // Collective, without a session. `save` writes the map to a file, and replaces an existing file
  // when all entries are written. `load` assigns the saved values, on any number of PEs. Both throw
  // system_error on all PEs if the file cannot be written or read, and argument_error if the file
  // was changed or holds something else. A map that could not be loaded has some of the values.
  void save(const std::string& name) {
    core().require_no_session("save");
    detail::save_map(core(), name);
  }
  void load(const std::string& name) {
    core().require_no_session("load");
    detail::load_map(core(), name);
  }

 private:
  using core_type = detail::map_core<K, V>;
  template <typename, typename, typename, typename>
  friend class combined_visitor;
  template <typename, typename, typename>
  friend class map_question;

  [[nodiscard]] core_type& core() const { return *core_; }
  static std::uint64_t hash_of(const K& key) { return core_type::table_type::hash_of(key); }

  template <typename... W, typename F, typename... A>
  [[gnu::always_inline]] void tell_as(detail::type_list<W...>, const K& key,
                                      const map_visitor<K, V, F>& visitor, const A&... arguments) {
    using operation = typename core_type::template visit<F, absent::insert>;
    core_->template send<operation>(visitor.number_, key, detail::converted<W>(arguments)...);
  }
  template <typename F, typename... W, typename... A>
  auto ask_as(detail::type_list<W...>, std::span<const K> keys, const A&... arguments) {
    core().require_no_session("ask");
    using result = std::remove_cvref_t<decltype(detail::map_function<K, V, F>::call(
        *this, std::declval<detail::table_entry<K, V>&>(), std::declval<const W&>()...))>;
    constexpr bool has_result = !std::is_void_v<result>;
    static_assert(has_result, "the function of `ask` must return a result: use `tell` without one");
    if constexpr (has_result) {
      return detail::map_query<K, V, F, result, detail::type_list<W...>>::run(
          core(), keys, detail::converted<W>(arguments)...);
    }
  }

  detail::movable_part<core_type> core_;
  detail::serial_number serial_;
};

template <typename K, typename V, typename F, typename Combine>
class combined_visitor final : private detail::pending_updates {
  using arguments = typename detail::map_function<K, V, F>::arguments;

 public:
  using update_type = typename arguments::first;

  combined_visitor(const combined_visitor&) = delete;
  combined_visitor& operator=(const combined_visitor&) = delete;
  ~combined_visitor() { core_->remove(*this); }

 private:
  friend distributed_map<K, V>;
  using core_type = detail::map_core<K, V>;

  // Sends an update that leaves the table.
  struct send_update {
    core_type* core;
    std::uint8_t number;
    void operator()(const K& key, const update_type& update) const {
      using operation = typename core_type::template visit<F, absent::insert>;
      core->template send<operation>(number, key, update);
    }
  };
  using table_type = combining<K, update_type, send_update, Combine>;

  combined_visitor(distributed_map<K, V>& map, const map_visitor<K, V, F>& visitor,
                   Combine&& combine, std::size_t bytes)
      : core_(&map.core()),
        table_(send_update{core_, visitor.number_}, std::move(combine),
               bytes == 0 ? table_type::default_bytes : bytes) {
    if (visitor.owner_ != map.serial_.value()) detail::refuse_visitor_of_another_map();
    core_->add(*this);
  }

  [[gnu::always_inline]] void operator()(const core_type& core, const K& key,
                                         const update_type& update) {
    if (&core != core_) [[unlikely]]
      detail::refuse_visitor_of_another_map();
    if (!core_->has_session()) [[unlikely]]
      core_->refuse_without_session("tell");
    table_(key, update);
  }

  void flush() override { table_.flush(); }
  [[nodiscard]] bool is_empty() const override { return table_.empty(); }

  core_type* core_;
  table_type table_;
};

}  // namespace boxcar
