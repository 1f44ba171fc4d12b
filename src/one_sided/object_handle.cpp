// The handle of a one-sided object: move and drop.
#include <utility>

#include <boxcar/detail/object_handle.hpp>

#include "one_sided/rpc_engine.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

object_handle::object_handle(std::shared_ptr<substrate> world, remote_object& object)
    : world_(std::move(world)), object_(&object) {}

object_handle::object_handle(object_handle&& other) noexcept
    : world_(std::move(other.world_)), object_(std::exchange(other.object_, nullptr)) {}

object_handle& object_handle::operator=(object_handle&& other) noexcept {
  if (this == &other) return *this;
  drop();
  world_ = std::move(other.world_);
  object_ = std::exchange(other.object_, nullptr);
  return *this;
}

object_handle::~object_handle() {
  drop();
}

void object_handle::drop() noexcept {
  if (object_ != nullptr) rpc_engine::of(*world_).drop(*object_);
}

}  // namespace boxcar::detail
