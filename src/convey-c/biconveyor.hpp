// The implementation of biconvey_t. Functions throw; biconvey.cpp converts exceptions to statuses.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/biconveyor_core.hpp>
#include <boxcar/world.hpp>

#include "convey-c/arguments.hpp"
#include "convey-c/c_headers.hpp"
#include "convey-c/client_allocator.hpp"
#include "convey-c/complaints.hpp"

struct biconvey {
 public:
  // Writes the reply to a query; see biconvey_begin.
  using answer_function = void (*)(const void* query, void* reply, void* context);

  // Collective.
  explicit biconvey(const boxcar::convey_c::arguments& given);

  void begin(std::size_t query_bytes, std::size_t reply_bytes, answer_function answer,
             void* context);
  int push(const void* query, std::int64_t pe);
  int pull(void* reply);
  int advance(bool done);
  void reset() { core_.reset(); }
  // Throws if the biconveyor must not be destroyed.
  void prepare_to_free();

  int caught(boxcar::convey_c::call function,
             convey_error for_argument = convey_error_USAGE) noexcept {
    return complaints_.caught(function, rank_, for_argument);
  }

 private:
  boxcar::conveyor_options options(const boxcar::convey_c::arguments& given);
  void agree_on_session(std::size_t query_bytes, std::size_t reply_bytes, bool answers);

  boxcar::world& world_;
  int rank_;
  boxcar::convey_c::complaints complaints_;
  boxcar::convey_c::client_allocator allocator_;
  boxcar::detail::biconveyor_core core_;
  std::size_t query_bytes_ = 0;
  std::size_t reply_bytes_ = 0;
};
