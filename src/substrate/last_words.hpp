// A grace period before a process ends its job because of a failure.
//
// If several PEs fail at once, most of them fail because of one PE, and the message of the one PE
// tells the cause. The first process that ends the job silences the PE.
#pragma once

#include <chrono>

namespace boxcar::detail {

// A failing PE notifies its peers for at most longest_word_of_failure before the PE prints the
// reason: the PE may have to connect to some peers first.
inline constexpr auto longest_word_of_failure = std::chrono::milliseconds(400);

// Records whether the failure of a world is the failure of this PE, announced by this PE, or the
// failure of another PE. Called by a PE that learns of the failure.
void note_whose_failure(bool is_own) noexcept;

// Flushes the open files, and waits a moment for other PEs that fail at the same time. If another
// PE has failed first, waits for as long as the PE may take to announce its failure and to end the
// job. Called before this process ends its job.
void speak_last_words() noexcept;

}  // namespace boxcar::detail
