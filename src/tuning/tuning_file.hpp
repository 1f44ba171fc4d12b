// The tuning file: settings found by tuning, in a text that people can read and edit
// (docs/tuning.md). Each sort of conveyor or stream, and amount of items, has a line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxcar::detail {

// The key of a record: a setting applies where the whole key is equal.
struct tuning_key {
  std::string what;       // "conveyor", "elastic", "biconveyor", "stream" or "arrays"
  std::string substrate;  // name of the substrate
  int pes = 1;
  int pes_per_node = 1;  // 0: nodes differ
  std::size_t item_bytes = 1;
  std::string options;  // the options that matter, without blanks

  friend bool operator==(const tuning_key&, const tuning_key&) = default;
};

struct tuning_record {
  tuning_key key;
  int magnitude = 0;  // about 10 to this power items are sent by a PE in a session
  std::string way;    // without blanks
  std::size_t buffer_bytes = 0;
  double gain = 1;  // how many times as long a session takes without tuning
  int steps = 0;    // of the search
};

// Returns the text as a word of the file, without blanks.
std::string without_blanks(std::string_view text);
// Returns the exponent of the power of ten below `items`.
int magnitude_of(double items);

// The content of a file, line by line: the lines of other writers are kept.
class tuning_file {
 public:
  tuning_file() = default;
  // Parses `text`; `name` is the name of the file. Throws argument_error that names the line and
  // the allowed values. Lines of another version of Boxcar are kept without parsing.
  tuning_file(std::string_view text, const std::string& name);

  // Returns the content of the file; a missing file counts as empty. Throws argument_error if the
  // file cannot be read.
  static tuning_file read(const std::string& name);

  [[nodiscard]] std::vector<tuning_record> records_of(const tuning_key& key) const;
  // Adds the record; replaces a record with the same key and magnitude.
  void put(const tuning_record& record);
  [[nodiscard]] std::string text() const;

  // Replaces the file at once: a reader finds either the old content or the new content. Throws
  // system_error.
  void write(const std::string& name) const;

  // Reads the file, puts a record into it, and writes the file; the threads of a program take
  // turns.
  static void add(const std::string& name, const tuning_record& record);

 private:
  struct line {
    std::string text;
    std::optional<tuning_record> record;  // none: a comment, or a line of another version
  };
  std::vector<line> lines_;
};

}  // namespace boxcar::detail
