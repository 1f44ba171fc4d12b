#include "support/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include <boxcar/error.hpp>

namespace examples {
namespace {

std::string file_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::string described(const std::string& what, const std::string& meaning) {
  constexpr std::size_t column = 16;
  std::string line = "  " + what;
  line.resize(std::max(line.size() + 1, column), ' ');
  return line + meaning + "\n";
}

std::optional<std::uint64_t> number_in(const std::string& text, range allowed) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end) return std::nullopt;
  if (value < allowed.least || value > allowed.most) return std::nullopt;
  return value;
}

}  // namespace

arguments::arguments(int argc, const char* const* argv, std::string purpose)
    : program_(argc > 0 ? file_name(argv[0]) : "example"),
      purpose_(std::move(purpose)),
      left_(argv + std::min(argc, 1), argv + argc),
      usage_("usage: " + program_ + " [options]") {}

std::uint64_t arguments::number(const std::string& option, std::uint64_t standard, range allowed,
                                const std::string& meaning) {
  const std::string limits = std::to_string(allowed.least) + " to " + std::to_string(allowed.most);
  descriptions_ += described(
      option + " N", meaning + " (" + limits + ", default " + std::to_string(standard) + ")");
  const std::optional<std::string> text = take(option, true);
  if (!text) return standard;
  const std::optional<std::uint64_t> value = number_in(*text, allowed);
  if (!value) {
    complain(option + " is '" + *text + "': give a whole number from " + limits + " (" + meaning +
             ")");
  }
  return value.value_or(standard);
}

std::string arguments::choice(const std::string& option, const std::vector<std::string>& words,
                              const std::string& meaning) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " or ") + word;
  descriptions_ += described(option + " WORD", meaning + " (" + all + ")");
  const std::optional<std::string> word = take(option, true);
  if (!word) return words.front();
  if (std::find(words.begin(), words.end(), *word) == words.end()) {
    complain(option + " is '" + *word + "': give " + all + " (" + meaning + ")");
    return words.front();
  }
  return *word;
}

std::string arguments::path(const std::string& option, const std::string& meaning) {
  descriptions_ += described(option + " FILE", meaning);
  const std::optional<std::string> path = take(option, true);
  if (path && path->empty()) complain(option + " has no file: give " + meaning);
  return path.value_or("");
}

bool arguments::flag(const std::string& option, const std::string& meaning) {
  descriptions_ += described(option, meaning);
  return take(option, false).has_value();
}

std::string arguments::file(const std::string& meaning) {
  usage_ += " FILE";
  descriptions_ += described("FILE", meaning);
  const auto found = std::find_if(left_.begin(), left_.end(), [](const std::string& argument) {
    return !argument.starts_with('-');
  });
  if (found == left_.end()) {
    complain("FILE is missing: give " + meaning);
    return {};
  }
  const std::string path = *found;
  left_.erase(found);
  return path;
}

bool arguments::complete(const boxcar::world& w) {
  descriptions_ += described("--help", "this text");
  if (take("--help", false) || take("-h", false)) {
    if (w.rank() == 0) std::fputs(help().c_str(), stdout);
    return false;
  }
  if (!left_.empty()) {
    complain("'" + left_.front() + "' is not understood here, or was given twice");
  }
  if (!problem_.empty()) {
    throw boxcar::argument_error(problem_ + "; `" + program_ + " --help` lists the options");
  }
  return true;
}

// Removes an option from the remaining arguments and returns its value, or "" if it has none.
std::optional<std::string> arguments::take(const std::string& option, bool with_value) {
  const auto found = std::find_if(left_.begin(), left_.end(), [&](const std::string& argument) {
    return argument == option || (with_value && argument.starts_with(option + "="));
  });
  if (found == left_.end()) return std::nullopt;
  auto end = std::next(found);
  std::string value;
  if (found->size() > option.size()) {
    value = found->substr(option.size() + 1);
  } else if (with_value && end != left_.end()) {
    value = *end++;
  }
  left_.erase(found, end);
  return value;
}

void arguments::complain(const std::string& problem) {
  if (problem_.empty()) problem_ = problem;
}

std::string arguments::help() const {
  return usage_ + "\n" + purpose_ + "\n\n" + descriptions_;
}

}  // namespace examples
