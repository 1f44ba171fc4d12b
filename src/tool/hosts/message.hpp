// What the launcher and the `boxcar` of each host say to one another.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxcar::hosts {

// Two that do not speak the same are of different versions; see `greeting`.
enum class message_kind : unsigned char {
  // --- From the launcher
  part,              // what to start: see part.hpp
  start,             // all hosts are ready
  end,               // the PEs
  describe_and_end,  // and tell what they are doing
  stop,              // as Ctrl-Z
  go_on,
  input,      // [bytes] for PE 0
  input_end,  // no more follow
  // --- From a host
  ready,    // the program can be started here
  refused,  // [status, why] it cannot
  output,   // [stream, bytes] of PEs
  ending,   // the PEs are being ended: see part.hpp
  ended,    // [ranks] all have; these never joined the world
  over,     // [status] the last message
  // --- From either
  taken,    // [stream, number] so many bytes have been passed on: as many more may follow
  meeting,  // [bytes] what the PEs of a host show; what those of all do
  beat,     // there is somebody, and the connection holds
};

struct message {
  message_kind kind;
  std::vector<std::string> fields = {};

  // Throws system_error if there is no such field.
  [[nodiscard]] const std::string& field(std::size_t i) const;
  // Throws system_error if it is no number.
  [[nodiscard]] long long number(std::size_t i) const;
  // Throws system_error also if it does not fit.
  [[nodiscard]] int integer(std::size_t i) const;
};

// The streams that `output` and `taken` name.
inline constexpr int input_stream = 0;
inline constexpr int output_stream = 1;
inline constexpr int error_stream = 2;
// How much of a stream may be on its way, so that who reads slowly takes no memory, and does not
// keep other messages from being heard.
inline constexpr std::size_t most_on_the_way = std::size_t{1} << 16;

std::string encode(const message& what);
// The message that these bytes begin with, and how many of them it takes; nothing if they are too
// few yet. Throws system_error if they are no messages.
struct decoded {
  message what;
  std::size_t bytes;
};
std::optional<decoded> decode(std::string_view bytes);

// Of successive numbers, say ranks: "0,1,2".
std::string list_of(const std::vector<int>& numbers);
std::vector<int> numbers_of(const std::string& list);

// The line by which the `boxcar` of a host begins, before any message, and which says its version.
// What others print before it, as the start-up files of a shell do, is passed over.
inline constexpr std::string_view greeting = "boxcar-node ";
// The version of this `boxcar`, and of what it says to others.
std::string spoken_version();

}  // namespace boxcar::hosts
