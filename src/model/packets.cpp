// The model of packets: the packets of a network message, and their bytes.
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/model.hpp>

namespace boxcar::model {
namespace {

std::int64_t rounded_up(std::int64_t bytes, std::int64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

packet_count packets_of(std::int64_t message_bytes, const packet_format& format) {
  const std::int64_t payload = format.packet_bytes - format.header_bytes;
  if (payload < 1 || format.chunk_bytes < 1 || message_bytes < 0) {
    throw argument_error("packets of " + std::to_string(format.packet_bytes) + " bytes with " +
                         std::to_string(format.header_bytes) + " of header, in chunks of " +
                         std::to_string(format.chunk_bytes) + ", for a message of " +
                         std::to_string(message_bytes) +
                         " bytes: a packet needs room behind its header, a chunk a byte");
  }
  const std::int64_t full = message_bytes / payload;
  const std::int64_t rest = message_bytes % payload;
  packet_count count{full, full * rounded_up(format.packet_bytes, format.chunk_bytes)};
  if (rest != 0 || full == 0) {
    count.packets += 1;
    count.bytes += rounded_up(rest + format.header_bytes, format.chunk_bytes);
  }
  return count;
}

}  // namespace boxcar::model
