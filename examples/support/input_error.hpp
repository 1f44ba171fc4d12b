// What is wrong with a file that an example was given. The message names the file and says what to
// do.
#pragma once

#include <stdexcept>

namespace examples {

class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace examples
