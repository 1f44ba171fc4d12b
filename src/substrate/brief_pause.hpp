// A pause of a PE that waits until another one has finished something that takes moments, such as a
// copy, and that depends on nobody. (What may take longer is waited for by `substrate::idle`, which
// serves others and throws when the world has failed.)
#pragma once

namespace boxcar::detail {

// Lets other threads of the machine run.
void pause_briefly() noexcept;

}  // namespace boxcar::detail
