// A type identity is the name of a type, and a number for the name: PEs that take part in the same
// call with different types detect the difference instead of reading bytes of another type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
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

// A type name has one spelling for all compilers, as far as possible. The compiler evaluates the
// constructor for each type, step by step: plain loops over characters take a tenth of the time of
// algorithms and of the functions of std::string_view.
class type_name {
 public:
  consteval explicit type_name(const char* signature) {
    constexpr std::string_view before = "T = ";
    const char* rest = signature;
    while (!begins_with(rest, before)) ++rest;
    rest += before.size();
    while (rest[1] != '\0') {  // the last character is a bracket
      const std::size_t special = special_at(rest);
      if (special == spelling_count) {
        append(*rest++);
      } else {
        for (const char c : spellings[special].second) append(c);
        rest += spellings[special].first.size();
      }
      if (length_ != 0 && text_[length_ - 1] == ':' && is_within_function()) drop_scope();
    }
  }

  [[nodiscard]] constexpr std::string_view text() const { return {text_, length_}; }

  // Returns the hash FNV-1a, with the lowest bit set: never 0.
  [[nodiscard]] consteval std::uint64_t hash() const {
    std::uint64_t h = 0xcbf29ce484222325;
    for (std::size_t i = 0; i != length_; ++i) {
      h = (h ^ static_cast<unsigned char>(text_[i])) * 0x100000001b3;
    }
    return h | 1;
  }

 private:
  // The spellings of GCC, and the spellings of Clang for the same names.
  using spelling = std::pair<std::string_view, std::string_view>;
  static constexpr spelling spellings[] = {
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
  };
  static constexpr std::size_t spelling_count = std::size(spellings);

  [[nodiscard]] static consteval bool begins_with(const char* text, std::string_view beginning) {
    for (const char c : beginning) {
      if (*text++ != c) return false;
    }
    return true;
  }

  // Returns the index of the spelling to replace at this place of the signature; spelling_count if
  // there is none. (With -fsanitize=undefined, GCC 12 does not compile a comparison of a pointer to
  // a spelling with the null pointer.)
  [[nodiscard]] static consteval std::size_t special_at(const char* rest) {
    switch (*rest) {
      case 'l':
      case 's':
      case '{':
      case '_':
      case '>':
      case ' ':
        for (std::size_t i = 0; i != spelling_count; ++i) {
          if (begins_with(rest, spellings[i].first)) return i;
        }
        return spelling_count;
      default:
        return spelling_count;
    }
  }

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

  consteval void append(char c) {
    if (length_ != capacity) text_[length_++] = c;
  }

  static constexpr std::size_t capacity = 200;
  char text_[capacity] = {};
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
