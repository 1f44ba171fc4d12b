// Tests of the detection of types with pointers, as far as possible, and of the names of types.
#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boxcar/detail/type_identity.hpp>
#include <boxcar/item.hpp>

namespace boxcar::test::item_requirements_test {

enum class color : short { red };

struct plain {
  int a;
  double b;
};

// Types without pointers, though parts are constructible from a pointer, or from anything.

struct empty {};
struct nested {
  plain p;
  empty e;
  int n;
};
struct arrays {
  int a[3];
  char text[100];
  plain p[2][2];
};
struct bits {
  unsigned a : 3;
  unsigned b : 5;
};
struct choices {
  std::optional<int> a;
  std::optional<plain> b;
  std::variant<int, plain> c;
};
struct derived : plain {
  int c;
};
struct made_from_pointer {
  made_from_pointer() = default;
  made_from_pointer(const char*) {}
  int x;
};
struct holds_what_is_made_from_pointer {
  made_from_pointer m;
  bool b;
};
struct made_from_anything {
  made_from_anything() = default;
  template <typename T>
  made_from_anything(T) {}
  int x;
};
struct holds_what_is_made_from_anything {
  made_from_anything m;
  int x;
};
struct without_default {
  explicit without_default(int v) : x(v) {}
  int x;
};
struct holds_what_has_no_default {
  without_default w;
  int x;
};
struct explicit_default {
  explicit explicit_default() = default;
  int x;
};
struct holds_explicit_default {
  explicit_default e;
  bool flag;
};
struct anonymous {
  union {
    int a;
    float b;
  };
  const int c;
};
struct of_the_library {
  std::chrono::nanoseconds time;
  std::complex<double> number;
  std::bitset<70> bits;
  std::array<std::byte, 4> bytes;
  color c;
};
struct many {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r;
};
struct allowed {
  int* p;
};
struct holds_allowed {
  int n;
  allowed a;
};

// Types with pointers.

struct pointer {
  int n;
  const char* p;
};
struct constant_pointer {
  const int* const p;
  bool b;
};
struct view {
  int n[3];
  std::string_view text;
};
struct nested_pointer {
  int n;
  pointer p;
};
struct function_pointer {
  int n;
  void (*f)(int);
};
struct member_pointer {
  int plain::*m;
};
struct array_of_pointers {
  int n;
  char* text[4];
};
struct array_of_holders {
  int n;
  pointer p[3];
};
struct standard_array {
  std::array<int, 3> n;
  std::array<pointer, 2> p;
};
struct optional_pointer {
  std::optional<int*> p;
};
struct optional_holder {
  std::optional<pointer> p;
};
struct variant_pointer {
  std::variant<int, const char*> p;
};
struct variant_holder {
  std::variant<int, nested_pointer> p;
};
struct behind_a_large_array {
  char text[1000];
  std::span<int> s;
};
struct sixteenth {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o;
  int* p;
};
struct reference {
  int n;
  std::reference_wrapper<int> r;
};
struct iterator {
  std::vector<int>::iterator i;
};

}  // namespace boxcar::test::item_requirements_test

template <>
inline constexpr bool boxcar::allow_pointers<boxcar::test::item_requirements_test::allowed> = true;

namespace boxcar::test::item_requirements_test {
namespace {

template <typename T>
class holds_none : public testing::Test {};
using innocent_types =
    testing::Types<int, bool, color, std::byte, plain, empty, nested, arrays, bits, choices,
                   derived, made_from_pointer, holds_what_is_made_from_pointer, made_from_anything,
                   holds_what_is_made_from_anything, without_default, holds_what_has_no_default,
                   explicit_default, holds_explicit_default, anonymous, of_the_library, many,
                   allowed, holds_allowed, int[3], std::array<double, 2>, std::pair<int, long>>;
TYPED_TEST_SUITE(holds_none, innocent_types);
TYPED_TEST(holds_none, so_it_is_found) {
  EXPECT_FALSE(detail::holds_pointers<TypeParam>());
}

template <typename T>
class holds_some : public testing::Test {};
using pointing_types =
    testing::Types<int*, void (*)(int), int plain::*, std::nullptr_t, std::string_view,
                   std::span<int, 3>, std::reference_wrapper<int>, std::optional<int*>,
                   std::variant<int, std::string_view>, std::pair<int, int*>, std::array<int*, 2>,
                   int* [3], pointer, constant_pointer, view, nested_pointer, function_pointer,
                   member_pointer, array_of_pointers, array_of_holders, standard_array,
                   optional_pointer, optional_holder, variant_pointer, variant_holder,
                   behind_a_large_array, sixteenth, reference, iterator>;
TYPED_TEST_SUITE(holds_some, pointing_types);
TYPED_TEST(holds_some, so_it_is_found) {
  EXPECT_TRUE(detail::holds_pointers<TypeParam>());
}

template <typename T>
std::string name_of() {
  return std::string(detail::identity_of<T>.name);
}

template <typename A, int N>
struct of_types {};

struct hidden {};

// The name is the same for all compilers.
TEST(type_identity, has_a_readable_name) {
  EXPECT_EQ(name_of<int>(), "int");
  EXPECT_EQ(name_of<unsigned long>(), "unsigned long");
  EXPECT_EQ(name_of<long long>(), "long long");
  EXPECT_EQ(name_of<unsigned short>(), "unsigned short");
  EXPECT_EQ(name_of<signed char>(), "signed char");
  EXPECT_EQ(name_of<long double>(), "long double");
  EXPECT_EQ(name_of<int[3]>(), "int[3]");
  EXPECT_EQ(name_of<plain>(), "boxcar::test::item_requirements_test::plain");
  EXPECT_EQ(name_of<hidden>(),
            "boxcar::test::item_requirements_test::(anonymous namespace)::hidden");
  EXPECT_EQ(
      (name_of<of_types<unsigned long, 3>>()),
      "boxcar::test::item_requirements_test::(anonymous namespace)::of_types<unsigned long, 3>");
  EXPECT_EQ(name_of<std::vector<std::string>>(), "std::vector<std::basic_string<char>>");
  struct local {};
  EXPECT_EQ(name_of<local>(), "local");
  EXPECT_EQ(name_of<std::optional<local>>(), "std::optional<local>");
}

TEST(type_identity, differs_where_types_do) {
  EXPECT_NE(detail::identity_of<int>.hash, detail::identity_of<float>.hash);
  EXPECT_NE(detail::identity_of<long>.hash, detail::identity_of<long long>.hash);
  EXPECT_NE(detail::identity_of<int>.hash, detail::type_identity{}.hash);
}

}  // namespace
}  // namespace boxcar::test::item_requirements_test
