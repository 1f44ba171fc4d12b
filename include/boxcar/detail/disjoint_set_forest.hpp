// The forest of a disjoint set: trees of keys over all PEs. The parent of a key is greater than the
// key, in a random order of all keys; so no message can close a circle, whenever it arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <boxcar/detail/local_table.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/distributed_map.hpp>
#include <boxcar/key_hash.hpp>
#include <boxcar/serializer.hpp>
#include <boxcar/session.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// The parent of a key; a root is its own parent. A key that is new in a map is a root.
template <typename K>
struct tree_parent {
  K key;
  static tree_parent of_new_key(const K& key) { return {key}; }
};

}  // namespace boxcar::detail

template <typename K>
  requires(!boxcar::detail::plain<K>)
struct boxcar::serializer<boxcar::detail::tree_parent<K>> {
  static void write(byte_writer& out, const detail::tree_parent<K>& parent) { out.put(parent.key); }
  static detail::tree_parent<K> read(byte_reader& in) { return {in.get<K>()}; }
};

namespace boxcar::detail {

// Returns whether a key is below another key in the order of the trees: the order is random, and
// independent of the owners of keys and of their slots in tables, which depend on the hash itself.
template <typename K>
[[nodiscard]] bool is_lower(const K& a, const K& b) {
  const std::uint64_t of_a = mix_bits(key_hash<K>()(a));
  const std::uint64_t of_b = mix_bits(key_hash<K>()(b));
  return of_a != of_b ? of_a < of_b : a < b;
}

// The visitor of a union, on the owner of the lower of two keys: one step of Rem's algorithm. A
// union goes on with the lower of the parent and the other key. So the lower key of the message
// rises with each step, and the union ends.
//
// The step keeps all keys connected: whatever edge a visit takes from the forest, the edge that
// replaces it and the message together connect the same keys.
template <typename K>
struct link_trees {
  using forest = distributed_map<K, tree_parent<K>>;

  void operator()(forest& trees, const K& key, tree_parent<K>& parent, const K& other) const {
    if (parent.key == other || key == other) return;
    if (parent.key == key) {
      parent.key = other;
    } else if (is_lower(parent.key, other)) {
      const K former = std::exchange(parent.key, other);
      trees.tell(former, trees.named(link_trees{}), other);
    } else {
      trees.tell(other, trees.named(link_trees{}), parent.key);
    }
  }
};

// Throw contract_error: the disjoint set has no session, or a session.
[[noreturn]] void refuse_without_union_session(const char* function);
[[noreturn]] void refuse_in_union_session(const char* function);
// Throws argument_error.
[[noreturn]] void refuse_key_unequal_to_itself(const char* function);

template <typename K>
using link_visitor = map_visitor<K, tree_parent<K>, link_trees<K>>;

// Makes the root of its tree the parent of each key, in rounds: a PE asks for the parents of the
// parents of its keys, once for each. All PEs ascend at the same time, so the number of rounds is
// the logarithm of the longest path at most.
template <typename K>
class tree_compression {
 public:
  using forest = distributed_map<K, tree_parent<K>>;

  // Collective. Precondition: no session.
  tree_compression(world& w, forest& trees, const link_visitor<K>& link) : trees_(trees) {
    bool is_done = false;
    while (!is_done) {
      ask_for_ancestors();
      is_done = w.reduce(std::uint64_t{ascend()}) == 0;
    }
    // A root that no union has visited is not in the map yet.
    const session s = trees.begin();
    for (const K& root : absent_) trees.tell(root, link, root);
    trees.finish();
  }

 private:
  // Collective.
  void ask_for_ancestors() {
    std::vector<K> keys;
    trees_.for_each_local([&](const K&, const tree_parent<K>& parent) {
      ancestors_.find_or_insert(parent.key, ancestors_.hash_of(parent.key), [&] {
        keys.push_back(parent.key);
        return table_entry<K, K>{parent.key, parent.key};
      });
    });
    const auto above =
        trees_.ask(keys, [](const K&, tree_parent<K>& parent) { return parent.key; });
    for (std::size_t i = 0; i != keys.size(); ++i) {
      if (above[i]) {
        find(keys[i])->value = *above[i];
      } else {
        absent_.push_back(keys[i]);
      }
    }
  }
  // Gives the keys of the PE their highest known ancestors. Returns the number of keys whose
  // ancestor may not be a root.
  std::size_t ascend() {
    std::size_t open = 0;
    trees_.for_each_local([&](const K&, tree_parent<K>& parent) {
      auto* const first = find(parent.key);
      auto* entry = first;
      while (entry != nullptr && entry->value != parent.key) {
        parent.key = entry->value;
        entry = find(parent.key);
      }
      first->value = parent.key;
      open += entry == nullptr ? 1 : 0;
    });
    return open;
  }
  [[nodiscard]] auto* find(const K& key) { return ancestors_.find(key, ancestors_.hash_of(key)); }

  forest& trees_;
  local_table<K, K> ancestors_;  // of the parents of the PE's keys; a root has itself
  std::vector<K> absent_;        // roots that their owners do not have
};

}  // namespace boxcar::detail
