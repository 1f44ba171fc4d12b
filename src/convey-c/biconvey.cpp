// The functions of biconvey.h: no exception leaves the functions.
#include <optional>

#include "convey-c/biconveyor.hpp"
#include "convey-c/c_headers.hpp"
#include "convey-c/construct.hpp"

namespace {

using boxcar::convey_c::arguments;
using boxcar::convey_c::call;
using boxcar::convey_c::collective_scope;
using boxcar::convey_c::construct;

// `action()` returns a status, or throws.
template <typename Action>
int attempt(biconvey_t* b, call function, convey_error for_argument,
            const Action& action) noexcept {
  if (b == nullptr) {
    return boxcar::convey_c::complain_of_null(
        function, "the biconveyor is NULL: its constructor has not been called, or has failed");
  }
  try {
    const collective_scope scope(function);
    return action();
  } catch (...) {
    return b->caught(function, for_argument);
  }
}

biconvey_t* new_biconveyor(const arguments& given) {
  return new biconvey(given);
}

}  // namespace

biconvey_t* biconvey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                         uint64_t options) {
  // The queries, the replies, and the replies waiting for their turn get a third each.
  const size_t share = max_bytes == SIZE_MAX ? SIZE_MAX : max_bytes / 3;
  return construct(
      call::biconvey_new, alloc, options,
      [=](arguments& given) { given.chosen_for(share, n_local); }, new_biconveyor);
}

biconvey_t* biconvey_new_simple(size_t capacity, const convey_alc8r_t* alloc,
                                const convey_mpp_a2a_t* a2a, uint64_t options) {
  return construct(
      call::biconvey_new_simple, alloc, options,
      [=](arguments& given) {
        given.buffer_bytes(capacity, "capacity");
        given.simple(a2a);
      },
      new_biconveyor);
}

biconvey_t* biconvey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers,
                                const convey_alc8r_t* alloc, uint64_t options) {
  return construct(
      call::biconvey_new_tensor, alloc, options,
      [=](arguments& given) {
        given.buffer_bytes(capacity, "capacity");
        given.tensor(order, n_local, n_buffers);
      },
      new_biconveyor);
}

int biconvey_begin(biconvey_t* b, size_t query_bytes, size_t reply_bytes,
                   void (*answer)(const void* query, void* reply, void* context), void* context) {
  return attempt(b, call::biconvey_begin, convey_error_SIZE, [=] {
    b->begin(query_bytes, reply_bytes, answer, context);
    return convey_OK;
  });
}

int biconvey_push(biconvey_t* b, const void* query, int64_t pe) {
  return attempt(b, call::biconvey_push, convey_error_RANGE, [=] { return b->push(query, pe); });
}

int biconvey_pull(biconvey_t* b, void* reply) {
  return attempt(b, call::biconvey_pull, convey_error_USAGE, [=] { return b->pull(reply); });
}

int biconvey_advance(biconvey_t* b, bool done) {
  return attempt(b, call::biconvey_advance, convey_error_USAGE, [=] {
    std::optional<boxcar::detail::called_scope> scope;
    if (done) {
      scope.emplace(name_of(call::biconvey_advance), boxcar::detail::called_scope::kind::turn);
    }
    return b->advance(done);
  });
}

int biconvey_reset(biconvey_t* b) {
  return attempt(b, call::biconvey_reset, convey_error_USAGE, [=] {
    b->reset();
    return convey_OK;
  });
}

int biconvey_free(biconvey_t* b) {
  if (b == nullptr) return convey_OK;
  return attempt(b, call::biconvey_free, convey_error_USAGE, [=] {
    b->prepare_to_free();
    delete b;
    return convey_OK;
  });
}
