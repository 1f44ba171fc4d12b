#include "shared_blocks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

// Pointers are gathered where all PEs are threads.
template <>
inline constexpr bool boxcar::allow_pointers<const std::shared_ptr<std::byte>*> = true;

namespace boxcar::bench {
namespace {

using shared_block = std::shared_ptr<std::byte>;

[[noreturn]] void fail(const std::string& what) {
  throw system_error("cannot " + what + ": " + std::strerror(errno));
}

shared_block map(std::size_t bytes, int flags, int descriptor) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0);
  if (memory == MAP_FAILED) fail("map " + std::to_string(bytes) + " bytes of memory");
  return {static_cast<std::byte*>(memory), [bytes](std::byte* data) { munmap(data, bytes); }};
}

class file {
 public:
  explicit file(int descriptor) : descriptor_(descriptor) {}
  file(const file&) = delete;
  file& operator=(const file&) = delete;
  ~file() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// A file without a name: the file disappears when all processes with an open descriptor have ended.
// Other processes open the file by its descriptor in this process.
struct file_of_pe {
  pid_t process = 0;
  int descriptor = -1;
  std::size_t bytes = 0;
};

void resize(const file& f, std::size_t bytes) {
  if (f.descriptor() < 0) fail("create a file in memory");
  if (ftruncate(f.descriptor(), static_cast<off_t>(bytes)) != 0) {
    fail("create a file of " + std::to_string(bytes) + " bytes in memory");
  }
}

shared_block map_file_of(const file_of_pe& other) {
  const std::string path =
      "/proc/" + std::to_string(other.process) + "/fd/" + std::to_string(other.descriptor);
  const file opened(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (opened.descriptor() < 0) fail("open " + path);
  return map(other.bytes, MAP_SHARED, opened.descriptor());
}

// --- Implementations, both collective: a PE that fails leaves no other waiting -------------------

// The blocks of all PEs, if no PE has failed.
std::vector<shared_block> of_all(world& w, std::vector<shared_block> all,
                                 const std::exception_ptr& failure) {
  const bool failed = w.reduce(failure ? 1 : 0) != 0;
  if (failure) std::rethrow_exception(failure);
  if (failed) all.clear();
  return all;
}

std::vector<shared_block> share_by_pointers(world& w, std::size_t bytes) {
  std::exception_ptr failure;
  shared_block mine;
  try {
    mine = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  } catch (const system_error&) {
    failure = std::current_exception();
  }
  std::vector<shared_block> all;
  for (const shared_block* one : w.all_gather<const shared_block*>(&mine)) all.push_back(*one);
  return of_all(w, std::move(all), failure);  // then all have read `mine`
}

std::vector<shared_block> share_by_files(world& w, std::size_t bytes) {
  std::exception_ptr failure;
  const file mine(memfd_create("boxcar-bench", MFD_CLOEXEC));
  try {
    resize(mine, bytes);
  } catch (const system_error&) {
    failure = std::current_exception();
  }
  const std::vector<file_of_pe> files =
      w.all_gather(file_of_pe{getpid(), failure ? -1 : mine.descriptor(), bytes});
  std::vector<shared_block> all;
  try {
    if (std::ranges::none_of(files, [](const file_of_pe& f) { return f.descriptor < 0; })) {
      for (const file_of_pe& f : files) all.push_back(map_file_of(f));
    }
  } catch (const system_error&) {
    failure = std::current_exception();
  }
  return of_all(w, std::move(all), failure);  // then all have opened `mine`
}

}  // namespace

bool can_share_blocks(const world& w) {
  return w.substrate_name() == "threads" || w.substrate_name() == "processes";
}

shared_blocks::shared_blocks(world& w, std::size_t bytes)
    : blocks_(w.substrate_name() == "threads" ? share_by_pointers(w, bytes)
                                              : share_by_files(w, bytes)) {}

}  // namespace boxcar::bench
