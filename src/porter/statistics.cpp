// The sum and the text of statistics.
#include <cmath>
#include <ostream>

#include <boxcar/statistics.hpp>

namespace boxcar {
namespace {

hop_statistics& operator+=(hop_statistics& a, const hop_statistics& b) {
  a.local_buffers += b.local_buffers;
  a.remote_buffers += b.remote_buffers;
  a.local_bytes += b.local_bytes;
  a.remote_bytes += b.remote_bytes;
  a.capacity_bytes += b.capacity_bytes;
  a.saved_bytes += b.saved_bytes;
  return a;
}

}  // namespace

statistics& operator+=(statistics& a, const statistics& b) {
  a.begins += b.begins;
  a.pushes += b.pushes;
  a.blocked += b.blocked;
  a.pulls += b.pulls;
  a.unpulls += b.unpulls;
  a.advances += b.advances;
  a.syncs += b.syncs;
  if (a.hops.size() < b.hops.size()) a.hops.resize(b.hops.size());
  for (std::size_t hop = 0; hop < b.hops.size(); ++hop) a.hops[hop] += b.hops[hop];
  a.memory_bytes = b.memory_bytes;
  return a;
}

std::ostream& operator<<(std::ostream& out, const statistics& s) {
  out << s.pushes << " pushed (" << s.blocked << " blocked), " << s.pulls << " pulled ("
      << s.unpulls << " put back), " << s.advances << " advances, " << s.begins << " sessions\n";
  for (std::size_t hop = 0; hop < s.hops.size(); ++hop) {
    const hop_statistics& h = s.hops[hop];
    out << "hop " << hop + 1 << ": " << h.local_buffers << " local buffers of " << h.local_bytes
        << " bytes, " << h.remote_buffers << " remote of " << h.remote_bytes << " bytes";
    if (h.saved_bytes > 0) out << " (" << h.saved_bytes << " saved by compression)";
    out << ", " << std::lround(h.fill() * 100) << " % full\n";
  }
  return out << s.memory_bytes << " bytes of memory held\n";
}

}  // namespace boxcar
