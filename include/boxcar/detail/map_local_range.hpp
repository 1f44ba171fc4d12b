// The range over the keys that a PE has of a distributed map.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include <boxcar/detail/local_table.hpp>

namespace boxcar::detail {

template <typename K, typename V>
class map_local_range {
 public:
  class iterator {
   public:
    using base = typename local_table<K, V>::iterator;
    using pair = std::pair<const K&, std::add_lvalue_reference_t<V>>;  // not of a set
    using value_type = std::conditional_t<std::is_void_v<V>, K, pair>;
    using reference = std::conditional_t<std::is_void_v<V>, const K&, pair>;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;  // a reference is a pair of references
    using iterator_concept = std::forward_iterator_tag;
    using pointer = void;

    iterator() = default;
    explicit iterator(base at) : at_(at) {}

    reference operator*() const {
      if constexpr (std::is_void_v<V>) {
        return at_->key;
      } else {
        return {at_->key, at_->value};
      }
    }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) { return iterator(at_++); }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    base at_;
  };

  map_local_range(local_table<K, V>& table) : table_(&table) {}

  [[nodiscard]] iterator begin() const { return iterator(table_->begin()); }
  [[nodiscard]] iterator end() const { return iterator(table_->end()); }
  [[nodiscard]] std::size_t size() const { return table_->size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }

 private:
  local_table<K, V>* table_;
};

}  // namespace boxcar::detail
