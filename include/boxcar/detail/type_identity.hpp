// A type identity is the name of a type, and a number for the name: PEs that take part in the same
// call with different types detect the difference instead of reading bytes of another type.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace boxcar::detail {

struct type_identity {
  std::uint64_t hash = 0;           // 0: the type is unknown, as in C
  std::string_view name = "bytes";  // lives as long as the program
};

// Returns a text that contains the name of T as the compiler spells the name.
template <typename T>
consteval const char* signature_with() {
  return __PRETTY_FUNCTION__;
}

// A type name has one spelling for all compilers, as far as possible.
class type_name {
 public:
  consteval explicit type_name(std::string_view signature) {
    constexpr std::string_view before = "T = ";
    std::string_view rest = signature.substr(signature.find(before) + before.size());
    rest.remove_suffix(1);  // a bracket
    while (!rest.empty()) {
      const auto found = std::ranges::find_if(
          spellings, [rest](const auto& pair) { return rest.starts_with(pair.first); });
      const bool is_special = found != spellings.end();
      append(is_special ? found->second : rest.substr(0, 1));
      rest.remove_prefix(is_special ? found->first.size() : 1);
      if (is_within_function()) drop_scope();
    }
  }

  [[nodiscard]] constexpr std::string_view text() const { return {text_.data(), length_}; }

  // Returns the hash FNV-1a, with the lowest bit set: never 0.
  [[nodiscard]] consteval std::uint64_t hash() const {
    std::uint64_t h = 0xcbf29ce484222325;
    for (const char c : text()) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return h | 1;
  }

 private:
  // The spellings of GCC, and the spellings of Clang for the same names.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> spellings{{
      {"long long unsigned int", "unsigned long long"},
      {"long unsigned int", "unsigned long"},
      {"short unsigned int", "unsigned short"},
      {"long long int", "long long"},
      {"long int", "long"},
      {"short int", "short"},
      {"{anonymous}", "(anonymous namespace)"},
      {"__cxx11::", ""},
      {"__1::", ""},
      {"> >", ">>"},
      {" *", "*"},
      {" [", "["},
  }};

  // Returns whether the next name is local to a function; Clang does not name the function.
  [[nodiscard]] consteval bool is_within_function() const {
    return (text().ends_with(")::") && !text().ends_with("(anonymous namespace)::")) ||
           text().ends_with(")>::");
  }
  // Cuts the text back to the beginning of the current type's name.
  consteval void drop_scope() {
    for (int depth = 0; length_ != 0; --length_) {
      const char last = text_[length_ - 1];
      if (depth == 0 && (last == '<' || last == ',' || last == ' ')) return;
      if (last == ')' || last == '>') ++depth;
      if (last == '(' || last == '<') --depth;
    }
  }

  consteval void append(std::string_view piece) {
    for (const char c : piece) {
      if (length_ != text_.size()) text_[length_++] = c;
    }
  }

  std::array<char, 200> text_{};
  std::size_t length_ = 0;
};

template <typename T>
inline constexpr type_name name_of_type{signature_with<T>()};

// The identity of a type. The size is a part of the hash: types of the same name may come from
// different versions of a program.
template <typename T>
inline constexpr type_identity identity_of{name_of_type<T>.hash() + 2 * sizeof(T),
                                           name_of_type<T>.text()};

}  // namespace boxcar::detail
