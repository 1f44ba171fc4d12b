// The buffers that packets fill on a link, if their number is drawn at random.
#pragma once

namespace boxcar::detail {

// The number of times a packet finds its buffer full, if n packets on average, drawn at random,
// travel over a link.
struct overflows {
  double mean = 0;
  double variance = 0;
};

// `capacity`: packets of a buffer.
[[nodiscard]] overflows overflows_of(double n, double capacity);
// Returns the number of buffers on the link: the buffers found full when another packet comes, and
// the last buffer.
[[nodiscard]] double buffers_of(double n, double capacity);

}  // namespace boxcar::detail
