// The append core is an append buffer whose elements are bytes, independent of the element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <boxcar/detail/object_handle.hpp>
#include <boxcar/detail/object_memory.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/world.hpp>

namespace boxcar {
struct append_options;
}

namespace boxcar::detail {

class append_state;

struct append_element {
  std::size_t bytes;
  std::size_t alignment;
  type_identity type;
};

struct append_counts {
  std::size_t completed;
  std::size_t reserved;
};

class append_core {
 public:
  // Collective.
  append_core(const world& w, const append_element& what, const object_memory& mine,
              const append_options& options);
  append_core(append_core&&) noexcept = default;
  append_core& operator=(append_core&&) noexcept = default;

  // Returns how many of the elements were taken.
  std::size_t push(const void* elements, std::size_t count, int pe);
  void push_nbi(const void* elements, std::size_t count, int pe);
  void flush(int pe);
  void flush_all();
  void finish();
  // Returns whether the PE has left the world, where no operation is possible any more.
  [[nodiscard]] bool has_left_world() const;

  [[nodiscard]] std::byte* data() const;
  // Returns an owner of the memory of the node's buffers, independent of the object and its world.
  [[nodiscard]] std::shared_ptr<const void> memory() const;
  [[nodiscard]] std::size_t capacity(int pe) const;
  [[nodiscard]] std::size_t capacity_here() const;
  [[nodiscard]] std::size_t reserved() const;
  [[nodiscard]] std::size_t completed() const;
  [[nodiscard]] append_counts counts() const;
  [[nodiscard]] std::size_t messages() const;
  [[nodiscard]] std::size_t refused() const;
  [[nodiscard]] std::size_t readable() const;

  void wait(std::size_t elements);
  void wait_messages(std::size_t count);
  void reset();

  // For pushes through a conveyor, where only the PE itself writes to its buffer: records
  // `elements` new elements behind the reserved elements, and `refused` elements without room.
  void note_written(std::size_t elements, std::size_t refused);

 private:
  [[nodiscard]] append_state& state(const char* operation) const;
  // Returns the state as other PEs may see the state by now: the PE first executes the requests
  // that have arrived.
  [[nodiscard]] append_state& served(const char* operation) const;

  object_handle handle_;
};

}  // namespace boxcar::detail
