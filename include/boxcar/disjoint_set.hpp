// A disjoint set keeps sets of keys over all PEs of a world: any PE unites the sets of two keys,
// and all PEs find out which keys are in one set. docs/by-key.md explains disjoint sets with
// an example.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/disjoint_set_forest.hpp>
#include <boxcar/distributed_map.hpp>
#include <boxcar/key_hash.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream_statistics.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// Sets of keys of type K. Sets are united, and never divided. A key is in the disjoint set once a
// function has named the key; at first the key is alone in its set. Keys are those of a
// distributed_map, and can be compared by <. A key equals itself: a floating-point NaN is no key.
//
// Each set is a tree of keys: a key has a parent, and the parent is greater than the key in a
// random order that all PEs share. A union travels to the lower of its two keys, and climbs both
// paths to the roots alternately until the paths meet; on the way, keys get parents nearer to the
// root. So all PEs unite sets at the same time, and no PE waits for another PE. Sources: Rem's
// algorithm (E. W. Dijkstra, A Discipline of Programming, 1976, chapter 23; with splicing: M. M. A.
// Patwary, J. Blair, F. Manne, Experiments on Union-Find Algorithms for the Disjoint-Set Data
// Structure, 2010) and random linking (A. Goel, S. Khanna, D. H. Larkin, R. E. Tarjan, Disjoint Set
// Union with Randomized Linking, 2014).
//
// Thread safety: a disjoint set belongs to one thread. Errors: every function throws world_error if
// another PE has failed, and contract_error, changing nothing, if the function is not legal now.
template <typename K>
class disjoint_set {
  static constexpr bool has_order = requires(const K& a, const K& b) {
    { a < b } -> std::convertible_to<bool>;
  };
  static_assert(has_order, "the keys of a disjoint set must be comparable by <");

 public:
  using key_type = K;

  // Collective. Throws argument_error on all PEs if the types or options differ between PEs.
  explicit disjoint_set(const world& w, const map_options& options = {})
      : world_(world::another_handle_of(w.substrate())),
        forest_(w, options),
        link_(forest_.visitor(detail::link_trees<K>{})) {}

  // Movable, also during a session (the session moves with the disjoint set). A moved-from disjoint
  // set may only be destroyed or assigned to.
  disjoint_set(disjoint_set&&) noexcept = default;
  disjoint_set& operator=(disjoint_set&&) noexcept = default;

  // --- Unions ------------------------------------------------------------------------------------
  // Collective. Starts a session, which ends by quiescence.
  session begin() {
    session scope = forest_.begin();
    is_compressed_ = false;
    return scope;
  }
  // Local. Legal in a session, also in handlers and visitors. Unites the sets of two keys; the sets
  // are one set when the session has ended. May wait, as stream::send. Throws argument_error if a
  // key does not equal itself.
  void unite(const K& a, const K& b) {
    require_session("unite");
    require_key("unite", a);
    require_key("unite", b);
    const bool is_in_order = detail::is_lower(a, b);
    forest_.tell(is_in_order ? a : b, link_, is_in_order ? b : a);
  }
  // As `unite`: names a key without a union.
  void insert(const K& key) {
    require_session("insert");
    require_key("insert", key);
    forest_.tell(key, link_, key);
  }
  // As of streams. Collective: `finish`.
  void flush() { forest_.flush(); }
  bool poll() { return forest_.poll(); }
  void finish() { forest_.finish(); }
  [[nodiscard]] bool on() const { return forest_.on(); }
  [[nodiscard]] stream_statistics session_statistics() const {
    return forest_.session_statistics();
  }

  // --- Sets; collective, without a session -------------------------------------------------------
  // Each set has a representative, one of its keys. The representative depends on the keys of the
  // set alone: not on the number of PEs, nor on the order of the unions.

  // Returns the representatives of keys, in the order of the keys. Each PE gives its own keys,
  // possibly none. A key that is not in the disjoint set is its own representative.
  [[nodiscard]] std::vector<K> find(std::span<const K> keys) {
    compress_for("find");
    const auto found =
        forest_.ask(keys, [](const K&, detail::tree_parent<K>& parent) { return parent.key; });
    std::vector<K> representatives;
    representatives.reserve(keys.size());
    for (std::size_t i = 0; i != keys.size(); ++i) {
      representatives.push_back(found[i] ? *found[i] : keys[i]);
    }
    return representatives;
  }
  [[nodiscard]] std::vector<K> find(const std::vector<K>& keys) {
    return find(std::span<const K>(keys));
  }
  // Calls f(const K& key, const K& representative) for each key that the PE owns.
  template <typename F>
  void for_each(F&& f) {
    compress_for("for_each");
    forest_.for_each_local(
        [&](const K& key, const detail::tree_parent<K>& parent) { f(key, parent.key); });
  }
  // Returns the number of sets.
  [[nodiscard]] std::uint64_t components() {
    std::uint64_t roots = 0;
    for_each(
        [&](const K& key, const K& representative) { roots += key == representative ? 1 : 0; });
    return world_.reduce(roots);
  }
  // Returns the number of keys.
  [[nodiscard]] std::uint64_t size() {
    compress_for("size");
    return forest_.size();
  }
  // Makes the representative the parent of each key. The functions above do the same, once after
  // each session; a program may choose an earlier moment.
  void compress() { compress_for("compress"); }
  // Removes all keys, and gives their memory back.
  void clear() {
    require_no_session("clear");
    forest_.clear();
  }

  // --- The keys of the PE; local -----------------------------------------------------------------
  [[nodiscard]] int owner(const K& key) const { return forest_.owner(key); }
  // Returns the bytes of the table of the PE's keys.
  [[nodiscard]] std::size_t local_memory_bytes() const { return forest_.local_memory_bytes(); }

 private:
  void require_session(const char* function) const {
    if (!forest_.on()) [[unlikely]]
      detail::refuse_without_union_session(function);
  }
  // (Types whose equality is the equality of their bytes, and texts, need no check.)
  static void require_key(const char* function, const K& key) {
    if constexpr (!std::has_unique_object_representations_v<K> && !detail::text<K>) {
      if (!(key == key)) [[unlikely]]
        detail::refuse_key_unequal_to_itself(function);
    }
  }
  void require_no_session(const char* function) const {
    if (forest_.on()) detail::refuse_in_union_session(function);
  }
  void compress_for(const char* function) {
    require_no_session(function);
    if (is_compressed_) return;
    const detail::tree_compression<K> compression(world_, forest_, link_);
    is_compressed_ = true;
  }

  world world_;
  distributed_map<K, detail::tree_parent<K>> forest_;
  detail::link_visitor<K> link_;
  bool is_compressed_ = true;  // the same on all PEs
};

}  // namespace boxcar
