// The text of a stream's statistics.
#include <ostream>

#include <boxcar/stream_statistics.hpp>

namespace boxcar {

std::ostream& operator<<(std::ostream& out, const stream_statistics& s) {
  out << s.sent << " sent (" << s.held_back << " held back, " << s.waits << " waits), " << s.handled
      << " handled, " << s.forwarded << " forwarded, " << s.control_messages
      << " control messages\n";
  for (std::size_t stage = 0; stage < s.stages.size(); ++stage) {
    const hop_statistics& h = s.stages[stage];
    out << "stage " << stage << ": " << h.local_buffers << " local buffers of " << h.local_bytes
        << " bytes, " << h.remote_buffers << " remote of " << h.remote_bytes << " bytes, "
        << static_cast<int>(h.fill() * 100 + 0.5) << " % full\n";
  }
  return out << s.links_used << " of " << s.links << " links used, " << s.memory_bytes
             << " bytes of memory reserved\n";
}

}  // namespace boxcar
