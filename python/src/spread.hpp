// The distribution of the elements of a table over the PEs of a world: the PE of an index, and its
// slot on the PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hash.hpp"

namespace boxcar::python {

// x / divisor by a multiplication, if divisor and all x are below 2^32; by a division otherwise.
class divider {
 public:
  explicit divider(std::uint64_t divisor)
      : divisor_(divisor),
        reciprocal_(divisor > 1 && divisor < (1ULL << 32) ? ~0ULL / divisor + 1 : 0) {}

  // Calls `use(divided)`, where divided(x) is the quotient of an x below `limit`. `divided` holds a
  // copy of its data, which stays in registers whatever a loop writes.
  template <typename Use>
  void for_below(std::uint64_t limit, const Use& use) const {
    if (reciprocal_ != 0 && limit <= (1ULL << 32)) {
      use([reciprocal = reciprocal_](std::uint64_t x) {
        return static_cast<std::uint64_t>((static_cast<wide>(reciprocal) * x) >> 64);
      });
    } else {
      use([divisor = divisor_](std::uint64_t x) { return x / divisor; });
    }
  }
  [[nodiscard]] std::uint64_t divisor() const { return divisor_; }

 private:
  std::uint64_t divisor_;
  std::uint64_t reciprocal_;
};

// A permutation of 0 to n - 1 that looks random, and its inverse: a Feistel network over the next
// power of four, walked until the number is below n.
class scattering {
 public:
  explicit scattering(std::uint64_t n);
  [[nodiscard]] std::uint64_t of(std::uint64_t x) const;
  [[nodiscard]] std::uint64_t inverse(std::uint64_t y) const;

 private:
  [[nodiscard]] std::uint64_t round(std::uint64_t half, int key) const;

  std::uint64_t n_;
  int half_bits_;
  std::uint64_t half_mask_;
};

class spread {
 public:
  enum class kind : std::uint8_t { blocks, cyclic, hash };

  // A table with lengths[pe] elements on each PE. For `cyclic` and `hash` the lengths are those of
  // `length_of`.
  spread(kind k, std::span<const std::uint64_t> lengths);

  [[nodiscard]] std::uint64_t length() const { return length_; }  // on all PEs together
  // The length of a PE's segment, for a kind that does not leave the length to the program.
  static std::uint64_t length_of(std::uint64_t length, std::uint64_t pes, std::uint64_t pe) {
    return length / pes + (pe < length % pes ? 1 : 0);
  }
  // An upper bound of the slots: all slots are below it.
  [[nodiscard]] std::uint64_t longest() const { return longest_; }

  // Computes the PE and the slot of each index. Precondition: all indices are below `length`.
  template <typename Index>
  void locate(std::span<const Index> indices, std::int32_t* pes, std::uint64_t* slots) const;
  // The index of a slot of a PE.
  [[nodiscard]] std::uint64_t index_of(std::uint64_t pe, std::uint64_t slot) const;

 private:
  kind kind_;
  std::uint64_t pes_;
  std::uint64_t length_ = 0;
  std::uint64_t longest_ = 0;
  std::vector<std::uint64_t> starts_;  // start of each block, and the length at the end
  bool is_even_ = true;                // all blocks are as long as the first, but those at the end
  divider by_block_{1};
  divider by_pes_;
  scattering scattered_;
};

// Throws argument_error if no kind has the name.
spread::kind spread_kind_of(std::string_view name);

// --- Details -------------------------------------------------------------------------------------

template <typename Index>
void spread::locate(std::span<const Index> indices, std::int32_t* pes, std::uint64_t* slots) const {
  const std::size_t n = indices.size();
  if (kind_ == kind::blocks && is_even_) {
    by_block_.for_below(length_, [&, block = by_block_.divisor()](const auto& divided) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto index = static_cast<std::uint64_t>(indices[i]);
        const std::uint64_t pe = divided(index);
        pes[i] = static_cast<std::int32_t>(pe);
        slots[i] = index - pe * block;
      }
    });
  } else if (kind_ == kind::blocks) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto index = static_cast<std::uint64_t>(indices[i]);
      // The last block that starts at or before the index: never an empty block.
      const std::uint64_t* low = starts_.data();
      for (std::size_t left = pes_; left > 1;) {
        const std::size_t half = left / 2;
        low = low[half] <= index ? low + half : low;
        left -= half;
      }
      pes[i] = static_cast<std::int32_t>(low - starts_.data());
      slots[i] = index - *low;
    }
  } else {
    by_pes_.for_below(length_, [&, all = pes_](const auto& divided) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto index = static_cast<std::uint64_t>(indices[i]);
        const std::uint64_t place = kind_ == kind::hash ? scattered_.of(index) : index;
        const std::uint64_t slot = divided(place);
        slots[i] = slot;
        pes[i] = static_cast<std::int32_t>(place - slot * all);
      }
    });
  }
}

}  // namespace boxcar::python
