// A grace period before a process ends its job because of a failure.
//
// If several PEs fail at once, most of them fail because of a first PE, and the message of the
// first PE tells the cause. An immediate end of the job by another PE would suppress the message.
#pragma once

#include <chrono>

namespace boxcar::detail {

// A failing PE notifies its peers for at most max_failure_notice_time before the PE prints the
// reason: the PE may have to connect to some peers first.
inline constexpr auto max_failure_notice_time = std::chrono::milliseconds(400);

// Records whether a world has failed by this PE, which announces the failure, or by another PE.
// Called when a PE learns of the failure.
void record_failure_origin(bool is_own) noexcept;

// Flushes the open files, and waits a moment for other PEs that fail at the same time. If another
// PE has failed first, waits as long as the other PE may take to announce the failure and to end
// the job. Called before the process ends the job.
void wait_abort_grace() noexcept;

}  // namespace boxcar::detail
