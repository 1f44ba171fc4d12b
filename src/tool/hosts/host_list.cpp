#include "hosts/host_list.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include <boxcar/error.hpp>

namespace boxcar::hosts {
namespace {

// Returns the number of PEs. `where`: the prefix of the error message.
int pes_from(std::string_view text, const std::string& where) {
  int pes = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, pes);
  if (problem == std::errc() && rest == end && pes >= 1) return pes;
  throw argument_error(where + ": \"" + std::string(text) +
                       "\" is no number of PEs: give a whole number of at least 1");
}

std::string name_from(std::string_view text, const std::string& where) {
  if (text.empty()) throw argument_error(where + ": the name of a host is missing");
  const bool has_blanks =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  // The agent would parse the name as an option.
  if (text.starts_with('-') || has_blanks) {
    throw argument_error(where + ": \"" + std::string(text) + "\" is no name of a host");
  }
  return std::string(text);
}

host host_from(std::string_view text, const std::string& where) {
  const std::size_t open = text.find('[');
  if (open != std::string_view::npos) {
    const std::size_t closed = text.find(']', open);
    const std::string_view rest =
        closed == std::string_view::npos ? std::string_view() : text.substr(closed + 1);
    if (closed == std::string_view::npos || (!rest.empty() && rest.front() != ':')) {
      throw argument_error(where + ": \"" + std::string(text) +
                           "\" is no host: after the address in brackets come a colon and the "
                           "number of PEs, or nothing");
    }
    const std::string user(text.substr(0, open));
    const std::string name =
        name_from(user + std::string(text.substr(open + 1, closed - open - 1)), where);
    return {name, rest.empty() ? 1 : pes_from(rest.substr(1), where)};
  }
  const std::size_t colon = text.find(':');
  if (colon != text.rfind(':')) {
    throw argument_error(where + ": \"" + std::string(text) +
                         "\" has several colons: give an IPv6 address in brackets, as in "
                         "[fe80::1]:4");
  }
  if (colon == std::string_view::npos) return {name_from(text, where), 1};
  return {name_from(text.substr(0, colon), where), pes_from(text.substr(colon + 1), where)};
}

void add(std::vector<host>& all, host more, const std::string& where) {
  const auto same = std::ranges::find(all, more.name, &host::name);
  if (same != all.end()) {
    throw argument_error(where + " names " + more.name + " twice: name it once, with " +
                         std::to_string(std::int64_t{same->pes} + more.pes) + " PEs");
  }
  all.push_back(std::move(more));
}

}  // namespace

std::vector<host> hosts_from_list(const std::string& text) {
  const std::string where = "--hosts " + text;
  std::vector<host> all;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    add(all, host_from(rest.substr(0, comma), where), where);
    if (comma == std::string_view::npos) return all;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<host> hosts_from_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw argument_error("--hostfile " + path + " cannot be read: " + std::strerror(errno));
  }
  std::vector<host> all;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string where = path + ", line " + std::to_string(++number);
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name;
    if (!(words >> name)) continue;
    host one{name_from(name, where), 1};
    for (std::string word; words >> word;) {
      constexpr std::string_view slots = "slots=";
      if (!word.starts_with(slots)) {
        throw argument_error(where + ": \"" + word +
                             "\" is unknown: after the name of a host comes slots=N, or nothing");
      }
      one.pes = pes_from(std::string_view(word).substr(slots.size()), where);
    }
    add(all, std::move(one), where);
  }
  if (file.bad() || all.empty()) {
    throw argument_error("--hostfile " + path +
                         " names no host: give a line with \"NAME slots=N\" "
                         "for each");
  }
  return all;
}

std::string to_text(const std::vector<host>& hosts) {
  std::string text;
  for (const host& one : hosts) {
    if (!text.empty()) text += ',';
    const bool in_brackets = one.name.find(':') != std::string::npos;
    text += (in_brackets ? "[" + one.name + "]" : one.name) + ":" + std::to_string(one.pes);
  }
  return text;
}

}  // namespace boxcar::hosts
