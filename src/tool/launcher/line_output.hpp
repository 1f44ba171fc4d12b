// A standard stream of the launcher, shared by the lines of all PEs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace boxcar::launcher {

// Writes never block, so that a slow reader cannot keep the launcher from ending PEs.
class line_output {
 public:
  explicit line_output(int descriptor);

  [[nodiscard]] int descriptor() const { return descriptor_; }

  // Adds whole lines of a writer, or a part of a line, and writes as much as there is room for. If
  // another writer has left a line open, the open line is ended first.
  void put(int writer, std::string_view text);
  void write_what_fits();
  // Returns whether text is left to write. Callers should not add more text then.
  [[nodiscard]] bool is_behind() const { return !pending_.empty(); }
  void drop_pending() { pending_.clear(); }

  // Returns why writing has failed (an errno), or 0. After a failure `put` has no effect.
  [[nodiscard]] int failure() const { return failure_; }

 private:
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::size_t next_piece_of(std::string_view text) const;

  int descriptor_;
  bool takes_everything_;  // a file: no write blocks
  std::string pending_;
  bool line_is_open_ = false;
  int last_writer_ = -1;
  int failure_ = 0;
};

}  // namespace boxcar::launcher
