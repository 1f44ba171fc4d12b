// The bytes of a fuzzer as a file, for readers that take the path of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace boxcar::fuzz {

// A file in memory. The process has a single such file, which each input overwrites.
class input_file {
 public:
  input_file(const std::uint8_t* data, std::size_t size) {
    if (ftruncate(descriptor(), 0) != 0) std::abort();
    for (std::size_t at = 0; at < size;) {
      const ssize_t bytes = pwrite(descriptor(), data + at, size - at, static_cast<off_t>(at));
      if (bytes <= 0) std::abort();
      at += static_cast<std::size_t>(bytes);
    }
  }
  [[nodiscard]] static std::string path() {
    return "/proc/self/fd/" + std::to_string(descriptor());
  }

 private:
  static int descriptor() {
    static const int file = memfd_create("fuzz", MFD_CLOEXEC);
    return file;
  }
};

}  // namespace boxcar::fuzz
