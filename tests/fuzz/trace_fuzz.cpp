// The reader of `boxcar report`: a trace is refused, or becomes a page.
#include <boxcar/error.hpp>

#include "input_file.hpp"
#include "report/page.hpp"
#include "report/trace.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const boxcar::fuzz::input_file input(data, size);
  try {
    const auto trace = boxcar::tool::read_traces({input.path()});
    static_cast<void>(boxcar::tool::page_of(trace, {"input"}));
  } catch (const boxcar::error&) {
    // The file is refused.
  }
  return 0;
}
