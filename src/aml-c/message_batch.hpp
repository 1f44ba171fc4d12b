// The format of the messages that travel from one PE to another together.
//
// A batch begins with its head. Runs follow: a run is a head and messages of one handler and one
// length next to each other, without gaps. Runs are padded to whole units of 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <boxcar/aml-c/aml.h>

namespace boxcar::aml_c {

using batch_unit = std::uint64_t;

struct batch_head {
  std::int32_t from;
  std::int32_t unused = 0;
};

struct run_head {
  std::int32_t type;
  std::int32_t length;  // of a message
  std::uint64_t messages;
};

static_assert(sizeof(batch_head) % sizeof(batch_unit) == 0);
static_assert(sizeof(run_head) % sizeof(batch_unit) == 0);

constexpr std::size_t round_up_to_unit(std::size_t bytes) {
  return (bytes + sizeof(batch_unit) - 1) / sizeof(batch_unit) * sizeof(batch_unit);
}

// Calls the handlers for all messages of a batch, in order.
inline void handle_batch(std::span<const batch_unit> batch,
                         std::span<const boxcar_aml_handler> handlers) {
  // Handlers may write to their messages: nothing else reads the buffer any more.
  auto* at = const_cast<char*>(reinterpret_cast<const char*>(batch.data()));
  const char* const end = at + batch.size_bytes();
  batch_head batch_is{};
  std::memcpy(&batch_is, at, sizeof batch_is);
  at += sizeof batch_is;
  while (at != end) {
    run_head run{};
    std::memcpy(&run, at, sizeof run);
    const boxcar_aml_handler handler = handlers[static_cast<std::size_t>(run.type)];
    const auto length = static_cast<std::size_t>(run.length);
    char* message = at + sizeof run;
    for (std::uint64_t left = run.messages; left != 0; --left, message += length) {
      handler(batch_is.from, message, run.length);
    }
    at += sizeof run + round_up_to_unit(length * run.messages);
  }
}

}  // namespace boxcar::aml_c
