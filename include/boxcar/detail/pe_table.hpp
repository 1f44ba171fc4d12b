// A PE table holds an object for each PE. An object is made at the first access, together with the
// objects of some neighbouring PEs: memory grows with the number of PEs that are really in use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace boxcar::detail {

template <typename T>
class pe_table {
 public:
  // For few PEs, all objects are made at once: they take less than a chunk, and are found faster.
  explicit pe_table(int pes)
      : pes_(static_cast<std::size_t>(pes)),
        few_(pes_ <= in_a_chunk ? static_cast<std::uint32_t>(pes) : 0),
        near_(few_ != 0 ? std::make_unique<T[]>(few_) : nullptr),
        chunks_(few_ != 0 ? 0 : (pes_ + in_a_chunk - 1) / in_a_chunk) {}

  // Returns the object of a PE; the address of the object never changes.
  [[nodiscard]] T& operator[](std::uint32_t pe) {
    if (pe < few_) [[likely]]
      return near_[pe];
    T* const chunk = chunks_[pe / in_a_chunk].get();
    return (chunk == nullptr ? make(pe / in_a_chunk) : chunk)[pe % in_a_chunk];
  }
  // Returns the object of a PE, or nullptr if neither the object nor an object of the same chunk
  // has been accessed.
  [[nodiscard]] T* find(std::uint32_t pe) {
    if (pe < few_) [[likely]]
      return &near_[pe];
    T* const chunk = chunks_[pe / in_a_chunk].get();
    return chunk == nullptr ? nullptr : chunk + pe % in_a_chunk;
  }

  // Calls `action` with all objects that have been made.
  template <typename Action>
  void for_each(const Action& action) {
    std::for_each_n(near_.get(), few_, action);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (chunks_[i] != nullptr) std::for_each_n(chunks_[i].get(), length_of(i), action);
    }
  }
  template <typename Action>
  void for_each(const Action& action) const {
    const_cast<pe_table&>(*this).for_each([&action](const T& one) { action(one); });
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = chunks_.size() * sizeof(chunks_[0]);
    for_each([&bytes](const T&) { bytes += sizeof(T); });
    return bytes;
  }

 private:
  static constexpr std::size_t in_a_chunk = 256;

  [[nodiscard]] std::size_t length_of(std::size_t chunk) const {
    return std::min(in_a_chunk, pes_ - chunk * in_a_chunk);
  }
  [[gnu::cold, gnu::noinline]] T* make(std::size_t chunk) {
    chunks_[chunk] = std::make_unique<T[]>(length_of(chunk));
    return chunks_[chunk].get();
  }

  std::size_t pes_;
  std::uint32_t few_;          // all PEs, or 0
  std::unique_ptr<T[]> near_;  // the objects of all PEs, if `few_` is not 0
  std::vector<std::unique_ptr<T[]>> chunks_;
};

}  // namespace boxcar::detail
