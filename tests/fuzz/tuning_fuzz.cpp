// Fuzzes the reader of tuning files: a file that is written again is read as the same.
#include <cstdlib>
#include <string>
#include <string_view>

#include <boxcar/error.hpp>

#include "input_file.hpp"
#include "tuning/tuning_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using boxcar::detail::tuning_file;
  const boxcar::fuzz::input_file input(data, size);
  try {
    const tuning_file file = tuning_file::read(input.path());
    const std::string text = file.text();
    if (tuning_file(text, "input").text() != text) std::abort();
  } catch (const boxcar::error&) {
    // The file is refused.
  }
  return 0;
}
