#include "support/text_share.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "support/input_error.hpp"

namespace examples {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw input_error(path + " cannot be read: " + std::strerror(errno) +
                    "; give the path of a text file");
}

}  // namespace

std::string read_share(const std::string& path, std::uint64_t index, std::uint64_t of,
                       std::string_view separators, std::uint64_t head_bytes) {
  errno = 0;
  std::error_code problem;
  const std::uint64_t file_bytes = std::filesystem::file_size(path, problem);
  std::ifstream file(path, std::ios::binary);
  if (problem || !file) fail(path);
  const std::uint64_t head = std::min(head_bytes, file_bytes);
  const std::uint64_t size = file_bytes - head;
  const std::uint64_t begin = head + size / of * index + size % of * index / of;
  const std::uint64_t end = head + size / of * (index + 1) + size % of * (index + 1) / of;

  // A piece belongs to the share of its first byte: the text before the first separator, searched
  // from one byte before the share, is the end of an earlier share's piece.
  const std::uint64_t from = begin == head ? head : begin - 1;
  file.seekg(static_cast<std::streamoff>(from));
  std::string text(end - from, '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(text.size())) && !text.empty()) {
    fail(path);
  }
  if (begin != head) {
    const std::size_t first = text.find_first_of(separators);
    if (first == std::string::npos) return {};
    text.erase(0, first + 1);
  }
  const auto is_separator = [&](char c) { return separators.find(c) != std::string_view::npos; };
  if (!text.empty() && !is_separator(text.back())) {
    for (char c; file.get(c) && !is_separator(c);) text += c;
  }
  return text;
}

}  // namespace examples
