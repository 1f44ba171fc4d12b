#include "convey-c/complaints.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include <boxcar/error.hpp>

#include "convey-c/refusal.hpp"

namespace boxcar::convey_c {
namespace {

void print(call function, int rank, const char* what) {
  if (rank < 0) {
    std::fprintf(stderr, "boxcar: %s: %s\n", name_of(function), what);
  } else {
    std::fprintf(stderr, "boxcar: PE %d: %s: %s\n", rank, name_of(function), what);
  }
}

}  // namespace

int complaints::complain(call function, int rank, convey_error status, const char* what) noexcept {
  const auto bit = static_cast<std::uint16_t>(1u << -status);
  std::uint16_t& printed = printed_[static_cast<std::size_t>(function)];
  if (!quiet_ && (printed & bit) == 0) print(function, rank, what);
  printed |= bit;
  return status;
}

int complaints::caught(call function, int rank, convey_error for_argument) noexcept {
  // The first PE prints a message that is equal on all PEs.
  const auto for_all = [&](convey_error status, const char* what) {
    if (rank > 0 && is_collective(function)) return static_cast<int>(status);
    return complain(function, rank, status, what);
  };
  try {
    throw;
  } catch (const refusal& e) {
    return e.by_all() ? for_all(e.status(), e.what())
                      : complain(function, rank, e.status(), e.what());
  } catch (const contract_error& e) {
    return complain(function, rank, convey_error_STATE, e.what());
  } catch (const argument_error& e) {
    return for_all(for_argument, e.what());
  } catch (const system_error& e) {
    return for_all(convey_error_MEMORY, e.what());
  } catch (const world_error& e) {
    world_has_failed_ = true;
    return complain(function, rank, convey_error_WORLD, e.what());
  } catch (const std::bad_alloc&) {
    return complain(function, rank, convey_error_MEMORY, "the machine has no memory left");
  } catch (const std::exception& e) {
    return complain(function, rank, convey_error_FAILURE, e.what());
  } catch (...) {
    return complain(function, rank, convey_error_FAILURE, "an exception of unknown type");
  }
}

int complain_of_null(call function, const char* what) noexcept {
  thread_local complaints of_null(false);
  return of_null.complain(function, -1, convey_error_NULL, what);
}

}  // namespace boxcar::convey_c
