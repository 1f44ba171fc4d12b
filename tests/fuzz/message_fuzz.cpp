// Fuzzes the reader of messages between the launcher and the agents of hosts: bytes are refused, or
// are messages that are written as the same bytes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <boxcar/error.hpp>

#include "hosts/message.hpp"
#include "hosts/part.hpp"

namespace {

using namespace boxcar::hosts;

void read_fields(const message& what) {
  try {
    static_cast<void>(part_of(what));
  } catch (const boxcar::error&) {
    // The bytes describe no part of a job.
  }
  try {
    static_cast<void>(ending_of(what));
  } catch (const boxcar::error&) {
    // The bytes describe no end.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  try {
    while (const auto found = decode(rest)) {
      if (encode(found->what) != rest.substr(0, found->bytes)) std::abort();
      read_fields(found->what);
      rest.remove_prefix(found->bytes);
    }
  } catch (const boxcar::error&) {
    // The connection is disturbed.
  }
  return 0;
}
