#include "convey-c/call.hpp"

#include <array>
#include <cstddef>

namespace boxcar::convey_c {
namespace {

struct description {
  const char* name;
  bool collective;
};

constexpr std::array<description, static_cast<std::size_t>(call::count)> descriptions{{
    {"convey_new", true},          {"convey_new_elastic", true},  {"convey_new_simple", true},
    {"convey_new_twohop", true},   {"convey_new_tensor", true},   {"convey_new_etensor", true},
    {"convey_begin", true},        {"convey_push", false},        {"convey_epush", false},
    {"convey_pull", false},        {"convey_apull", false},       {"convey_epull", false},
    {"convey_unpull", false},      {"convey_advance", false},     {"convey_reset", true},
    {"convey_free", true},         {"convey_set_codec", true},    {"biconvey_new", true},
    {"biconvey_new_simple", true}, {"biconvey_new_tensor", true}, {"biconvey_begin", true},
    {"biconvey_push", false},      {"biconvey_pull", false},      {"biconvey_advance", false},
    {"biconvey_reset", true},      {"biconvey_free", true},       {"boxcar_my_pe", false},
    {"boxcar_n_pes", false},       {"boxcar_barrier", false},     {"boxcar_sum", false},
}};

}  // namespace

const char* name_of(call function) {
  return descriptions[static_cast<std::size_t>(function)].name;
}

bool is_collective(call function) {
  return descriptions[static_cast<std::size_t>(function)].collective;
}

}  // namespace boxcar::convey_c
