// The arguments of a program of an experiment: words like items=1000.
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace experiments {

class arguments {
 public:
  arguments(int count, char** words) {
    for (int i = 1; i < count; ++i) {
      const std::string_view word = words[i];
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) {
        throw std::invalid_argument("\"" + std::string(word) +
                                    "\" is no setting: write name=value");
      }
      given_.emplace(word.substr(0, equals), word.substr(equals + 1));
    }
  }

  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = given_.find(name);
    return found == given_.end() ? otherwise : found->second;
  }
  [[nodiscard]] long number(const std::string& name, long otherwise) const {
    const auto found = given_.find(name);
    if (found == given_.end()) return otherwise;
    const std::string& word = found->second;
    long value = 0;
    const auto [rest, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || rest != word.data() + word.size()) {
      throw std::invalid_argument(name + "=" + word + " is no whole number");
    }
    return value;
  }
  // The seed of all random numbers of the program.
  [[nodiscard]] std::uint64_t seed() const { return static_cast<std::uint64_t>(number("seed", 1)); }

 private:
  std::map<std::string, std::string, std::less<>> given_;
};

}  // namespace experiments
