// The placement of a collection on one PE: the homes of all indices by the mapping, and the slots
// of the indices whose home is the PE.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <boxcar/collection_mapping.hpp>
#include <boxcar/key_hash.hpp>

namespace boxcar::detail {

template <typename Index>
class collection_placement {
  __extension__ using wide = unsigned __int128;
  static constexpr std::size_t dimensions = box_traits<Index>::dimensions;

 public:
  // Returns the number of an index in one dimension: a negative index becomes too large.
  [[nodiscard]] static std::uint64_t block_number(const Index& index)
    requires(dimensions == 1)
  {
    return static_cast<std::uint64_t>(index);
  }

  collection_placement(collection_mapping<Index> mapping, int pes, int me)
      : mapping_(std::move(mapping)),
        pes_(static_cast<std::uint32_t>(pes)),
        me_(static_cast<std::uint32_t>(me)) {
    if (!has_box()) return;
    const std::uint64_t count = mapping_.box().count();
    if (mapping_.kind() == mapping_kind::cyclic) {
      num_slots_ = count / pes_ + (me_ < count % pes_ ? 1 : 0);
      return;
    }
    // PE = number * scale / 2^64. With less than 2^32 indices the error of the rounded scale moves
    // no index beyond the last PE.
    if (count != 0 && count >> 32 == 0) scale_ = ((wide{pes_} << 64) + count - 1) / count;
    first_here_ = first_of_block(me_);
    num_slots_ = first_of_block(me_ + 1) - first_here_;
    if (dimensions != 1) return;
    num_block_slots_ = num_slots_;
    if (scale_ >> 64 == 0) {
      short_scale_ = static_cast<std::uint64_t>(scale_);
      num_scaled_ = scale_ == 0 ? 0 : count;
    }
  }

  // The homes of all indices of a block mapping in one dimension, by one multiplication: indices
  // below `num_scaled` (0 for other mappings) have the home `scaled_home`.
  [[nodiscard]] std::uint64_t num_scaled() const { return num_scaled_; }
  [[nodiscard]] int scaled_home(std::uint64_t index) const {
    return static_cast<int>((wide{short_scale_} * index) >> 64);
  }

  // Returns the home of an index, or -1 if the index is outside of the box of the mapping.
  [[nodiscard]] int home(const Index& index) const {
    if constexpr (box_index<Index>) {
      if (has_box()) {
        const index_box<Index>& box = *mapping_.box().box;
        if (!box.contains(index)) [[unlikely]]
          return -1;
        const std::uint64_t n = box.number(index);
        if (mapping_.kind() == mapping_kind::cyclic) return static_cast<int>(n % pes_);
        return static_cast<int>(block_of(n));
      }
    }
    if (mapping_.kind() == mapping_kind::hashed) {
      return owner_of_hash(key_hash<Index>()(index), static_cast<int>(pes_));
    }
    return mapping_.function()(index);
  }

  // The slots of a block mapping in one dimension: index first_here() + n has slot n.
  [[nodiscard]] std::uint64_t first_here() const { return first_here_; }
  [[nodiscard]] std::uint64_t num_block_slots() const { return num_block_slots_; }

  // Indices whose home is the PE have a slot if the mapping is over a box.
  [[nodiscard]] std::uint64_t num_slots() const { return num_slots_; }
  // Returns the slot of an index, or num_slots() or more if the index has none.
  [[nodiscard]] std::uint64_t slot(const Index& index) const {
    constexpr std::uint64_t none = ~std::uint64_t{0};
    if constexpr (box_index<Index>) {
      if (!has_box()) return none;
      const index_box<Index>& box = *mapping_.box().box;
      if (!box.contains(index)) return none;
      const std::uint64_t n = box.number(index);
      if (mapping_.kind() == mapping_kind::block) return n - first_here_;
      return n % pes_ == me_ ? n / pes_ : none;
    } else {
      return none;
    }
  }
  // Returns the index with a slot. Precondition: slot < num_slots().
  [[nodiscard]] Index index_of(std::uint64_t slot) const
    requires box_index<Index>
  {
    return mapping_.box().box->index(mapping_.kind() == mapping_kind::block ? first_here_ + slot
                                                                            : slot * pes_ + me_);
  }

  [[nodiscard]] const collection_mapping<Index>& mapping() const { return mapping_; }
  // Returns the text that PEs compare.
  [[nodiscard]] std::string describe() const {
    static constexpr std::array<const char*, 4> names{"block", "cyclic", "hash", "function"};
    std::string text =
        std::string("mapping ") + names.at(static_cast<std::size_t>(mapping_.kind()));
    if (has_box()) text += " of a box of " + extents();
    return text;
  }
  // Returns the extents of the box, as "3 x 4"; an empty text without a box.
  [[nodiscard]] std::string extents() const {
    std::string text;
    if constexpr (box_index<Index>) {
      if (!has_box()) return text;
      const index_box<Index>& box = *mapping_.box().box;
      text = std::to_string(box.extent(0));
      for (std::size_t d = 1; d < box.dimensions; ++d) {
        text += " x " + std::to_string(box.extent(d));
      }
    }
    return text;
  }

 private:
  [[nodiscard]] bool has_box() const { return mapping_.kind() <= mapping_kind::cyclic; }
  // The blocks of PEs differ by one index at most.
  [[nodiscard]] std::uint64_t block_of(std::uint64_t number) const {
    if (scale_ != 0) return static_cast<std::uint64_t>((scale_ * number) >> 64);
    return static_cast<std::uint64_t>((wide{number + 1} * pes_ - 1) / mapping_.box().count());
  }
  [[nodiscard]] std::uint64_t first_of_block(std::uint64_t pe) const {
    const std::uint64_t count = mapping_.box().count();
    if (pe == pes_ || count == 0) return count;
    if (scale_ != 0) return static_cast<std::uint64_t>(((wide{pe} << 64) + scale_ - 1) / scale_);
    return static_cast<std::uint64_t>(wide{pe} * count / pes_);
  }

  collection_mapping<Index> mapping_;
  std::uint32_t pes_;
  std::uint32_t me_;
  wide scale_ = 0;                 // of a block mapping; 0: too many indices
  std::uint64_t short_scale_ = 0;  // `scale_`, if there are more indices than PEs
  std::uint64_t num_scaled_ = 0;
  std::uint64_t first_here_ = 0;  // of a block mapping
  std::uint64_t num_slots_ = 0;
  std::uint64_t num_block_slots_ = 0;
};

}  // namespace boxcar::detail
