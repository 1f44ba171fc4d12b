// The objects of a collection on a PE. Objects of a box whose home is the PE have slots in an
// array; a hash table has objects from other PEs, and objects with indices of any type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boxcar/detail/collection_object.hpp>
#include <boxcar/detail/collection_placement.hpp>

namespace boxcar::detail {

// key_hash as a hash for containers of the standard library.
template <typename Index>
struct container_hash {
  std::size_t operator()(const Index& index) const {
    return static_cast<std::size_t>(key_hash<Index>()(index));
  }
};

template <typename Index>
class collection_objects {
 public:
  using object = collection_object<Index>;

  explicit collection_objects(const collection_placement<Index>& placement)
      : placement_(placement) {
    absent_.more = std::make_unique<typename object::extension>();
  }
  collection_objects(const collection_objects&) = delete;
  collection_objects& operator=(const collection_objects&) = delete;
  ~collection_objects() {
    for (object* const o : slots_) {
      if (o != &absent_) delete o;
    }
  }

  // Makes the slots. Called once, before all other functions. Throws std::bad_alloc or
  // std::length_error if memory lacks.
  void make_slots() { slots_.assign(placement_.num_slots(), &absent_); }

  // The objects of a block mapping in one dimension whose home is the PE, for loops over messages:
  // the compiler keeps the members in registers. Valid as long as the collection.
  class block_view {
   public:
    // Returns the object with the index, or an object with an extension if there is none; looks
    // elsewhere for other objects.
    [[nodiscard, gnu::always_inline]] object& find_or_absent(const Index& index) const {
      const std::uint64_t slot = slot_of(index);
      if (slot < count_) [[likely]]
        return *slots_[slot];
      const Index copy = index;  // `index` stays in a register
      return all_.find_anywhere(copy);
    }
    // Prefetches what `find` reads, and, in the second step, what handlers read.
    void prefetch_slot(const Index& index) const {
      const std::uint64_t slot = slot_of(index);
      if (slot < count_) __builtin_prefetch(&slots_[slot]);
    }
    void prefetch_object(const Index& index) const {
      const std::uint64_t slot = slot_of(index);
      if (slot < count_) __builtin_prefetch(slots_[slot], 1);
    }

   private:
    friend collection_objects;
    explicit block_view(const collection_objects& all)
        : all_(all),
          slots_(all.slots_.data()),
          first_(all.placement_.first_here()),
          count_(all.placement_.num_block_slots()) {}
    [[nodiscard]] std::uint64_t slot_of(const Index& index) const {
      if constexpr (box_traits<Index>::dimensions == 1) {
        return collection_placement<Index>::block_number(index) - first_;
      } else {
        return count_;
      }
    }

    const collection_objects& all_;
    object* const* slots_;
    std::uint64_t first_;
    std::uint64_t count_;
  };
  [[nodiscard]] block_view view() const { return block_view(*this); }

  // Returns the object with the index, or nullptr.
  [[nodiscard]] object* find(const Index& index) const {
    object& found = view().find_or_absent(index);
    return &found == &absent_ ? nullptr : &found;
  }
  // Precondition: no object has the index.
  object& add(std::unique_ptr<object> o) {
    object& added = *o;
    const std::uint64_t slot = placement_.slot(added.index);
    if (slot < slots_.size()) {
      slots_[slot] = o.release();
    } else {
      others_.emplace(added.index, std::move(o));
    }
    ++size_;
    return added;
  }
  // Precondition: an object has the index.
  void remove(const Index& index) {
    const std::uint64_t slot = placement_.slot(index);
    if (slot < slots_.size()) {
      delete std::exchange(slots_[slot], &absent_);
    } else {
      others_.erase(index);
    }
    --size_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  // Returns the indices of all objects.
  [[nodiscard]] std::vector<Index> indices() const {
    std::vector<Index> all;
    all.reserve(size_);
    for_each([&all](const object& o) { all.push_back(o.index); });
    return all;
  }
  // Calls `use(object)` for every object. Precondition: `use` neither adds nor removes objects.
  template <typename Use>
  void for_each(const Use& use) const {
    for (object* const o : slots_) {
      if (o != &absent_) use(*o);
    }
    for (const auto& entry : others_) use(*entry.second);
  }

 private:
  [[nodiscard]] object& find_anywhere(const Index& index) const {
    const std::uint64_t slot = placement_.slot(index);
    if (slot < slots_.size()) return *slots_[slot];
    if (others_.empty()) return absent_;
    const auto found = others_.find(index);
    return found == others_.end() ? absent_ : *found->second;
  }

  const collection_placement<Index>& placement_;
  // The content of slots without an object. As the object has an extension, handlers find out by
  // one test that a message cannot be delivered at once.
  mutable object absent_{Index{}};
  std::vector<object*> slots_;  // owns the objects
  std::unordered_map<Index, std::unique_ptr<object>, container_hash<Index>> others_;
  std::size_t size_ = 0;
};

}  // namespace boxcar::detail
