#include "hosts/message.hpp"

#include <charconv>
#include <cstdint>
#include <sstream>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

namespace boxcar::hosts {
namespace {

constexpr int language = 1;  // incremented when messages change

// The bound is larger than every message, and smaller than the size that text would be parsed as.
constexpr std::uint32_t most_bytes = std::uint32_t{1} << 29;

constexpr std::size_t bytes_of_size = 4;

void append_size(std::string& to, std::size_t size) {
  for (std::size_t i = 0; i < bytes_of_size; ++i) {
    to += static_cast<char>(size >> (8 * i) & 0xff);
  }
}

std::uint32_t size_at(std::string_view bytes) {
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < bytes_of_size; ++i) {
    size |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return size;
}

[[noreturn]] void refuse(const std::string& what) {
  throw system_error("the connection is disturbed: " + what +
                     "; does something else write to the standard output of the agent?");
}

}  // namespace

const std::string& message::field(std::size_t i) const {
  if (i >= fields.size()) refuse("a message is incomplete");
  return fields[i];
}

long long message::number(std::size_t i) const {
  const std::string& text = field(i);
  long long value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || rest != end) refuse(text + " is no number");
  return value;
}

int message::integer(std::size_t i) const {
  const long long value = number(i);
  if (!std::in_range<int>(value)) refuse(field(i) + " is too large a number");
  return static_cast<int>(value);
}

std::string encode(const message& what) {
  std::size_t size = 0;
  for (const std::string& field : what.fields) size += bytes_of_size + field.size();
  if (size > most_bytes) {
    throw system_error("a message of " + std::to_string(size) + " bytes is too long for a host");
  }
  std::string bytes;
  bytes.reserve(1 + bytes_of_size + size);
  bytes += static_cast<char>(what.kind);
  append_size(bytes, size);
  for (const std::string& field : what.fields) {
    append_size(bytes, field.size());
    bytes += field;
  }
  return bytes;
}

std::optional<decoded> decode(std::string_view bytes) {
  constexpr std::size_t head = 1 + bytes_of_size;
  if (bytes.size() < head) return std::nullopt;
  const auto kind = static_cast<unsigned char>(bytes.front());
  const std::uint32_t size = size_at(bytes.substr(1));
  if (kind > static_cast<unsigned char>(message_kind::beat) || size > most_bytes) {
    refuse("what arrives is no message");
  }
  if (bytes.size() < head + size) return std::nullopt;
  decoded found{{static_cast<message_kind>(kind)}, head + size};
  for (std::string_view rest = bytes.substr(head, size); !rest.empty();) {
    if (rest.size() < bytes_of_size) refuse("a message is malformed");
    const std::uint32_t of_field = size_at(rest);
    rest.remove_prefix(bytes_of_size);
    if (rest.size() < of_field) refuse("a message is malformed");
    found.what.fields.emplace_back(rest.substr(0, of_field));
    rest.remove_prefix(of_field);
  }
  return found;
}

std::string list_of(const std::vector<int>& numbers) {
  std::string list;
  for (const int number : numbers) {
    if (!list.empty()) list.append(",");
    list.append(std::to_string(number));
  }
  return list;
}

std::vector<int> numbers_of(const std::string& list) {
  std::vector<int> numbers;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    numbers.push_back(message{message_kind::beat, {word}}.integer(0));
  }
  return numbers;
}

std::string spoken_version() {
  std::string text = version;
  return text.append(" (").append(std::to_string(language)).append(")");
}

}  // namespace boxcar::hosts
