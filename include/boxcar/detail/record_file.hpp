// The records of a container in a shared file: values of any size, which a serializer writes. Any
// number of PEs divides the records among them.
//
// Records lie in blocks of about 1 MiB, and of 2^20 records at most (a record may have no bytes). A
// table of all blocks precedes the blocks, and has the number of bytes, the number of records and a
// hash of each block: no bytes that were changed reach a serializer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/detail/shared_file.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/error.hpp>
#include <boxcar/serializer.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// The entry of a block in the table.
struct record_block {
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
  std::uint64_t hash = 0;

  // Returns the entry of a block with the bytes.
  [[nodiscard]] static record_block of(std::span<const std::byte> bytes, std::uint64_t records);
  bool operator==(const record_block&) const = default;
};

inline constexpr std::uint64_t max_records_per_block = std::uint64_t{1} << 20;

// The writer gets the records of a PE twice: once to measure the blocks, because the places of the
// blocks in the file depend on the blocks of all PEs, and once to write them.
class record_writer {
 public:
  using producer = std::function<void(record_writer&)>;

  // Collective. Saves the records that `produce(writer)` adds, the same at each call. Throws as
  // shared_file::create and shared_file::close, and argument_error on all PEs if `produce` throws
  // on one PE.
  static void save(const world& w, const std::string& name, std::string_view container,
                   const type_identity& type, const producer& produce);

  // Adds the record that consists of `parts`.
  template <typename... Parts>
  void add(const Parts&... parts) {
    byte_writer out(block_);
    (out.put(parts), ...);
    ++records_;
    if (block_.size() >= block_bytes || records_ == max_records_per_block) end_block();
  }

  // Adds many records of one plain value each.
  template <plain T>
  void add_all(std::span<const T> values) {
    byte_writer out(block_);
    while (!values.empty()) {
      const std::size_t room = (block_bytes - block_.size() + sizeof(T) - 1) / sizeof(T);
      const auto now = values.first(std::min(values.size(), room));
      out.put_bytes(std::as_bytes(now));
      records_ += now.size();
      values = values.subspan(now.size());
      if (block_.size() >= block_bytes) end_block();
    }
  }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;
  static_assert(block_bytes <= max_records_per_block);  // see add_all

  // Calls `produce`; returns the text of its exception, or an empty text.
  [[nodiscard]] std::string run(const producer& produce);
  void end_block();

  shared_file* file_ = nullptr;  // nullptr: the blocks are measured
  std::uint64_t offset_ = 0;     // of the next block
  std::size_t next_ = 0;         // block to be written
  std::vector<record_block> blocks_;
  std::vector<std::byte> block_;
  std::uint64_t records_ = 0;  // in `block_`
};

// The reader gives each PE a share of the blocks.
class record_reader {
 public:
  // Collective. Throws as shared_file::open.
  record_reader(const world& w, const std::string& name, std::string_view container,
                const type_identity& type);

  // Calls `take(record)` for each record of the PE's share, until there is a problem.
  template <typename Record, typename Take>
  void for_each(const Take& take) {
    for (const record_block& b : blocks_) {
      if (!read(b)) return;
      try {
        byte_reader in(block_, type_.name);
        for (std::uint64_t i = 0; i != b.records; ++i) take(in.get<Record>());
        in.expect_end();
      } catch (const world_error&) {
        throw;
      } catch (const std::exception& e) {
        return file_.object(std::string("a record cannot be loaded: ") + e.what());
      }
    }
  }
  // Keeps a problem of the records for `close`.
  void object(std::string problem) { file_.object(std::move(problem)); }
  // Collective. Throws as shared_file::close.
  void close() { file_.close(); }

 private:
  // Reads the PE's share of the table. Collective.
  void read_table(const world& w);
  // Reads the next block; returns false if there is a problem.
  [[nodiscard]] bool read(const record_block& b);

  type_identity type_;
  shared_file file_;
  std::uint64_t offset_ = 0;  // of the next block of the PE
  std::vector<record_block> blocks_;
  std::vector<std::byte> block_;
};

}  // namespace boxcar::detail
