// A window whose elements are bytes: everything that does not depend on the element type. An
// operation on an element is inlined if the other PE shares memory; all other functions are out of
// line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include <boxcar/detail/atomics.hpp>
#include <boxcar/detail/node_peers.hpp>
#include <boxcar/detail/object_handle.hpp>
#include <boxcar/detail/object_memory.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/world.hpp>

namespace boxcar {
class counter;
}

namespace boxcar::detail {

class window_state;

// A PE's part of a window, as another PE of the node sees the part.
struct window_part {
  std::byte* data = nullptr;
  std::size_t elements = 0;
};

struct window_element {
  std::size_t bytes;
  std::size_t alignment;
  type_identity type;
};

// Elements on another PE: `elements` elements from `index` on, each `stride` behind the one before.
struct window_range {
  int pe;
  std::size_t index;
  std::size_t elements;
  std::size_t stride = 1;
};

class window_core {
 public:
  // Collective.
  window_core(const world& w, const window_element& what, const object_memory& mine);
  window_core(window_core&& other) noexcept;
  window_core& operator=(window_core&& other) noexcept;

  // Returns the address of the element if the element exists and can be reached from here;
  // otherwise nullptr.
  template <typename T>
  [[nodiscard, gnu::always_inline]] T* here(int pe, std::size_t index) const {
    const std::uint32_t place = peers_.place(pe);
    if (place >= peers_.count()) return nullptr;
    const window_part& part = parts_[place];
    if (index >= part.elements) return nullptr;
    return reinterpret_cast<T*>(part.data) + index;
  }

  // Returns an element of the PE's own part.
  template <typename T>
  [[nodiscard]] T& own(std::size_t index) const {
    return *reinterpret_cast<T*>(own_element(index));
  }
  // Returns when the condition holds. The first checks do nothing else.
  template <typename Condition>
  void wait(const Condition& is_there) const {
    for (int i = 0; i < looks_before_waiting; ++i) {
      if (is_there()) return;
    }
    wait_longer(is_there);
  }

  [[nodiscard]] window_part mine() const;
  // Returns the part of a PE of the node, whatever the rank; {nullptr, 0} for any other PE.
  [[nodiscard]] window_part part_of(int pe, const char* operation) const;
  [[nodiscard]] std::size_t size(int pe) const;
  // Returns an owner of the memory of all parts that are seen here, independent of the window and
  // of its world. (Other PEs cannot use the memory any more when the window is gone.)
  [[nodiscard]] std::shared_ptr<const void> memory() const;

  // The elements are on any PE; `stride` is the stride of the local elements.
  void put(const window_range& there, const void* from, std::size_t stride,
           const counter* counting);
  void get(const window_range& there, void* into, std::size_t stride, bool waits);
  // `before`, unless null, receives the former value of the element.
  struct change {
    atomic_operation what;
    const void* value;
    const void* expected;
    void* before;
  };
  void update(int pe, std::size_t index, const change& c);
  // Updates a word of `bytes` bytes, 1, 2, 4 or 8, in a window of bytes; `bytes` divides the index.
  void update_word(int pe, std::size_t index, std::size_t bytes, const change& c);

  // Throws argument_error if the counter is of another world.
  void require_same_world(const counter& c) const;
  [[nodiscard]] std::uint64_t world_identity() const;
  // Returns the number of the window in its world, the same on all PEs.
  [[nodiscard]] std::uint64_t number() const;
  // Returns whether the program has allocated the elements.
  [[nodiscard]] bool is_of_program() const;
  // Counts `bytes` bytes that have been put on a PE of the node.
  void count(const counter& c, int pe, std::size_t bytes) const;

  void fence();
  void flush(int pe);
  void flush_all();

 private:
  static constexpr int looks_before_waiting = 100;

  [[nodiscard]] window_state& state(const char* operation) const;
  [[nodiscard]] std::byte* own_element(std::size_t index) const;
  void wait_longer(const std::function<bool()>& is_there) const;

  object_handle handle_;
  node_peers peers_;
  const window_part* parts_ = nullptr;
};

}  // namespace boxcar::detail
