#include "substrate/processes/process_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "substrate/memory_errors.hpp"
#include "substrate/shared_memory/mapping.hpp"

namespace boxcar::detail {
namespace {

constexpr int size_seals = F_SEAL_SHRINK | F_SEAL_GROW;

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

// The number of a nameless file, repeated after some thousands of millions of files, and the size
// of the file.
struct file_identity {
  std::uint32_t number = 0;
  std::size_t bytes = 0;
};

file_identity identify(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return {};
  return {static_cast<std::uint32_t>(status.st_ino), static_cast<std::size_t>(status.st_size)};
}

std::string why() {
  return std::strerror(errno);
}

// While a blocker exists, the growth of a file beyond the limit of this process (ulimit -f) is an
// error of the call, and no signal ends the process.
class file_size_signal_blocker {
 public:
  file_size_signal_blocker() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &former_);
  }
  file_size_signal_blocker(const file_size_signal_blocker&) = delete;
  file_size_signal_blocker& operator=(const file_size_signal_blocker&) = delete;
  ~file_size_signal_blocker() {
    const timespec no_time{};
    if (!was_pending_) sigtimedwait(&signal_, nullptr, &no_time);
    pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  }

 private:
  sigset_t signal_{};
  sigset_t former_{};
  bool was_pending_ = false;
};

// Returns 0, or a negative number with the reason in errno.
int set_size(int file, std::size_t bytes) {
  int result = 0;
  int reason = 0;
  {
    const file_size_signal_blocker blocker;
    result = ftruncate(file, static_cast<off_t>(bytes));
    reason = errno;
  }
  errno = reason;
  return result;
}

// Throws the error in errno, as the failure of `what`.
[[noreturn]] void refuse(const std::string& what) {
  switch (errno) {
    case EFBIG:
      throw shortage(what + ": " + why() +
                     ": this process may not make files so large (SIGXFSZ); allow it more by "
                     "`ulimit -f`");
    case EMFILE:
      throw shortage(what + ": " + why() +
                     ": this process has as many as it may; allow it more by `ulimit -n`, or close "
                     "some");
    case ENFILE:
    case ENOMEM:
    case ENOSPC:
      throw shortage(what + ": " + why());
    default:
      throw system_error(what + ": " + why());
  }
}

class created_file final : public created_memory {
 public:
  explicit created_file(std::size_t bytes)
      : file_(create_nameless_file(bytes)),
        handle_{static_cast<std::uint64_t>(getpid()) << 32 |
                    static_cast<std::uint32_t>(file_.descriptor()),
                identify(file_.descriptor()).number},
        pages_(mapping::of_file(file_.descriptor(), bytes)) {}
  [[nodiscard]] std::byte* data() const override { return pages_.data(); }
  [[nodiscard]] memory_handle handle() const override { return handle_; }
  std::unique_ptr<shared_memory> seal() override {
    return std::make_unique<mapped_file>(std::move(pages_));
  }

 private:
  open_file file_;
  memory_handle handle_;
  mapping pages_;
};

class process_memory final : public memory_source {
 public:
  [[nodiscard]] bool is_one_process() const override { return false; }
  std::unique_ptr<created_memory> create(std::size_t bytes) override {
    return std::make_unique<created_file>(bytes);
  }
  std::unique_ptr<shared_memory> attach(memory_handle handle, std::size_t bytes) override {
    const std::string path = "/proc/" + std::to_string(handle.where >> 32) + "/fd/" +
                             std::to_string(handle.where & 0xffffffff);
    // The path may lead to anything by now: also to a file whose open would wait, or to a terminal.
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) refuse("cannot open " + path);
      throw memory_gone("the memory behind " + path + " is gone, or cannot be reached: " + why() +
                        " (the PEs of a node must run as the same user and see the same /proc)");
    }
    const open_file file(descriptor);
    const file_identity found = identify(descriptor);
    if (!is_nameless_file(descriptor) || found.number != handle.which || found.bytes < bytes) {
      throw memory_gone("the memory behind " + path + " is gone: the number leads to another file");
    }
    return std::make_unique<mapped_file>(mapping::of_file(descriptor, bytes));
  }
};

}  // namespace

std::unique_ptr<memory_source> make_process_memory() {
  return std::make_unique<process_memory>();
}

int create_nameless_file(std::size_t bytes) {
  const std::string what = "cannot create a memory file of " + std::to_string(bytes) + " bytes";
  const int descriptor = memfd_create("boxcar", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) refuse(what);
  if (set_size(descriptor, std::max<std::size_t>(bytes, 1)) != 0 ||
      fcntl(descriptor, F_ADD_SEALS, size_seals | F_SEAL_SEAL) != 0) {
    const int reason = errno;
    close(descriptor);
    errno = reason;
    refuse(what);
  }
  return descriptor;
}

bool is_nameless_file(int descriptor) {
  const int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & size_seals) == size_seals;
}

}  // namespace boxcar::detail
