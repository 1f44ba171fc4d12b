#include "integer_sort_class.hpp"

#include <algorithm>

namespace boxcar::bench {
namespace {

constexpr std::array<integer_sort_class, 4> classes{{
    {"S",
     16,
     11,
     9,
     {{{48427, 0, 0, true},
       {17148, 18, 0, true},
       {23627, 346, 0, true},
       {62548, 64917, 0, false},
       {4431, 65463, 0, false}}}},
    {"W",
     20,
     16,
     10,
     {{{357773, 1249, -2, true},
       {934767, 11698, -2, true},
       {875723, 1039987, 0, false},
       {898999, 1043896, 0, false},
       {404505, 1048018, 0, false}}}},
    {"A",
     23,
     19,
     10,
     {{{2112377, 104, -1, true},
       {662041, 17523, -1, true},
       {5336171, 123928, -1, true},
       {3642833, 8288932, -1, false},
       {4250760, 8388264, -1, false}}}},
    {"B",
     25,
     21,
     10,
     {{{41869, 33422937, 0, false},
       {812306, 10244, 0, true},
       {5102857, 59149, 0, true},
       {18232239, 33135281, 0, false},
       {26860214, 99, 0, true}}}},
}};

}  // namespace

std::vector<std::string_view> integer_sort_class_names() {
  std::vector<std::string_view> names;
  for (const integer_sort_class& c : classes) names.push_back(c.name);
  return names;
}

const integer_sort_class& integer_sort_class_of(std::string_view name) {
  return *std::ranges::find(classes, name, &integer_sort_class::name);
}

}  // namespace boxcar::bench
