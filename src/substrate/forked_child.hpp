// A process forked by a PE is no PE, and has copies of the PE's worlds all the same.
#pragma once

#include <memory>

namespace boxcar::detail {

class substrate;

// The registry of the worlds of this process. A forked child calls `leave_to_parent` of each.
void note_world(substrate& world);
void forget_world(substrate& world) noexcept;

// Keeps a copy for ever: the child would act in the parent's name, or on a network beside the
// parent, if the child destroyed the copy.
void keep_for_ever(std::shared_ptr<void> copy);

}  // namespace boxcar::detail
