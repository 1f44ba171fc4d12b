// What is still to be heard when a process ends its job because something has failed.
//
// Where several PEs fail at once, most of them because one has, that one tells why; the first one
// that ends the job silences it.
#pragma once

#include <chrono>

namespace boxcar::detail {

// For so long a PE that fails may try to tell the others, before it says why: it may have to
// connect to some first.
inline constexpr auto longest_word_of_failure = std::chrono::milliseconds(400);

// To be called where a PE learns whose failure it is that its world has failed by: its own, which
// it tells of itself, or that of another one.
void note_whose_failure(bool is_own) noexcept;

// To be called before this process ends its job: writes what its files have not written yet, and
// waits a moment for others that fail at the same time. Where another PE has failed first, it waits
// for as long as that one may take to tell of it and to end the job.
void speak_last_words() noexcept;

}  // namespace boxcar::detail
