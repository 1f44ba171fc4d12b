#include "convey-c/fixed_conveyor.hpp"

#include <cstring>

#include "convey-c/refusal.hpp"

namespace boxcar::convey_c {

fixed_conveyor::fixed_conveyor(world& w, const conveyor_options& options, std::uint64_t c_options)
    : convey(w, c_options, 0), core_(w, 1, options) {
  specialise<0>();
}

template <std::size_t Bytes>
int fixed_conveyor::push_directly(convey& self, const void* item, std::int64_t pe) noexcept {
  auto& c = static_cast<fixed_conveyor&>(self);
  if (c.core_.push_directly(item, Bytes, static_cast<std::uint64_t>(pe))) return convey_OK;
  return push_item<Bytes>(self, item, pe);
}

template <std::size_t Bytes>
int fixed_conveyor::pull_directly(convey& self, void* item, std::int64_t* from) noexcept {
  auto& c = static_cast<fixed_conveyor&>(self);
  const std::byte* arrived = c.core_.pull_directly(Bytes);
  if (arrived == nullptr) return pull_item<Bytes>(self, item, from);
  std::memcpy(item, arrived, Bytes);
  if (from != nullptr) *from = c.core_.from_directly();
  return convey_OK;
}

template <std::size_t Bytes>
[[gnu::noinline]] int fixed_conveyor::push_item(convey& self, const void* item,
                                                std::int64_t pe) noexcept {
  auto& c = static_cast<fixed_conveyor&>(self);
  try {
    const std::size_t bytes = Bytes != 0 ? Bytes : c.item_bytes_;
    return c.core_.push(item, bytes, c.pe_number(pe)) ? convey_OK : convey_FAIL;
  } catch (...) {
    return c.caught(call::convey_push, convey_error_RANGE);
  }
}

template <std::size_t Bytes>
[[gnu::noinline]] int fixed_conveyor::pull_item(convey& self, void* item,
                                                std::int64_t* from) noexcept {
  auto& c = static_cast<fixed_conveyor&>(self);
  try {
    const std::size_t bytes = Bytes != 0 ? Bytes : c.item_bytes_;
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
  const std::byte* arrived = core_.pull(item_bytes_);
  if (arrived == nullptr) return nullptr;
  if (from != nullptr) *from = core_.from();
  return const_cast<std::byte*>(core_.aligned(arrived, alignment_));
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
  const bool direct = Bytes != 0 && core_.is_direct();
  push = direct ? &push_directly<Bytes> : &push_item<Bytes>;
  pull = direct ? &pull_directly<Bytes> : &pull_item<Bytes>;
}

void fixed_conveyor::begin_session() {
  core_.begin(item_bytes_);
  switch (item_bytes_) {
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
