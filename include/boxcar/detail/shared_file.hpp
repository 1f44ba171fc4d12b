// A shared file is a file that all PEs of a world write, or read, together: each PE accesses ranges
// of bytes of its own. Containers are saved in shared files, and loaded on any number of PEs. All
// nodes reach the file by the same name.
//
// A header precedes the data, and says which container the file holds, of which elements, and the
// checksum of the data. A file is written under another name, with ".unfinished" behind the name,
// and gets its name when the data of all PEs are on the disk: an interrupted program leaves a
// former file as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <boxcar/detail/type_identity.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

struct file_contents {
  std::string_view container;  // "bag"; at most 31 characters
  type_identity element;
  std::uint64_t element_bytes = 0;  // 0: elements are records (detail/record_file.hpp)
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;   // of the data behind the header
  std::uint64_t blocks = 0;  // of records
};

class shared_file {
 public:
  // Collective. Creates a file with room for the contents. Throws argument_error on all PEs if
  // their names of the file differ, system_error if the file cannot be created. Precondition: all
  // PEs give the same contents.
  [[nodiscard]] static shared_file create(const world& w, const std::string& name,
                                          const file_contents& contents);
  // Collective. Opens a file of the container and the elements in `expected`; the numbers of
  // elements and bytes there do not count. Throws on all PEs argument_error if the file holds
  // something else, or is not as long as its header claims; system_error if the file cannot be
  // read.
  [[nodiscard]] static shared_file open(const world& w, const std::string& name,
                                        const file_contents& expected);

  shared_file(shared_file&& other) noexcept;
  shared_file& operator=(shared_file&&) = delete;
  // Removes a created file, unless the file was closed.
  ~shared_file();

  [[nodiscard]] std::uint64_t elements() const { return elements_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }

  // Local. The functions access a range of the data, and keep the first problem for `close`; after
  // a problem they do nothing. `read` returns whether the bytes have been read.
  void write(std::uint64_t offset, std::span<const std::byte> from);
  bool read(std::uint64_t offset, std::span<std::byte> into);
  // Keeps a problem of the data themselves for `close`.
  void object(std::string problem);

  // Collective. Ends the access. Throws on all PEs if a PE has kept a problem: system_error if the
  // operating system refused, argument_error if the data are wrong. Precondition: each byte of the
  // data has been written, or read, once by one PE.
  void close();

 private:
  shared_file(const world& w, const std::string& name, std::string subject, bool is_new);

  [[nodiscard]] std::string path() const { return is_new_ ? name_ + ".unfinished" : name_; }
  // Opens the file on the PE; keeps a problem.
  void ensure_open(int flags);
  void close_descriptor();
  // Writes the checksum of all PEs into the header of a new file, or compares the checksum with the
  // header. Collective.
  void settle_checksum();
  // Brings what the PEs of the node have written to the disk; the first PE of the node does so for
  // all. Precondition: the PEs of the node have written.
  void bring_to_disk();
  // Gives a complete file its name, on PE 0.
  void publish();
  // Creates the file with its header; on PE 0.
  void create_with_header(const file_contents& contents);
  // Throws Error on all PEs if a PE has a problem.
  template <typename Error>
  void require_none(const std::string& problem) const;
  // Keeps a problem of the operating system, by its number.
  void refused(const std::string& operation, int error);

  world world_;
  std::string name_;
  std::string subject_;  // the function of the program, for errors
  bool is_new_;
  bool is_created_ = false;  // on PE 0: there is an unfinished file to remove
  int descriptor_ = -1;
  std::uint64_t elements_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t checksum_ = 0;           // of the data that the PE has accessed
  std::uint64_t expected_checksum_ = 0;  // of all data, by the header
  std::string refusal_;                  // the first refusal of the operating system, or empty
  std::string problem_;                  // the first problem of the data, or empty
};

}  // namespace boxcar::detail
