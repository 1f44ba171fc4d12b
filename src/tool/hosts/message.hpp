// The messages between the launcher and the `boxcar` of each host.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxcar::hosts {

// The kinds of messages. Two programs with different kinds have different versions; see `greeting`.
enum class message_kind : unsigned char {
  // --- From the launcher
  part,              // the share of the job to start: see part.hpp
  start,             // all hosts are ready
  end,               // the PEs, after a report of their activities
  describe_and_end,  // and tell what they are doing
  stop,              // as Ctrl-Z
  go_on,
  input,      // [bytes] for PE 0
  input_end,  // no more input follows
  // --- From a host
  ready,    // the program can be started here
  refused,  // [status, why] the program cannot be started here
  output,   // [stream, bytes] of PEs
  ending,   // the PEs are being ended: see part.hpp
  ended,    // [ranks] all PEs have ended; the listed PEs never joined the world
  over,     // [status] the last message
  // --- From either
  taken,      // [stream, number] bytes that have been passed on: as many more may follow
  bootstrap,  // [bytes] bootstrap data of the PEs of a host; of the PEs of all hosts
  beat,       // a sign of life: the connection holds
};

struct message {
  message_kind kind;
  std::vector<std::string> fields = {};

  // Throws system_error if there is no such field.
  [[nodiscard]] const std::string& field(std::size_t i) const;
  // Throws system_error if the field is no number.
  [[nodiscard]] long long number(std::size_t i) const;
  // Throws system_error if the field is no number or does not fit.
  [[nodiscard]] int integer(std::size_t i) const;
};

// The names of streams in `output` and `taken`.
inline constexpr int input_stream = 0;
inline constexpr int output_stream = 1;
inline constexpr int error_stream = 2;
// The bytes of a stream that may be in flight. The bound keeps a slow reader from taking memory,
// and from delaying other messages.
inline constexpr std::size_t most_on_the_way = std::size_t{1} << 16;

std::string encode(const message& what);
// Returns the first message in `bytes`, and the number of its bytes; nothing if the message is
// incomplete. Throws system_error if the bytes are no messages.
struct decoded {
  message what;
  std::size_t bytes;
};
std::optional<decoded> decode(std::string_view bytes);

// Convert between a text and successive numbers, for instance ranks: "0,1,2".
std::string list_of(const std::vector<int>& numbers);
std::vector<int> numbers_of(const std::string& list);

// The first line of the `boxcar` of a host, before any message, with the version. Output of other
// programs before the greeting, such as a shell's start-up files, is skipped.
inline constexpr std::string_view greeting = "boxcar-node ";
// Returns the version of this `boxcar`, and of its messages.
std::string spoken_version();

}  // namespace boxcar::hosts
