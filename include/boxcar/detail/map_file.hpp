// The files in which a distributed map is saved: a folder with one file for each PE. A file has a
// header and blocks of entries; each block begins with its size, the number of entries and a hash
// of the bytes. Sizes that a file claims are compared with the size of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

namespace boxcar::detail {

// The identity of a save: the same in all files of a folder.
struct saved_map {
  std::uint32_t parts = 0;
  std::uint64_t number = 0;  // random
  std::string types;
  std::uint64_t types_hash = 0;
};

class map_file {
 public:
  // Entries are written, and read, in blocks of about so many bytes.
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;

  // Opens a new file, which gets its name in `publish`. Throws system_error.
  map_file(std::string folder, std::uint32_t part, const saved_map& map);
  // Opens a file to read. Throws system_error, and argument_error if the file is damaged.
  map_file(std::string folder, std::uint32_t part);

  // Throws argument_error if the file does not belong to the saved map.
  void require(const saved_map& map, std::uint32_t part) const;
  [[nodiscard]] const saved_map& map() const { return map_; }

  void write_block(std::span<const std::byte> entries, std::uint64_t count);
  // Writes the number of all entries, and closes the file.
  void close();
  // Gives the file its name.
  void publish() const;

  // Reads the next block; returns the number of entries, 0 at the end of the file.
  std::uint64_t read_block(std::vector<std::byte>& entries);

 private:
  struct closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  void write(const void* data, std::size_t bytes);
  void read(void* data, std::size_t bytes);
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::string path_;
  std::unique_ptr<std::FILE, closer> file_;
  saved_map map_;
  std::uint32_t part_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t left_ = 0;  // bytes to read
};

// Calls `action` on each PE, and throws its exception of class boxcar::error on all PEs: as
// argument_error or system_error, as on the PE with the lowest rank that has one. Collective.
void agree_on_success(world& w, const std::function<void()>& action);

// Returns the identity of a new save. Collective.
saved_map new_saved_map(world& w, std::string types, std::uint64_t types_hash);

}  // namespace boxcar::detail
