// The implementation of shared_file: the header of a file, the checks of what the header claims,
// and the transfer of bytes.
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <boxcar/detail/record_file.hpp>
#include <boxcar/detail/shared_file.hpp>
#include <boxcar/error.hpp>
#include <boxcar/key_hash.hpp>

#include "substrate/agreement.hpp"

namespace boxcar::detail {
namespace {

constexpr std::array<char, 8> magic{'b', 'o', 'x', 'c', 'a', 'r', '\x1a', '\n'};
constexpr std::uint32_t format_version = 2;

// The beginning of a file. The data lie behind, on a boundary of 512 bytes.
struct file_header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::uint64_t type;  // the hash of the identity of the elements' type
  std::uint64_t element_bytes;
  std::uint64_t elements;
  std::uint64_t bytes;
  std::uint64_t blocks;
  std::uint64_t checksum;  // of the data
  std::array<char, 32> container;
  std::array<char, 416> type_name;
};
static_assert(sizeof(file_header) == 512);

template <std::size_t N>
void set_text(std::array<char, N>& to, std::string_view text) {
  text.copy(to.data(), N - 1);  // zeros follow
}

// Returns a text of a file, with a question mark for each character that could harm a terminal.
template <std::size_t N>
std::string text_in(const std::array<char, N>& from) {
  std::string text(from.begin(), std::find(from.begin(), from.end(), '\0'));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

file_header header_of(const file_contents& contents) {
  file_header h{magic,
                format_version,
                sizeof(file_header),
                contents.element.hash,
                contents.element_bytes,
                contents.elements,
                contents.bytes,
                contents.blocks,
                0,
                {},
                {}};
  set_text(h.container, contents.container);
  set_text(h.type_name, contents.element.name);
  return h;
}

// Returns whether the header claims a number of records that its blocks may have. (A record may
// have no bytes.)
bool fits_blocks(const file_header& h) {
  const std::uint64_t least_blocks =
      h.elements / max_records_per_block + (h.elements % max_records_per_block == 0 ? 0 : 1);
  return h.blocks >= least_blocks && h.blocks <= h.elements &&
         h.blocks <= h.bytes / sizeof(record_block);
}

// Returns why a file of `file_bytes` bytes does not hold what is expected, or an empty text.
std::string problem_of(const file_header& h, std::uint64_t file_bytes,
                       const file_contents& expected) {
  if (file_bytes < sizeof h || h.magic != magic) {
    return "the file is not one that a container of Boxcar has saved, or was cut short: it has " +
           std::to_string(file_bytes) + " bytes";
  }
  if (h.version != format_version || h.header_bytes != sizeof h) {
    return "the file has version " + std::to_string(h.version) +
           " of the format, and this Boxcar reads version " + std::to_string(format_version) +
           ": save it again by this Boxcar";
  }
  const std::string container = text_in(h.container);
  if (container != expected.container) {
    return "the file holds a " + container + ", not a " + std::string(expected.container) +
           ": load it as a " + container;
  }
  if (h.type != expected.element.hash || h.element_bytes != expected.element_bytes) {
    return "the file holds elements of type " + text_in(h.type_name) + " (" +
           std::to_string(h.element_bytes) + " bytes), not " + std::string(expected.element.name) +
           " (" + std::to_string(expected.element_bytes) + " bytes): load it with that type";
  }
  const std::uint64_t data_bytes = file_bytes - sizeof h;
  if (h.bytes != data_bytes) {
    return "the file claims " + std::to_string(h.bytes) + " bytes of data, and has " +
           std::to_string(data_bytes) + ": it was cut short or changed; save it again";
  }
  const bool are_records = expected.element_bytes == 0;
  const bool fits = are_records ? fits_blocks(h)
                                : h.bytes % expected.element_bytes == 0 && h.blocks == 0 &&
                                      h.elements == h.bytes / expected.element_bytes;
  if (!fits) {
    return "the file claims " + std::to_string(h.elements) + " elements in " +
           std::to_string(h.bytes) + " bytes of data: it was changed; save it again";
  }
  return "";
}

// Returns the checksum of bytes at an offset of the data: the sum of all words of 8 bytes, each
// times an odd number that depends on the position. The checksum of the data is the sum of the
// checksums of its ranges, wherever the ranges begin and end, and each change of one word changes
// the checksum.
std::uint64_t checksum_of(std::span<const std::byte> bytes, std::uint64_t offset) {
  std::uint64_t sum = 0;
  while (!bytes.empty()) {
    const std::size_t skipped = offset % sizeof sum;
    const std::size_t length = std::min(sizeof sum - skipped, bytes.size());
    std::array<std::byte, sizeof sum> word{};
    std::copy_n(bytes.begin(), length, word.begin() + static_cast<std::ptrdiff_t>(skipped));
    sum += std::bit_cast<std::uint64_t>(word) * (mix_bits(offset / sizeof sum) | 1);
    bytes = bytes.subspan(length);
    offset += length;
  }
  return sum;
}

std::string text_of(int error) {
  return std::generic_category().message(error);
}

// Calls pread or pwrite until all bytes are transferred. Returns 0 or the number of an error, -1 if
// the file ends too early.
template <typename Byte, typename Access>
int transfer(const Access& access, int descriptor, std::span<Byte> bytes, std::uint64_t offset) {
  constexpr std::size_t most_at_once = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t done = access(descriptor, bytes.data(), std::min(bytes.size(), most_at_once),
                                static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    if (done == 0) return -1;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    offset += static_cast<std::uint64_t>(done);
  }
  return 0;
}

// Returns the name of the file to which a symbolic link leads, which need not exist; other names as
// given.
std::string behind_links(const std::string& name) {
  constexpr int most_links = 40;  // as the system follows
  std::filesystem::path found(name);
  std::error_code problem;
  for (int i = 0; i != most_links && std::filesystem::is_symlink(found, problem); ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(found, problem);
    if (problem) break;
    found = found.parent_path() / next;
  }
  return found.string();
}

}  // namespace

shared_file::shared_file(const world& w, const std::string& name, std::string subject, bool is_new)
    : world_(world::another_handle_of(w.substrate())),
      name_(name),
      subject_(std::move(subject)),
      is_new_(is_new) {
  agreement same;
  if (name.empty()) same.object("the name of the file is empty: give a name");
  same.on("name of the file", name);
  same.require(*w.substrate(), subject_, "the file's");
}

shared_file::shared_file(shared_file&& other) noexcept
    : world_(std::move(other.world_)),
      name_(std::move(other.name_)),
      subject_(std::move(other.subject_)),
      is_new_(other.is_new_),
      is_created_(std::exchange(other.is_created_, false)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      elements_(other.elements_),
      bytes_(other.bytes_),
      blocks_(other.blocks_),
      checksum_(other.checksum_),
      expected_checksum_(other.expected_checksum_),
      refusal_(std::move(other.refusal_)),
      problem_(std::move(other.problem_)) {}

shared_file::~shared_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (is_created_) ::unlink(path().c_str());
}

shared_file shared_file::create(const world& w, const std::string& name,
                                const file_contents& contents) {
  shared_file f(w, name, "saving a " + std::string(contents.container) + " in " + name, true);
  f.elements_ = contents.elements;
  f.bytes_ = contents.bytes;
  f.blocks_ = contents.blocks;
  // Renaming would replace a link.
  f.name_ = behind_links(name);
  if (w.rank() == 0) f.create_with_header(contents);
  f.require_none<system_error>(f.refusal_);  // the file is there before other PEs open it
  return f;
}

shared_file shared_file::open(const world& w, const std::string& name,
                              const file_contents& expected) {
  shared_file f(w, name, "loading a " + std::string(expected.container) + " from " + name, false);
  struct beginning {
    file_header header;
    std::uint64_t file_bytes;
  };
  beginning b{};
  if (w.rank() == 0) {
    f.ensure_open(O_RDONLY);
    struct stat status {};
    if (f.descriptor_ >= 0 && ::fstat(f.descriptor_, &status) != 0) f.refused("stat", errno);
    if (f.refusal_.empty() && !S_ISREG(status.st_mode)) {
      f.refusal_ = "the name is not that of a regular file: give the name of a saved file";
    }
    if (f.refusal_.empty()) {
      b.file_bytes = static_cast<std::uint64_t>(status.st_size);
      const auto head = std::as_writable_bytes(std::span(&b.header, 1));
      const int error = transfer(::pread, f.descriptor_,
                                 head.first(std::min<std::size_t>(b.file_bytes, head.size())), 0);
      if (error != 0) f.refused("reading the header", error);
    }
  }
  f.require_none<system_error>(f.refusal_);
  b = f.world_.broadcast(b);
  const std::string problem = problem_of(b.header, b.file_bytes, expected);
  if (!problem.empty()) throw argument_error(f.subject_ + ": " + problem);
  f.elements_ = b.header.elements;
  f.bytes_ = b.header.bytes;
  f.blocks_ = b.header.blocks;
  f.expected_checksum_ = b.header.checksum;
  return f;
}

void shared_file::write(std::uint64_t offset, std::span<const std::byte> from) {
  if (from.empty()) return;
  ensure_open(O_WRONLY);
  if (!refusal_.empty()) return;
  const int error = transfer(::pwrite, descriptor_, from, sizeof(file_header) + offset);
  if (error != 0) return refused("writing " + std::to_string(from.size()) + " bytes", error);
  checksum_ += checksum_of(from, offset);
}

bool shared_file::read(std::uint64_t offset, std::span<std::byte> into) {
  if (into.empty()) return refusal_.empty();
  ensure_open(O_RDONLY);
  if (!refusal_.empty()) return false;
  const int error = transfer(::pread, descriptor_, into, sizeof(file_header) + offset);
  if (error != 0) {
    refused("reading " + std::to_string(into.size()) + " bytes", error);
    return false;
  }
  checksum_ += checksum_of(into, offset);
  return true;
}

void shared_file::object(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

void shared_file::close() {
  if (!is_new_) close_descriptor();
  require_none<system_error>(refusal_);
  require_none<argument_error>(problem_);
  settle_checksum();
  if (is_new_) bring_to_disk();
  close_descriptor();
  require_none<system_error>(refusal_);
  require_none<argument_error>(problem_);
  if (is_created_) publish();
  if (is_new_) require_none<system_error>(refusal_);
}

void shared_file::settle_checksum() {
  const std::uint64_t sum = world_.reduce(checksum_);
  if (!is_new_) {
    if (sum != expected_checksum_) {
      object(
          "the data do not have the checksum in the header: the file was changed; save it again");
    }
  } else if (is_created_) {
    const int error = transfer(::pwrite, descriptor_, std::as_bytes(std::span(&sum, 1)),
                               offsetof(file_header, checksum));
    if (error != 0) refused("writing the checksum", error);
  }
}

void shared_file::bring_to_disk() {
  if (world_.local_rank() != 0) return;
  ensure_open(O_WRONLY);
  if (descriptor_ >= 0 && ::fsync(descriptor_) != 0) {
    refused("bringing the file to the disk", errno);
  }
}

void shared_file::publish() {
  if (std::rename(path().c_str(), name_.c_str()) != 0) {
    return refused("giving the file its name", errno);
  }
  is_created_ = false;
  // The new name is on the disk when the folder is.
  const std::size_t slash = name_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : name_.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // some file systems cannot
  ::close(descriptor);
}

void shared_file::ensure_open(int flags) {
  if (descriptor_ >= 0 || !refusal_.empty()) return;
  // (Without a wait for the other end of what turns out to be a pipe.)
  descriptor_ = ::open(path().c_str(), flags | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    const int error = errno;
    refused("opening the file", error);
    if (error == ENOENT && world_.nodes() > 1) {
      refusal_ += " (the name must lead to the same file on all nodes)";
    }
  }
}

void shared_file::close_descriptor() {
  // Some file systems report here that a write has failed.
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor >= 0 && ::close(descriptor) != 0 && is_new_) refused("closing the file", errno);
}

void shared_file::create_with_header(const file_contents& contents) {
  struct stat status {};
  if (::stat(name_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    refusal_ = "the name is not that of a regular file: give another name";
    return;
  }
  constexpr mode_t read_and_write = 0666;  // as far as the program's mask allows
  descriptor_ =
      ::open(path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, read_and_write);
  if (descriptor_ < 0) return refused("creating " + path(), errno);
  is_created_ = true;
  const file_header h = header_of(contents);
  const int error =
      transfer(::pwrite, descriptor_, std::as_bytes(std::span(&h, 1)), std::uint64_t{0});
  if (error != 0) return refused("writing the header", error);
  if (::ftruncate(descriptor_, static_cast<off_t>(sizeof h + contents.bytes)) != 0) {
    refused("making a file of " + std::to_string(sizeof h + contents.bytes) + " bytes", errno);
  }
}

template <typename Error>
void shared_file::require_none(const std::string& problem) const {
  agreement all;
  if (!problem.empty()) all.object(problem);
  const std::optional<objection> found = all.reach(*world_.substrate());
  if (found) throw Error(found->text(subject_, "file"));
}

void shared_file::refused(const std::string& operation, int error) {
  if (!refusal_.empty()) return;
  refusal_ = operation + ": " +
             (error < 0 ? "the file ends too early: it was changed meanwhile" : text_of(error));
}

}  // namespace boxcar::detail
