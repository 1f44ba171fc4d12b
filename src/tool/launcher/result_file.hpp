// A file without a name that carries a result from a PE to the process that has started the PE.
#pragma once

#include <string>

#include "launcher/descriptor.hpp"

namespace boxcar::launcher {

class result_file {
 public:
  // Functions throw system_error.
  result_file();

  // Called by one PE, once.
  void write(const std::string& text) const;
  [[nodiscard]] std::string read() const;

 private:
  descriptor file_;
};

}  // namespace boxcar::launcher
