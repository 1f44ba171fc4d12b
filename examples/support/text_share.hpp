// Reads one PE's share of a text file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace examples {

// Returns share number `index` of `of` shares of about equal length: whole pieces of text, parted
// by any of the characters `separators`. Every piece is in exactly one share. Throws input_error if
// the file cannot be read. The first `head_bytes` bytes of the file, which end with a separator,
// are in no share.
std::string read_share(const std::string& path, std::uint64_t index, std::uint64_t of,
                       std::string_view separators, std::uint64_t head_bytes = 0);

}  // namespace examples
