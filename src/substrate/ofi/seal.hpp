// The seal of a message: a number behind the message, by which the PE that receives the message
// knows that another PE of the job has sent it. Each PE draws a number, its secret, and publishes
// the secret with its address by the bootstrap, which is open to the PEs of the job only. A message
// without the secret of the PE that receives it is dropped, whatever it says.
//
// All messages to a PE have the same seal, in clear: the seal keeps out whoever cannot read the
// traffic of the job, and nobody else (docs/trust.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace boxcar::detail::ofi {

using secret = std::uint64_t;
inline constexpr std::size_t seal_bytes = sizeof(secret);

inline void write_seal(std::byte* behind_message, secret of_receiver) {
  std::memcpy(behind_message, &of_receiver, seal_bytes);
}

// `message` is what has come, with its seal.
[[nodiscard]] inline bool is_sealed(std::span<const std::byte> message, secret mine) {
  if (message.size() < seal_bytes) return false;
  secret shown = 0;
  std::memcpy(&shown, message.last(seal_bytes).data(), seal_bytes);
  return shown == mine;
}

}  // namespace boxcar::detail::ofi
