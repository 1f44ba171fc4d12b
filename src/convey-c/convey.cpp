// The functions of convey.h: no exception leaves the functions.
#include <optional>

#include "convey-c/c_headers.hpp"
#include "convey-c/construct.hpp"
#include "convey-c/conveyor.hpp"
#include "convey-c/elastic_conveyor.hpp"
#include "convey-c/fixed_conveyor.hpp"
#include "convey-c/refusal.hpp"
#include "convey-c/status.hpp"

namespace {

using boxcar::convey_c::arguments;
using boxcar::convey_c::call;
using boxcar::convey_c::collective_scope;
using boxcar::convey_c::construct;
using boxcar::convey_c::conveyor;

// Elastic buffers are at least this large: a ticket has to fit.
constexpr std::size_t min_elastic_buffer = 64;

boxcar::convey_c::conveyor& behind(convey_t* c) {
  return static_cast<boxcar::convey_c::conveyor&>(*c);
}

int complain_of_null_conveyor(call function) noexcept {
  return boxcar::convey_c::complain_of_null(
      function, "the conveyor is NULL: its constructor has not been called, or has failed");
}

// `action(conveyor)` returns a status, or throws.
template <typename Action>
int attempt(convey_t* c, call function, convey_error for_argument, const Action& action) noexcept {
  if (c == nullptr) return complain_of_null_conveyor(function);
  try {
    const collective_scope scope(function);
    return action(behind(c));
  } catch (...) {
    return behind(c).caught(function, for_argument);
  }
}

convey_t* new_fixed(const arguments& given) {
  return new boxcar::convey_c::fixed_conveyor(given);
}

// Returns a function that makes a conveyor for items of at most `bound` bytes.
auto new_elastic(std::size_t bound) {
  return [bound](const arguments& given) -> convey_t* {
    return new boxcar::convey_c::elastic_conveyor(given, bound);
  };
}

}  // namespace

const char convey_version[] = BOXCAR_VERSION_TEXT;

// --- Constructors --------------------------------------------------------------------------------

convey_t* convey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                     uint64_t options) {
  return construct(
      call::convey_new, alloc, options,
      [=](arguments& given) { given.chosen_for(max_bytes, n_local); }, new_fixed);
}

convey_t* convey_new_elastic(size_t item_bound, size_t max_bytes, size_t n_local,
                             const convey_alc8r_t* alloc, uint64_t options) {
  return construct(
      call::convey_new_elastic, alloc, options,
      [=](arguments& given) {
        given.chosen_for(max_bytes, n_local, min_elastic_buffer);
        given.elastic();
      },
      new_elastic(item_bound));
}

convey_t* convey_new_simple(size_t capacity, const convey_alc8r_t* alloc,
                            const convey_mpp_a2a_t* a2a, uint64_t options) {
  return construct(
      call::convey_new_simple, alloc, options,
      [=](arguments& given) {
        given.buffer_bytes(capacity, "capacity");
        given.simple(a2a);
      },
      new_fixed);
}

convey_t* convey_new_twohop(size_t capacity, size_t row_procs, const convey_alc8r_t* alloc,
                            uint64_t options) {
  return construct(
      call::convey_new_twohop, alloc, options,
      [=](arguments& given) {
        given.buffer_bytes(capacity, "capacity");
        given.twohop(row_procs);
      },
      new_fixed);
}

convey_t* convey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers,
                            const convey_alc8r_t* alloc, uint64_t options) {
  return construct(
      call::convey_new_tensor, alloc, options,
      [=](arguments& given) {
        given.buffer_bytes(capacity, "capacity");
        given.tensor(order, n_local, n_buffers);
      },
      new_fixed);
}

convey_t* convey_new_etensor(size_t buffer_bytes, size_t monster_bytes, int order, size_t n_local,
                             size_t n_buffers, const convey_alc8r_t* alloc, uint64_t options) {
  return construct(
      call::convey_new_etensor, alloc, options,
      [=](arguments& given) {
        given.buffer_bytes(buffer_bytes, "buffer_bytes", min_elastic_buffer);
        given.tensor(order, n_local, n_buffers);
        given.elastic();
      },
      new_elastic(monster_bytes));
}

// --- Per item ------------------------------------------------------------------------------------

int convey_inl_push(convey_t* c, const void* item, int64_t pe) {
  if (c == nullptr) [[unlikely]]
    return complain_of_null_conveyor(call::convey_push);
  return behind(c).push(behind(c), item, pe);
}

int convey_inl_pull(convey_t* c, void* item, int64_t* from) {
  if (c == nullptr) [[unlikely]]
    return complain_of_null_conveyor(call::convey_pull);
  return behind(c).pull(behind(c), item, from);
}

int convey_epush(convey_t* c, size_t bytes, const void* item, int64_t pe) {
  return attempt(c, call::convey_epush, convey_error_RANGE,
                 [=](conveyor& behind) { return behind.epush(bytes, item, pe); });
}

int convey_epull(convey_t* c, convey_item_t* result) {
  return attempt(c, call::convey_epull, convey_error_USAGE, [=](conveyor& behind) {
    boxcar::convey_c::require_item(result);
    return behind.epull(*result);
  });
}

void* convey_apull(convey_t* c, int64_t* from) {
  void* item = nullptr;
  attempt(c, call::convey_apull, convey_error_USAGE, [&item, from](conveyor& behind) {
    item = behind.apull(from);
    return convey_OK;
  });
  return item;
}

int convey_unpull(convey_t* c) {
  return attempt(c, call::convey_unpull, convey_error_USAGE,
                 [](conveyor& behind) { return behind.unpull() ? convey_OK : convey_FAIL; });
}

// --- Sessions ------------------------------------------------------------------------------------

int convey_begin(convey_t* c, size_t item_bytes, size_t align) {
  return attempt(c, call::convey_begin, convey_error_SIZE, [=](conveyor& behind) {
    behind.begin(item_bytes, align);
    return convey_OK;
  });
}

int convey_advance(convey_t* c, bool done) {
  return attempt(c, call::convey_advance, convey_error_USAGE, [=](conveyor& behind) {
    std::optional<boxcar::detail::called_scope> scope;
    // The PE can do nothing else now.
    if (done) {
      scope.emplace(name_of(call::convey_advance), boxcar::detail::called_scope::kind::turn);
    }
    return behind.advance(done);
  });
}

int convey_reset(convey_t* c) {
  return attempt(c, call::convey_reset, convey_error_USAGE, [](conveyor& behind) {
    behind.reset();
    return convey_OK;
  });
}

int convey_free(convey_t* c) {
  if (c == nullptr) return convey_OK;
  return attempt(c, call::convey_free, convey_error_USAGE, [](conveyor& behind) {
    behind.prepare_to_free();
    delete &behind;
    return convey_OK;
  });
}

int convey_set_codec(convey_t* c, const convey_codec_t* codec, void* arg) {
  return attempt(c, call::convey_set_codec, convey_error_USAGE, [=](conveyor& behind) {
    return behind.set_codec(codec, arg) ? convey_OK : convey_FAIL;
  });
}

// --- What it is ----------------------------------------------------------------------------------

size_t convey_item_size(convey_t* c) {
  return c == nullptr ? 0 : behind(c).item_size();
}

uint64_t convey_features(convey_t* c) {
  return c == nullptr ? 0 : behind(c).features();
}

int64_t convey_statistic(convey_t* c, int which) {
  return c == nullptr ? -1 : behind(c).statistic(which);
}

const char* convey_error_string(convey_t*, int error) {
  return boxcar::convey_c::status_text(error);
}
