// An object handle is a PE's handle of its share of an object that all PEs of a world have: a
// window, a counter, an append buffer. Other PEs may access the share without the PE's cooperation.
// Dropping the handle is local. The share stays as long as any PE has a handle, and is freed when
// later all PEs have come together, to make the next object of the kind or to leave the world.
#pragma once

#include <memory>

namespace boxcar::detail {

class remote_object;
class substrate;

class object_handle {
 public:
  object_handle(std::shared_ptr<substrate> world, remote_object& object);
  object_handle(object_handle&& other) noexcept;
  object_handle& operator=(object_handle&& other) noexcept;
  ~object_handle();

  // Returns the object; nullptr if the handle was moved from.
  [[nodiscard]] remote_object* object() const { return object_; }

 private:
  void drop() noexcept;

  std::shared_ptr<substrate> world_;
  remote_object* object_;
};

}  // namespace boxcar::detail
