// An error in the input file of an example. The message names the file and the remedy.
#pragma once

#include <stdexcept>

namespace examples {

class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace examples
