// An MPI that refuses what a test wants it to refuse, of the MPI that the program is linked with:
// the calls that Boxcar's library makes come here first. A call that is refused does nothing but
// return an error.
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace boxcar::test {

// Which calls are refused.
struct refusal {
  std::string_view function;         // "MPI_Test"
  std::string_view started_by = {};  // of a test for an end: what began, "MPI_Irecv" for instance
  // Of the message, or of the room for it; of a test, of what it is about. The sizes tell apart
  // what messages are for.
  int at_least = 0;
  int at_most = std::numeric_limits<int>::max();
  int spared = 0;  // so many of them pass before
  int refused = 1;
};

// What messages are for, by the room for them: pieces of collectives, words of failures, buffers of
// conveyors as the tests make them, large items.
inline constexpr int least_of_pieces = 1024;
inline constexpr int most_of_pieces = 2047;
inline constexpr int least_of_notices = 2048;
inline constexpr int most_of_notices = 4095;
inline constexpr int least_of_buffers = 4096;
inline constexpr int least_of_items = 1 << 20;

inline constexpr int all_of_them = std::numeric_limits<int>::max();

// From now on, on this PE, besides what is refused already.
void refuse(const refusal& unwanted);
void refuse_nothing();

// From now on the next receive of at least so many bytes that is started on this PE does not end,
// as if its message were a long one whose sender computes; until it is released.
void withhold_next_receive(int at_least);
void release_receive();

// What communicators that are asked from now on say of the largest tag; 0: what MPI says.
void offer_largest_tag(int tag);

// So many calls have been refused since there was nothing to refuse.
int count_refused();

// So many sends or receives have been started here by this function of MPI.
int count_started(std::string_view function);

// MPI's words for the error that it returns.
std::string text_of_refusal();

}  // namespace boxcar::test
