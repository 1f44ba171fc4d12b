// The record that a PE publishes: lines of text, followed by the PE's address as raw bytes.
#pragma once

#include <string>

namespace boxcar::detail::ofi {

struct published_endpoint {
  std::string version;
  std::string provider;
  std::string machine;  // empty if the address has a meaning on other machines
  std::string secret;   // in hexadecimal digits
  std::string address;
};

[[nodiscard]] std::string text_of(const published_endpoint& e);
[[nodiscard]] published_endpoint endpoint_from(std::string text);

}  // namespace boxcar::detail::ofi
