#include "substrate/replace_file.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

// Creates a file in the same folder; the file's name begins with `name` and is unique. Returns the
// descriptor of the file, or a negative number.
int create_beside(const std::string& name, std::string& created) {
  for (unsigned attempt = 0;; ++attempt) {
    created = name + "." + std::to_string(getpid()) + "." + std::to_string(attempt);
    const int file = open(created.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

// Gives a file the permissions of the file to be replaced, if there is one.
bool copy_mode(const std::string& from, int to) {
  struct stat former {};
  if (stat(from.c_str(), &former) != 0) return errno == ENOENT;
  constexpr mode_t permissions = 0777;
  return fchmod(to, former.st_mode & permissions) == 0;
}

[[noreturn]] void cannot(const std::string& what, const std::string& name) {
  throw system_error("cannot " + what + " " + name + ": " + std::strerror(errno));
}

}  // namespace

std::string file_to_replace(const std::string& name) {
  const std::unique_ptr<char, decltype(&std::free)> path(realpath(name.c_str(), nullptr),
                                                         &std::free);
  if (path == nullptr) {
    if (errno == ENOENT) return name;
    cannot("write", name);
  }
  struct stat former {};
  if (stat(path.get(), &former) != 0) cannot("write", name);
  if (!S_ISREG(former.st_mode)) {
    throw system_error("cannot write " + name + ": it is no file; name another");
  }
  return path.get();
}

void replace_file(const std::string& given, std::string_view content) {
  const std::string name = file_to_replace(given);
  // The new file is in the same folder, so that a rename can replace the old file at once.
  std::string other;
  const int descriptor = create_beside(name, other);
  if (descriptor < 0) cannot("make a file beside", name);
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t n = ::write(descriptor, content.data() + written, content.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  const bool good = written == content.size() && copy_mode(name, descriptor);
  const bool closed = close(descriptor) == 0;
  if (!good || !closed || std::rename(other.c_str(), name.c_str()) != 0) {
    const int problem = errno;
    std::remove(other.c_str());
    errno = problem;
    cannot("write", name);
  }
}

}  // namespace boxcar::detail
