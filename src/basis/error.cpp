// Texts of errors, as a terminal can show them.
#include <boxcar/error.hpp>

#include "basis/printable.hpp"

namespace boxcar {

error::error(const std::string& text) : std::runtime_error(detail::printable(text)) {}

}  // namespace boxcar
