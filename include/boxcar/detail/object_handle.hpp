// A PE's handle of its part of an object that all PEs of a world have, and that others may reach
// for without this PE's doing: a window, a counter, an append buffer. Dropping it is local. The
// part stays for as long as any PE has a handle, and goes when all have come together after that,
// to make the next such object or to leave the world.
#pragma once

#include <memory>

namespace boxcar::detail {

class reachable;
class substrate;

class object_handle {
 public:
  object_handle(std::shared_ptr<substrate> world, reachable& object);
  object_handle(object_handle&& other) noexcept;
  object_handle& operator=(object_handle&& other) noexcept;
  ~object_handle();

  // nullptr: it has been moved from.
  [[nodiscard]] reachable* object() const { return object_; }

 private:
  void drop() noexcept;

  std::shared_ptr<substrate> world_;
  reachable* object_;
};

}  // namespace boxcar::detail
