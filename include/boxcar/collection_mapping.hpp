// A mapping assigns each index of a collection to a PE, the home of the index: objects begin their
// life there. The home is a function of the index alone, equal on all PEs; so no PE needs to store
// the location of objects that have never moved.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <boxcar/index_box.hpp>

namespace boxcar {

enum class mapping_kind {
  block,     // each PE has a block of consecutive numbers; blocks differ by one index at most
  cyclic,    // number n is on PE n mod the number of PEs
  hashed,    // by boxcar::key_hash of the index
  function,  // by a function of the program
};

namespace detail {

// A box, or nothing for types of indices that have no boxes.
template <typename Index>
struct optional_box {
  static constexpr std::uint64_t count() { return 0; }
};
template <box_index Index>
struct optional_box<Index> {
  std::optional<index_box<Index>> box;
  [[nodiscard]] std::uint64_t count() const { return box ? box->count() : 0; }
};

}  // namespace detail

template <typename Index>
class collection_mapping {
 public:
  // The mappings of a box of indices; `extents` is the number of indices in each dimension. Throws
  // argument_error as index_box does.
  [[nodiscard]] static collection_mapping block(const Index& extents)
    requires detail::box_index<Index>
  {
    return collection_mapping(mapping_kind::block, {index_box<Index>(extents)}, {});
  }
  [[nodiscard]] static collection_mapping cyclic(const Index& extents)
    requires detail::box_index<Index>
  {
    return collection_mapping(mapping_kind::cyclic, {index_box<Index>(extents)}, {});
  }
  // The mappings of any indices. `function(index)` returns the same PE on all PEs.
  [[nodiscard]] static collection_mapping hashed() {
    return collection_mapping(mapping_kind::hashed, {}, {});
  }
  [[nodiscard]] static collection_mapping by(std::function<int(const Index&)> function) {
    return collection_mapping(mapping_kind::function, {}, std::move(function));
  }

  [[nodiscard]] mapping_kind kind() const { return kind_; }
  [[nodiscard]] const detail::optional_box<Index>& box() const { return box_; }
  [[nodiscard]] const std::function<int(const Index&)>& function() const { return function_; }

 private:
  collection_mapping(mapping_kind kind, detail::optional_box<Index> box,
                     std::function<int(const Index&)> function)
      : kind_(kind), box_(std::move(box)), function_(std::move(function)) {}

  mapping_kind kind_;
  detail::optional_box<Index> box_;  // of block and cyclic mappings
  std::function<int(const Index&)> function_;
};

}  // namespace boxcar
