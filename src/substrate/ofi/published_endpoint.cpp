#include "substrate/ofi/published_endpoint.hpp"

#include <utility>

namespace boxcar::detail::ofi {

std::string text_of(const published_endpoint& e) {
  return e.version + '\n' + e.provider + '\n' + e.machine + '\n' + e.secret + '\n' + e.address;
}

published_endpoint endpoint_from(std::string text) {
  const auto take_line = [&text] {
    const std::size_t end = text.find('\n');
    std::string line = text.substr(0, end);
    text.erase(0, end == std::string::npos ? end : end + 1);
    return line;
  };
  published_endpoint e;
  e.version = take_line();
  e.provider = take_line();
  e.machine = take_line();
  e.secret = take_line();
  e.address = std::move(text);
  return e;
}

}  // namespace boxcar::detail::ofi
