// The way of one PE's output, from its pipe to a standard stream of the launcher.
#pragma once

#include <string>

#include "launcher/descriptor.hpp"
#include "launcher/line_output.hpp"
#include "launcher/line_splitter.hpp"

namespace boxcar::launcher {

class line_stream {
 public:
  // `writer` tells this stream from others that lead to the same output.
  line_stream(descriptor from, std::string label, line_output& to, int writer)
      : from_(std::move(from)), splitter_(std::move(label)), to_(&to), writer_(writer) {}

  [[nodiscard]] bool is_open() const { return from_.is_open(); }
  // What to watch for input, or -1 while there is no use in reading.
  [[nodiscard]] int descriptor_to_watch() const { return to_->is_behind() ? -1 : from_.number(); }

  // Passes on what there is to read, until the output is behind. Closes itself when the last writer
  // has closed the pipe; or, if all writers are known to be gone, when there is nothing more.
  void forward(bool writers_are_gone);

 private:
  void finish();

  descriptor from_;
  line_splitter splitter_;
  line_output* to_;
  int writer_;
};

}  // namespace boxcar::launcher
