#include "convey-c/fixed_conveyor.hpp"

#include <cstring>

#include "convey-c/pe_number.hpp"
#include "convey-c/refusal.hpp"

namespace boxcar::convey_c {

// The C header takes a lane for two cursors.
static_assert(sizeof(detail::lane) == 2 * sizeof(convey_inl_cursor));

fixed_conveyor::fixed_conveyor(const arguments& given)
    : conveyor(given, given.has(convey_opt_COMPRESS) ? convey_THRIFTY : 0),
      core_(given.where(), 1, options(given)) {
  specialise<0>();
}

template <std::size_t Bytes, bool Direct>
int fixed_conveyor::push_at_hand(conveyor& self, const void* item, std::int64_t pe) noexcept {
  auto& c = static_cast<fixed_conveyor&>(self);
  const auto to = static_cast<std::uint64_t>(pe);
  if (item != nullptr && c.core_.push_at_hand<Direct>(item, Bytes, to)) [[likely]]
    return convey_OK;
  return push_item<Bytes>(self, item, pe);
}

template <std::size_t Bytes, bool Direct>
int fixed_conveyor::pull_at_hand(conveyor& self, void* item, std::int64_t* from) noexcept {
  auto& c = static_cast<fixed_conveyor&>(self);
  const std::byte* arrived = item == nullptr ? nullptr : c.core_.pull_at_hand<Direct>(Bytes);
  if (arrived == nullptr) [[unlikely]]
    return pull_item<Bytes>(self, item, from);
  std::memcpy(item, arrived, Bytes);
  if (from != nullptr) *from = c.core_.from_at_hand<Direct>();
  return convey_OK;
}

template <std::size_t Bytes>
[[gnu::noinline]] int fixed_conveyor::push_item(conveyor& self, const void* item,
                                                std::int64_t pe) noexcept {
  auto& c = static_cast<fixed_conveyor&>(self);
  try {
    require_item(item);
    const std::size_t bytes = Bytes != 0 ? Bytes : c.item_bytes();
    return c.core_.push(item, bytes, pe_number(pe, c.core_)) ? convey_OK : convey_FAIL;
  } catch (...) {
    return c.caught(call::convey_push, convey_error_RANGE);
  }
}

template <std::size_t Bytes>
[[gnu::noinline]] int fixed_conveyor::pull_item(conveyor& self, void* item,
                                                std::int64_t* from) noexcept {
  auto& c = static_cast<fixed_conveyor&>(self);
  try {
    require_item(item);
    const std::size_t bytes = Bytes != 0 ? Bytes : c.item_bytes();
    const std::byte* arrived = c.core_.pull(bytes);
    if (arrived == nullptr) return convey_FAIL;
    std::memcpy(item, arrived, bytes);
    if (from != nullptr) *from = c.core_.from();
    return convey_OK;
  } catch (...) {
    return c.caught(call::convey_pull);
  }
}

void* fixed_conveyor::apull(std::int64_t* from) {
  const std::byte* arrived = core_.pull(item_bytes());
  if (arrived == nullptr) return nullptr;
  if (from != nullptr) *from = core_.from();
  return const_cast<std::byte*>(core_.aligned(arrived, alignment()));
}

int fixed_conveyor::epush(std::size_t, const void*, std::int64_t) {
  throw refusal(convey_error_RIGID,
                "the conveyor is not elastic: make it with convey_new_elastic, or use convey_push");
}

int fixed_conveyor::epull(convey_item_t&) {
  throw refusal(convey_error_RIGID,
                "the conveyor is not elastic: make it with convey_new_elastic, or use convey_pull");
}

template <std::size_t Bytes>
void fixed_conveyor::specialise() {
  if constexpr (Bytes == 0) {
    push = &push_item<0>;
    pull = &pull_item<0>;
  } else if (core_.is_direct()) {
    push = &push_at_hand<Bytes, true>;
    pull = &pull_at_hand<Bytes, true>;
  } else {
    push = &push_at_hand<Bytes, false>;
    pull = &pull_at_hand<Bytes, false>;
  }
}

void fixed_conveyor::open_direct_access() {
  const auto access = core_.access();
  lanes = reinterpret_cast<convey_inl_cursor*>(access.lanes);
  read = reinterpret_cast<convey_inl_cursor*>(access.read);
  read_limit = reinterpret_cast<const convey_inl_cursor*>(access.read_limit);
  source = access.source;
  pes = static_cast<std::uint64_t>(world_size());
}

void fixed_conveyor::begin_session() {
  core_.begin(item_bytes());
  if (core_.is_direct() && item_bytes() == sizeof(std::uint64_t)) open_direct_access();
  switch (item_bytes()) {
    case 4:
      return specialise<4>();
    case 8:
      return specialise<8>();
    case 12:
      return specialise<12>();
    case 16:
      return specialise<16>();
    case 24:
      return specialise<24>();
    case 32:
      return specialise<32>();
    default:
      return specialise<0>();
  }
}

}  // namespace boxcar::convey_c
