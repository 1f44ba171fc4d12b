// The path of a PE's output, from the PE's pipe to a standard stream of the launcher.
#pragma once

#include <string>

#include "launcher/descriptor.hpp"
#include "launcher/line_output.hpp"
#include "launcher/line_splitter.hpp"

namespace boxcar::launcher {

class line_stream {
 public:
  // `writer` distinguishes the stream from other streams with the same output.
  line_stream(descriptor from, std::string label, line_output& to, int writer)
      : from_(std::move(from)), splitter_(std::move(label)), to_(&to), writer_(writer) {}

  [[nodiscard]] bool is_open() const { return from_.is_open(); }
  // Returns the descriptor to watch for input, or -1 while reading is useless.
  [[nodiscard]] int descriptor_to_watch() const { return to_->is_behind() ? -1 : from_.number(); }

  // Passes on the available text, until the output is behind. Closes the stream when the last
  // writer has closed the pipe; or, if all writers are known to be gone, when the pipe is empty.
  void forward(bool writers_are_gone);

 private:
  void finish();

  descriptor from_;
  line_splitter splitter_;
  line_output* to_;
  int writer_;
};

}  // namespace boxcar::launcher
