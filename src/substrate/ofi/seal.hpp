// A seal is a number behind a message, and proves a PE of the job to be the sender of the message.
// Each PE draws a number, the PE's secret, and publishes the secret with the PE's address by the
// bootstrap, which is open to the PEs of the job only. A PE drops every message without the PE's
// own secret.
//
// All messages to a PE have the same seal, in clear: the seal keeps out programs unable to read the
// traffic of the job, and no other program (docs/trust.md).
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

// Returns whether the received `message`, with the seal, ends in the secret `mine`.
[[nodiscard]] inline bool is_sealed(std::span<const std::byte> message, secret mine) {
  if (message.size() < seal_bytes) return false;
  secret shown = 0;
  std::memcpy(&shown, message.last(seal_bytes).data(), seal_bytes);
  return shown == mine;
}

}  // namespace boxcar::detail::ofi
