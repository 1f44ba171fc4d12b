// Arrays come from Python and go back as bytes, with a code for the type of their elements. The
// package has checked shapes and types and made the arrays contiguous and aligned before.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <span>
#include <string>
#include <string_view>

#include <boxcar/error.hpp>

namespace boxcar::python {

namespace nb = nanobind;

using read_bytes =
    nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu, nb::ro>;
using written_bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> elements_of(const read_bytes& bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}
template <typename T>
std::span<T> elements_of(const written_bytes& bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

inline const std::byte* bytes_of(const read_bytes& bytes) {
  return reinterpret_cast<const std::byte*>(bytes.data());
}
inline std::byte* bytes_of(const written_bytes& bytes) {
  return reinterpret_cast<std::byte*>(bytes.data());
}

[[noreturn]] inline void refuse_type(std::string_view code) {
  throw argument_error("elements of type " + std::string(code) + " cannot be used here");
}

// Calls `use` with a value of the C++ type of the NumPy code `code`, as "i8".
template <typename Use>
auto with_index_type(std::string_view code, const Use& use) {
  if (code == "i4") return use(std::int32_t());
  if (code == "i8") return use(std::int64_t());
  if (code == "u4") return use(std::uint32_t());
  if (code == "u8") return use(std::uint64_t());
  refuse_type(code);
}
template <typename Use>
auto with_real_type(std::string_view code, const Use& use) {
  if (code == "b1") return use(bool());
  if (code == "i1") return use(std::int8_t());
  if (code == "i2") return use(std::int16_t());
  if (code == "u1") return use(std::uint8_t());
  if (code == "u2") return use(std::uint16_t());
  if (code == "f4") return use(float());
  if (code == "f8") return use(double());
  return with_index_type(code, use);
}
template <typename Use>
auto with_number_type(std::string_view code, const Use& use) {
  if (code == "c8") return use(std::complex<float>());
  if (code == "c16") return use(std::complex<double>());
  return with_real_type(code, use);
}

}  // namespace boxcar::python
