// What tuning has found, in a file that people can read and edit (docs/tuning.md): a line for each
// sort of conveyor or stream, and amount of items.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxcar::detail {

// For what something was found: it is used where all of this is the same.
struct tuning_key {
  std::string what;       // "conveyor", "elastic", "biconveyor", "stream" or "arrays"
  std::string substrate;  // its name
  int pes = 1;
  int pes_per_node = 1;  // 0: they differ
  std::size_t item_bytes = 1;
  std::string options;  // of those that matter, without blanks

  friend bool operator==(const tuning_key&, const tuning_key&) = default;
};

struct tuning_record {
  tuning_key key;
  int magnitude = 0;  // about 10 to this power items are sent by a PE in a session
  std::string way;    // without blanks
  std::size_t buffer_bytes = 0;
  double gain = 1;  // how many times as long a session takes without tuning
  int steps = 0;    // it took to find
};

// As it stands in a file: words without blanks.
std::string without_blanks(std::string_view text);
// The power of ten below so many.
int magnitude_of(double items);

// What a file holds, line by line: nothing is lost of what others have written.
class tuning_file {
 public:
  tuning_file() = default;
  // Throws argument_error that names the line and what is allowed. `name`: of the file. A line of
  // another version of Boxcar is kept and not looked at.
  tuning_file(std::string_view text, const std::string& name);

  // Throws argument_error if the file cannot be read; nothing is in one that does not exist.
  static tuning_file read(const std::string& name);

  [[nodiscard]] std::vector<tuning_record> records_of(const tuning_key& key) const;
  // In the place of what was found for the same.
  void put(const tuning_record& record);
  [[nodiscard]] std::string text() const;

  // Whoever reads the file finds either what it held before or all of this. Throws system_error.
  void write(const std::string& name) const;

  // Reads the file, puts a record into it, and writes it; of the threads of a program one at a
  // time.
  static void add(const std::string& name, const tuning_record& record);

 private:
  struct line {
    std::string text;
    std::optional<tuning_record> record;  // none: a remark, or of another version
  };
  std::vector<line> lines_;
};

}  // namespace boxcar::detail
