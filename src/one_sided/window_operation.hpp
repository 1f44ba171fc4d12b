// The operations of requests to windows, and the use of the numbers of a request (request.hpp).
#pragma once

#include <cstdint>

#include <boxcar/detail/atomics.hpp>

namespace boxcar::detail {

enum window_operation : std::uint32_t {
  put_contiguous,  // the data, to byte `at`
  put_strided,     // `elements` of them, from element `at` on
  get_contiguous,  // `elements` bytes from byte `at` on
  get_strided,
  ask_size,
  get_rkey,     // of the memory within reach of the network
  first_update  // plus the atomic operation, on `elements` bytes from byte `at` on; the
                // data are the value and the expected value
};

inline constexpr std::uint32_t last_update =
    first_update + static_cast<std::uint32_t>(atomic_operation::fetch_xor);

}  // namespace boxcar::detail
