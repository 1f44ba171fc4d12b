// Fuzzes the file with the PEs' parts of a trace: for any content, a part is added or refused.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <boxcar/error.hpp>

#include "trace/trace_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path =
      std::filesystem::temp_directory_path() / ("boxcar_fuzz_" + std::to_string(getpid()));
  constexpr std::uint64_t job = 1;  // as in the corpus
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const boxcar::detail::trace_file file(path, job);
    static_cast<void>(file.beginning());
    file.add([](const auto& write) { write("{}"); });
  } catch (const boxcar::error&) {
    // The file is refused.
  }
  std::filesystem::remove(path);
  return 0;
}
