#include "substrate/processes/process_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/shared_memory/mapping.hpp"

namespace boxcar::detail {
namespace {

class mapped_file final : public shared_memory {
 public:
  explicit mapped_file(mapping pages) : pages_(std::move(pages)) {}
  [[nodiscard]] std::byte* data() const override { return pages_.data(); }
  [[nodiscard]] std::size_t bytes() const override { return pages_.bytes(); }

 private:
  mapping pages_;
};

class open_file {
 public:
  explicit open_file(int descriptor) : descriptor_(descriptor) {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() { close(descriptor_); }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

class created_file final : public created_memory {
 public:
  explicit created_file(std::size_t bytes)
      : file_(create_nameless_file(bytes)), pages_(mapping::of_file(file_.descriptor(), bytes)) {}
  [[nodiscard]] std::byte* data() const override { return pages_.data(); }
  [[nodiscard]] memory_handle handle() const override {
    return {static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(file_.descriptor())};
  }
  std::unique_ptr<shared_memory> seal() override {
    return std::make_unique<mapped_file>(std::move(pages_));
  }

 private:
  open_file file_;
  mapping pages_;
};

class process_memory final : public memory_source {
 public:
  std::unique_ptr<created_memory> create(std::size_t bytes) override {
    return std::make_unique<created_file>(bytes);
  }
  std::unique_ptr<shared_memory> attach(memory_handle handle, std::size_t bytes) override {
    const std::string path =
        "/proc/" + std::to_string(handle.where) + "/fd/" + std::to_string(handle.which);
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
      throw system_error("cannot open " + path + ": " + std::strerror(errno) +
                         " (the PEs of a node must run as the same user and see the same /proc)");
    }
    const open_file file(descriptor);
    return std::make_unique<mapped_file>(mapping::of_file(descriptor, bytes));
  }
};

}  // namespace

std::unique_ptr<memory_source> make_process_memory() {
  return std::make_unique<process_memory>();
}

int create_nameless_file(std::size_t bytes) {
  const int descriptor = memfd_create("boxcar", MFD_CLOEXEC);
  if (descriptor < 0) {
    throw system_error(std::string("cannot create a memory file: ") + std::strerror(errno));
  }
  if (ftruncate(descriptor, static_cast<off_t>(std::max<std::size_t>(bytes, 1))) != 0) {
    const std::string why = std::strerror(errno);
    close(descriptor);
    throw system_error("cannot create a memory file of " + std::to_string(bytes) +
                       " bytes: " + why);
  }
  return descriptor;
}

}  // namespace boxcar::detail
