#include "launcher/result_file.hpp"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::launcher {
namespace {

[[noreturn]] void fail(const char* what) {
  throw system_error(std::string("cannot ") + what +
                     " a file for the result: " + std::strerror(errno));
}

}  // namespace

result_file::result_file() : file_(memfd_create("boxcar-result", 0)) {
  if (!file_.is_open()) fail("make");
}

void result_file::write(const std::string& text) const {
  if (::write(file_.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    fail("write");
  }
}

std::string result_file::read() const {
  const off_t bytes = lseek(file_.number(), 0, SEEK_END);
  if (bytes < 0) fail("read");
  std::string text(static_cast<std::size_t>(bytes), '\0');
  if (pread(file_.number(), text.data(), text.size(), 0) != bytes) fail("read");
  return text;
}

}  // namespace boxcar::launcher
