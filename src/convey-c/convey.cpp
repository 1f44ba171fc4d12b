// The functions of convey.h: no exception gets past them.
#include "convey.h"

#include "convey-c/arguments.hpp"
#include "convey-c/conveyor.hpp"
#include "convey-c/elastic_conveyor.hpp"
#include "convey-c/fixed_conveyor.hpp"
#include "convey-c/implicit_world.hpp"
#include "convey-c/refusal.hpp"
#include "convey-c/status_text.hpp"

namespace {

using boxcar::convey_c::arguments;
using boxcar::convey_c::call;

// No elastic buffer is smaller: a ticket has to fit.
constexpr std::size_t least_elastic_buffer = 64;

int complain_of_null_conveyor(call function) noexcept {
  return boxcar::convey_c::complain_of_null(
      function, "the conveyor is NULL: its constructor has not been called, or has failed");
}

// `make(world)` returns a new conveyor, or throws.
template <typename Make>
convey_t* construct(call constructor, std::uint64_t options, const Make& make) noexcept {
  int rank = -1;
  try {
    boxcar::world& here = boxcar::convey_c::implicit_world();
    rank = here.rank();
    return make(here);
  } catch (...) {
    boxcar::convey_c::complaints of_this((options & convey_opt_QUIET) != 0);
    of_this.caught(constructor, rank);
    return nullptr;
  }
}

// `action()` returns a status, or throws.
template <typename Action>
int attempt(convey_t* c, call function, convey_error for_argument, const Action& action) noexcept {
  if (c == nullptr) return complain_of_null_conveyor(function);
  try {
    return action();
  } catch (...) {
    return c->caught(function, for_argument);
  }
}

convey_t* new_fixed(boxcar::world& w, arguments& given, std::uint64_t options) {
  given.agree();
  return new boxcar::convey_c::fixed_conveyor(w, given.result(), options);
}

convey_t* new_elastic(boxcar::world& w, std::size_t bound, arguments& given,
                      std::uint64_t options) {
  given.agree();
  return new boxcar::convey_c::elastic_conveyor(w, bound, given.result(), options);
}

}  // namespace

const char convey_version[] = BOXCAR_VERSION_TEXT;

// --- Constructors --------------------------------------------------------------------------------

convey_t* convey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                     uint64_t options) {
  return construct(call::convey_new, options, [&](boxcar::world& w) {
    arguments given(call::convey_new, w, alloc, options);
    given.chosen_for(max_bytes, n_local);
    return new_fixed(w, given, options);
  });
}

convey_t* convey_new_elastic(size_t item_bound, size_t max_bytes, size_t n_local,
                             const convey_alc8r_t* alloc, uint64_t options) {
  return construct(call::convey_new_elastic, options, [&](boxcar::world& w) {
    arguments given(call::convey_new_elastic, w, alloc, options);
    given.chosen_for(max_bytes, n_local, least_elastic_buffer);
    return new_elastic(w, item_bound, given, options);
  });
}

convey_t* convey_new_simple(size_t capacity, const convey_alc8r_t* alloc,
                            const convey_mpp_a2a_t* a2a, uint64_t options) {
  return construct(call::convey_new_simple, options, [&](boxcar::world& w) {
    arguments given(call::convey_new_simple, w, alloc, options);
    given.buffer_bytes(capacity, "capacity");
    given.simple(a2a);
    return new_fixed(w, given, options);
  });
}

convey_t* convey_new_twohop(size_t capacity, size_t row_procs, const convey_alc8r_t* alloc,
                            uint64_t options) {
  return construct(call::convey_new_twohop, options, [&](boxcar::world& w) {
    arguments given(call::convey_new_twohop, w, alloc, options);
    given.buffer_bytes(capacity, "capacity");
    given.twohop(row_procs);
    return new_fixed(w, given, options);
  });
}

convey_t* convey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers,
                            const convey_alc8r_t* alloc, uint64_t options) {
  return construct(call::convey_new_tensor, options, [&](boxcar::world& w) {
    arguments given(call::convey_new_tensor, w, alloc, options);
    given.buffer_bytes(capacity, "capacity");
    given.tensor(order, n_local, n_buffers);
    return new_fixed(w, given, options);
  });
}

convey_t* convey_new_etensor(size_t buffer_bytes, size_t monster_bytes, int order, size_t n_local,
                             size_t n_buffers, const convey_alc8r_t* alloc, uint64_t options) {
  return construct(call::convey_new_etensor, options, [&](boxcar::world& w) {
    arguments given(call::convey_new_etensor, w, alloc, options);
    given.buffer_bytes(buffer_bytes, "buffer_bytes", least_elastic_buffer);
    given.tensor(order, n_local, n_buffers);
    return new_elastic(w, monster_bytes, given, options);
  });
}

// --- Per item ------------------------------------------------------------------------------------

int convey_push(convey_t* c, const void* item, int64_t pe) {
  if (c == nullptr) [[unlikely]]
    return complain_of_null_conveyor(call::convey_push);
  return c->push(*c, item, pe);
}

int convey_pull(convey_t* c, void* item, int64_t* from) {
  if (c == nullptr) [[unlikely]]
    return complain_of_null_conveyor(call::convey_pull);
  return c->pull(*c, item, from);
}

int convey_epush(convey_t* c, size_t bytes, const void* item, int64_t pe) {
  return attempt(c, call::convey_epush, convey_error_RANGE,
                 [&] { return c->epush(bytes, item, pe); });
}

int convey_epull(convey_t* c, convey_item_t* result) {
  if (result == nullptr) {
    return boxcar::convey_c::complain_of_null(call::convey_epull, "the result is NULL");
  }
  return attempt(c, call::convey_epull, convey_error_USAGE, [&] { return c->epull(*result); });
}

void* convey_apull(convey_t* c, int64_t* from) {
  void* item = nullptr;
  attempt(c, call::convey_apull, convey_error_USAGE, [&] {
    item = c->apull(from);
    return convey_OK;
  });
  return item;
}

int convey_unpull(convey_t* c) {
  return attempt(c, call::convey_unpull, convey_error_USAGE,
                 [&] { return c->unpull() ? convey_OK : convey_FAIL; });
}

// --- Sessions ------------------------------------------------------------------------------------

int convey_begin(convey_t* c, size_t item_bytes, size_t align) {
  return attempt(c, call::convey_begin, convey_error_SIZE, [&] {
    c->begin(item_bytes, align);
    return convey_OK;
  });
}

int convey_advance(convey_t* c, bool done) {
  return attempt(c, call::convey_advance, convey_error_USAGE, [&] { return c->advance(done); });
}

int convey_reset(convey_t* c) {
  return attempt(c, call::convey_reset, convey_error_USAGE, [&] {
    c->reset();
    return convey_OK;
  });
}

int convey_free(convey_t* c) {
  if (c == nullptr) return convey_OK;
  return attempt(c, call::convey_free, convey_error_USAGE, [&] {
    c->prepare_to_free();
    delete c;
    return convey_OK;
  });
}

int convey_set_codec(convey_t* c, const convey_codec_t* codec, void* arg) {
  return attempt(c, call::convey_set_codec, convey_error_USAGE,
                 [&] { return c->set_codec(codec, arg) ? convey_OK : convey_FAIL; });
}

// --- What it is ----------------------------------------------------------------------------------

size_t convey_item_size(convey_t* c) {
  return c == nullptr ? 0 : c->item_bytes();
}

uint64_t convey_features(convey_t* c) {
  return c == nullptr ? 0 : c->features();
}

int64_t convey_statistic(convey_t* c, int which) {
  return c == nullptr ? -1 : c->statistic(which);
}

const char* convey_error_string(convey_t*, int error) {
  return boxcar::convey_c::status_text(error);
}
