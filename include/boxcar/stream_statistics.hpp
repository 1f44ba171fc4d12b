// The stream statistics count the activity and the memory of a stream on a PE.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include <boxcar/statistics.hpp>

namespace boxcar {

// The counts of the current or last session, except for the last two members.
struct stream_statistics {
  std::uint64_t sent = 0;              // items from the PE; of a broadcast, the copies that leave
                                       // the PE
  std::uint64_t handled = 0;           // calls of the handler
  std::uint64_t forwarded = 0;         // items that were forwarded for other PEs
  std::uint64_t held_back = 0;         // items that handlers sent while no buffer was free
  std::uint64_t waits = 0;             // sends that had to wait for a free buffer
  std::uint64_t control_messages = 0;  // sent to find out whether the session is over
  std::vector<hop_statistics> stages;  // buffers sent on each stage of the route
  std::size_t links = 0;               // for buffers, the link to the PE itself included
  std::size_t links_used = 0;          // used by any buffer since the stream was made
  std::size_t memory_bytes = 0;        // reserved for buffers and all else, on behalf of the PE
};

std::ostream& operator<<(std::ostream& out, const stream_statistics& s);

}  // namespace boxcar
