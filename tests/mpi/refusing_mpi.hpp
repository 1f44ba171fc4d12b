// A layer over the MPI that the program is linked with; the layer refuses calls of Boxcar's library
// as a test demands. A refused call does nothing but return an error.
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace boxcar::test {

// Selects the refused calls.
struct refusal {
  std::string_view function;  // "MPI_Test"
  // The call that began the request, for a refused test of a request; for instance "MPI_Irecv".
  std::string_view started_by = {};
  // The size of the message, or of the buffer for it; of a test, the size of its request. The sizes
  // tell the purposes of messages apart.
  int at_least = 0;
  int at_most = std::numeric_limits<int>::max();
  int spared = 0;  // number of such calls that pass before
  int refused = 1;
};

// The purposes of messages, by the size of the buffer: pieces of collectives, notices of failures,
// buffers of conveyors as the tests make them, large items.
inline constexpr int least_of_pieces = 1024;
inline constexpr int most_of_pieces = 2047;
inline constexpr int least_of_notices = 2048;
inline constexpr int most_of_notices = 4095;
inline constexpr int least_of_buffers = 4096;
inline constexpr int least_of_items = 1 << 20;

inline constexpr int all_of_them = std::numeric_limits<int>::max();

// Adds a refusal on this PE, from now on.
void refuse(const refusal& unwanted);
void refuse_nothing();

// The next receive of at least `at_least` bytes on this PE does not complete until it is released,
// as if its message were a long message whose sender computes.
void withhold_next_receive(int at_least);
void release_receive();

// Sets the largest tag that communicators report from now on; 0: the largest tag of MPI.
void offer_largest_tag(int tag);

// The number of calls refused since the last refuse_nothing.
int count_refused();

// The number of sends or receives started on this PE by a function of MPI.
int count_started(std::string_view function);

// MPI's text for the error of a refused call.
std::string text_of_refusal();

}  // namespace boxcar::test
