#include "support/shared_pages.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "support/world_shape.hpp"

namespace boxcar::test {
namespace {

std::runtime_error problem(const std::string& what) {
  return std::runtime_error("cannot map memory for a test: " + what);
}

// Opens the next file of the job.
int open_file() {
  const char* folder = std::getenv("BOXCAR_TEST_FILES");
  if (folder == nullptr) throw problem("BOXCAR_TEST_FILES names no folder");
  static int number = 0;
  const std::string path = std::string(folder) + "/" + std::to_string(number++);
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  if (file < 0) throw problem("cannot open " + path);
  return file;
}

void* map(std::size_t bytes, int flags, int file) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, file, 0);
  if (pages == MAP_FAILED) throw problem("mmap failed");
  return pages;
}

}  // namespace

void* map_shared_pages(std::size_t bytes) {
  if (cluster_pes() == 0) return map(bytes, MAP_ANONYMOUS, -1);
  const int file = open_file();
  // The first process extends the file, and all other processes do so, too, to the same length.
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0) throw problem("ftruncate failed");
  void* pages = map(bytes, 0, file);
  close(file);
  return pages;
}

}  // namespace boxcar::test
