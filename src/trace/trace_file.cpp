#include "trace/trace_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "trace/trace_text.hpp"

namespace boxcar::detail {
namespace {

constexpr std::string_view first_line_begins = R"([
{"name":"boxcar_trace","ph":"M","pid":0,"tid":0,"args":{"format":1,)";
constexpr std::string_view end_of_array = "\n]\n";
// An upper bound of the length of a line.
constexpr off_t longest_line = 8192;

// The time for which a PE waits for the lock of a trace after the last change of the file. The PEs
// of a job change the file whenever they hold the lock.
constexpr std::chrono::seconds lock_patience(5);

// Returns a number equal for all processes of a machine, in any container.
std::string machine_number() {
  std::string number;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> number;
  return number;
}

template <typename Clock>
std::int64_t nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw system_error("cannot write the trace " + path + ": " + why +
                     "; let BOXCAR_TRACE name a new file or an earlier trace, or unset it");
}

// A file that is open and locked.
class locked_file {
 public:
  // `more`: flags of open beside O_RDWR.
  locked_file(const std::string& path, int more)
      : path_(path),
        file_(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | more, 0666)) {
    if (file_ < 0 && errno == ELOOP && std::filesystem::is_symlink(path_)) {
      refuse(path_, "it is a symbolic link, which a trace does not follow");
    }
    if (file_ < 0) fail();
    struct stat status {};
    if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
      close(file_);
      refuse(path_, "it is no plain file");
    }
    if (wait_for_lock()) return;
    const int problem = errno;
    close(file_);
    if (problem == EWOULDBLOCK) {
      refuse(path_, "another program has it locked, and does not write to it");
    }
    const std::string why = std::strerror(problem);
    refuse(path_, "it cannot be locked (" + why +
                      "), so the PEs cannot share it: on such file systems give each node a file "
                      "of its own, in /tmp for instance");
  }
  locked_file(const locked_file&) = delete;
  locked_file& operator=(const locked_file&) = delete;
  ~locked_file() { close(file_); }

  [[nodiscard]] off_t size() const { return lseek(file_, 0, SEEK_END); }
  [[nodiscard]] std::string read(off_t at, off_t most) const {
    std::string text(static_cast<std::size_t>(most), '\0');
    const ssize_t bytes = pread(file_, text.data(), text.size(), at);
    text.resize(bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
    return text;
  }
  void cut(off_t size) const {
    if (ftruncate(file_, size) != 0) fail();
  }
  void write(off_t at, std::string_view text) const {
    while (!text.empty()) {
      const ssize_t bytes = pwrite(file_, text.data(), text.size(), at);
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes <= 0) fail();
      at += bytes;
      text.remove_prefix(static_cast<std::size_t>(bytes));
    }
  }

 private:
  [[noreturn]] void fail() const { refuse(path_, std::strerror(errno)); }

  // Returns whether the file is locked now. errno is EWOULDBLOCK if another program keeps the lock.
  [[nodiscard]] bool wait_for_lock() const {
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds max_pause(20);
    std::chrono::milliseconds pause(1);
    off_t seen = size();
    auto deadline = clock::now() + lock_patience;
    while (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) return false;
      if (const off_t now = size(); now != seen) {
        seen = now;
        deadline = clock::now() + lock_patience;
      }
      if (clock::now() >= deadline) {
        errno = EWOULDBLOCK;
        return false;
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, max_pause);
    }
    return true;
  }

  const std::string& path_;
  int file_;
};

// The content of the first line.
struct beginning_of_file {
  std::uint64_t job;
  std::string machine;
  std::int64_t calendar;
  std::int64_t clock;
};

std::string first_line(const beginning_of_file& b) {
  std::string text(first_line_begins);
  append(text, R"("boxcar":)", json_text(version), R"(,"job":")", b.job, R"(","machine":)",
         json_text(b.machine), R"(,"calendar":)", b.calendar, R"(,"clock":)", b.clock, "}}");
  return text;
}

std::string_view value_behind(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + name.size());
  return line.substr(0, line.find_first_of("\",}"));
}

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size();
}

// Returns the content of the first line; nothing if the file does not begin like a trace.
std::optional<beginning_of_file> beginning_in(const locked_file& file) {
  const std::string text = file.read(0, longest_line);
  if (!text.starts_with(first_line_begins)) return std::nullopt;
  const std::string_view line = std::string_view(text).substr(0, text.find('\n', 2));
  beginning_of_file b{};
  b.machine = value_behind(line, "\"machine\":\"");
  if (!read_number(value_behind(line, "\"job\":\""), b.job) ||
      !read_number(value_behind(line, "\"calendar\":"), b.calendar) || b.calendar < 0 ||
      !read_number(value_behind(line, "\"clock\":"), b.clock) || b.clock < 0) {
    return std::nullopt;
  }
  return b;
}

// Returns the end of the last whole object. A killed PE may have left half a line.
off_t end_of_objects(const locked_file& file) {
  const off_t size = file.size();
  const off_t from = std::max<off_t>(size - 2 * longest_line, 0);
  const std::string text = file.read(from, size - from);
  const std::size_t at = std::max(text.rfind("},\n") + 1, text.rfind("}\n") + 1);
  // (Without a match rfind returns npos, and npos + 1 is 0.)
  return at == 0 ? size : from + static_cast<off_t>(at);
}

// The trace files begun or joined by this process, with the job of each file: the records of later
// jobs are appended.
class files_here {
 public:
  static files_here& instance() {
    static auto* const one = new files_here;  // never destroyed: worlds may have static storage
    return *one;
  }
  // Returns the job of the file: `job` for a new file.
  std::uint64_t job_of(const std::string& path, std::uint64_t job) {
    const std::lock_guard lock(guard_);
    return jobs_.try_emplace(path, job).first->second;
  }

 private:
  std::mutex guard_;
  std::map<std::string, std::uint64_t> jobs_;
};

}  // namespace

trace_file::trace_file(const std::string& path, std::uint64_t job)
    : path_(std::filesystem::absolute(path).string()),
      job_(files_here::instance().job_of(path_, job)) {
  const locked_file file(path_, O_CREAT);
  const std::string here = machine_number();
  std::optional<beginning_of_file> b = beginning_in(file);
  if (!b && file.size() != 0) {
    refuse(path_, "it is not a trace of Boxcar, and its contents would be lost: name another file");
  }
  if (!b || b->job != job_) {
    b = {job_, here, nanoseconds<std::chrono::system_clock>(),
         nanoseconds<std::chrono::steady_clock>()};
    file.cut(0);
    file.write(0, first_line(*b) + std::string(end_of_array));
  }
  beginning_ = b->machine == here ? b->clock
                                  : nanoseconds<std::chrono::steady_clock>() -
                                        (nanoseconds<std::chrono::system_clock>() - b->calendar);
}

void trace_file::add(const std::function<void(const sink&)>& pour) const {
  const locked_file file(path_, 0);
  const auto b = beginning_in(file);
  if (!b || b->job != job_) {
    refuse(path_, "another job has begun to write it, or somebody has changed or removed it");
  }
  off_t at = end_of_objects(file);
  file.cut(at);
  const auto write = [&](std::string_view text) {
    file.write(at, text);
    at += static_cast<off_t>(text.size());
  };
  write(",\n");
  pour(write);
  write(end_of_array);
}

}  // namespace boxcar::detail
