// The functions of aml.h.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>

#include <boxcar/aml-c/aml.h>

#include "aml-c/member.hpp"
#include "world/in_call.hpp"

using boxcar::aml_c::member;
using boxcar::detail::in_call;

int aml_init(int*, char***) {
  in_call("aml_init", [] { member::begin(); });
  return 0;
}

void aml_finalize(void) {
  in_call("aml_finalize", [] { member::end(); });
}

void aml_barrier(void) {
  in_call("aml_barrier", [] { member::here().barrier(); });
}

void aml_register_handler(void (*f)(int from, void* data, int length), int number) {
  in_call("aml_register_handler", [&] { member::here().set_handler(f, number); });
}

int boxcar_aml_my_pe(void) {
  return in_call("aml_my_pe", [] { return member::here().all().rank(); });
}

int boxcar_aml_n_pes(void) {
  return in_call("aml_n_pes", [] { return member::here().all().size(); });
}

void boxcar_aml_send(const void* data, int type, int length, int pe) {
  in_call("aml_send", [&] { member::here().send(data, type, length, pe); });
}

double boxcar_aml_time(void) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int boxcar_aml_reduce(void* value, enum boxcar_aml_reduction how) {
  constexpr const char* functions[] = {"aml_long_allsum", "aml_long_allmin", "aml_long_allmax"};
  return in_call(functions[how], [&] {
    std::int64_t mine = 0;
    std::memcpy(&mine, value, sizeof mine);
    const std::int64_t all =
        member::here().all().reduce(mine, [how](std::int64_t a, std::int64_t b) {
          if (how == boxcar_aml_sum) return a + b;
          return how == boxcar_aml_min ? std::min(a, b) : std::max(a, b);
        });
    std::memcpy(value, &all, sizeof all);
    return 0;
  });
}
