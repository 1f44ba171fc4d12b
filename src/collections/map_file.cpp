// The format of the files of saved maps, and the checks of what files claim.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include <boxcar/arithmetic.hpp>
#include <boxcar/detail/map_file.hpp>
#include <boxcar/error.hpp>
#include <boxcar/key_hash.hpp>

namespace boxcar::detail {
namespace {

struct file_header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint32_t part;
  std::uint32_t parts;
  std::uint64_t number;
  std::uint64_t types_hash;
  std::uint64_t types_bytes;  // of the text that follows the header
};

struct block_header {
  std::uint64_t bytes;
  std::uint64_t entries;
  std::uint64_t hash;  // of the bytes
};

constexpr std::array<char, 8> magic{'b', 'o', 'x', 'c', 'a', 'r', 'm', 'p'};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;
// The last block has no bytes; its `entries` are the entries of all blocks.
constexpr std::size_t max_types_bytes = 4096;

std::string path_of(const std::string& folder, std::uint32_t part) {
  return folder + "/part-" + std::to_string(part) + ".boxcar";
}

}  // namespace

map_file::map_file(std::string folder, std::uint32_t part, const saved_map& map)
    : path_(path_of(folder, part)), map_(map), part_(part) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  file_.reset(std::fopen((path_ + ".new").c_str(), "wb"));
  if (file_ == nullptr) fail("cannot be written");
  map_.types.resize(std::min(map_.types.size(), max_types_bytes));
  const file_header h{magic,     version,    byte_order,     part,
                      map.parts, map.number, map.types_hash, map_.types.size()};
  write(&h, sizeof h);
  write(map_.types.data(), map_.types.size());
}

map_file::map_file(std::string folder, std::uint32_t part)
    : path_(path_of(folder, part)), part_(part) {
  file_.reset(std::fopen(path_.c_str(), "rb"));
  if (file_ == nullptr) fail("cannot be read");
  std::error_code problem;
  left_ = std::filesystem::file_size(path_, problem);
  if (problem) fail("cannot be read");
  file_header h;
  read(&h, sizeof h);
  if (h.magic != magic) refuse("is no file of a saved map");
  if (h.version != version || h.byte_order != byte_order) {
    refuse("was written by another version of Boxcar, or on a machine with another byte order");
  }
  if (h.part != part || h.types_bytes > max_types_bytes) refuse("is damaged");
  map_ = {h.parts, h.number, {}, h.types_hash};
  if (h.types_bytes > left_) refuse("is too short");
  map_.types.resize(h.types_bytes);
  read(map_.types.data(), map_.types.size());
}

void map_file::require(const saved_map& map, std::uint32_t part) const {
  if (map_.types_hash != map.types_hash || map_.types != map.types) {
    refuse("holds " + map_.types + ", not " + map.types);
  }
  if (map_.number != map.number || map_.parts != map.parts || part_ != part) {
    refuse("belongs to another save than the file of part 0");
  }
}

void map_file::write_block(std::span<const std::byte> entries, std::uint64_t count) {
  if (count == 0) return;
  const block_header h{entries.size(), count, hash_bytes(entries)};
  write(&h, sizeof h);
  write(entries.data(), entries.size());
  entries_ += count;
}

void map_file::close() {
  const block_header h{0, entries_, 0};
  write(&h, sizeof h);
  if (std::fclose(file_.release()) != 0) fail("cannot be written");
}

void map_file::publish() const {
  if (std::rename((path_ + ".new").c_str(), path_.c_str()) != 0) fail("cannot be written");
}

std::uint64_t map_file::read_block(std::vector<std::byte>& entries) {
  block_header h;
  read(&h, sizeof h);
  if (h.bytes == 0) {
    if (h.entries != entries_ || left_ != 0) refuse("is damaged");
    return 0;
  }
  // An entry has one byte at least.
  if (h.bytes > left_ || h.entries == 0 || h.entries > h.bytes) refuse("is too short, or damaged");
  entries.resize(h.bytes);
  read(entries.data(), entries.size());
  if (hash_bytes(entries) != h.hash) refuse("is damaged");
  entries_ += h.entries;
  return h.entries;
}

void map_file::write(const void* data, std::size_t bytes) {
  if (std::fwrite(data, 1, bytes, file_.get()) != bytes) fail("cannot be written");
}

void map_file::read(void* data, std::size_t bytes) {
  if (bytes > left_) refuse("is too short");
  if (std::fread(data, 1, bytes, file_.get()) != bytes) fail("cannot be read");
  left_ -= bytes;
}

void map_file::fail(const std::string& what) const {
  const int number = errno;
  throw boxcar::system_error("the file " + path_ + " of a saved map " + what + ": " +
                             std::generic_category().message(number));
}

void map_file::refuse(const std::string& what) const {
  throw argument_error("the file " + path_ + " " + what);
}

void agree_on_success(world& w, const std::function<void()>& action) {
  std::string problem;
  bool is_argument = false;
  try {
    action();
  } catch (const world_error&) {
    throw;
  } catch (const argument_error& e) {
    problem = e.what();
    is_argument = true;
  } catch (const error& e) {
    problem = e.what();
  }
  const int first = w.reduce(problem.empty() ? w.size() : w.rank(), minimum());
  if (first == w.size()) return;
  is_argument = w.broadcast(is_argument, first);
  const std::string text =
      "PE " + std::to_string(first) + ": " + w.broadcast(std::move(problem), first);
  if (is_argument) throw argument_error(text);
  throw boxcar::system_error(text);
}

saved_map new_saved_map(world& w, std::string types, std::uint64_t types_hash) {
  std::uint64_t number = 0;
  if (w.rank() == 0) {
    std::random_device random;
    number = std::uint64_t{random()} << 32 | random();
  }
  return {static_cast<std::uint32_t>(w.size()), w.broadcast(number), std::move(types), types_hash};
}

}  // namespace boxcar::detail
