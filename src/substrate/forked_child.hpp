// A process that a PE has forked is no PE, and has copies of the PE's worlds all the same.
#pragma once

#include <memory>

namespace boxcar::detail {

class substrate;

// The worlds that this process has made. A child that it forks calls `leave_to_parent` of each.
void note_world(substrate& world);
void forget_world(substrate& world) noexcept;

// For copies that the child would otherwise destroy, and so act in the parent's name, or on a
// network beside the parent.
void keep_for_ever(std::shared_ptr<void> copy);

}  // namespace boxcar::detail
