#include "convey-c/elastic_conveyor.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include <boxcar/error.hpp>

#include "convey-c/pe_number.hpp"
#include "convey-c/refusal.hpp"

namespace boxcar::convey_c {

elastic_conveyor::elastic_conveyor(const arguments& given, std::size_t bound)
    : conveyor(given, convey_ELASTIC),
      core_(given.where(), {bound, bound}, options(given)),
      bound_(std::min<std::size_t>(bound, PTRDIFF_MAX)) {  // no object is larger
  specialise<0>();
}

template <std::size_t Bytes>
int elastic_conveyor::push_default(conveyor& self, const void* item, std::int64_t pe) noexcept {
  auto& c = static_cast<elastic_conveyor&>(self);
  try {
    require_item(item);
    const std::size_t bytes = Bytes != 0 ? Bytes : c.item_bytes();
    return c.core_.push(item, bytes, pe_number(pe, c.core_)) ? convey_OK : convey_FAIL;
  } catch (...) {
    return c.caught(call::convey_push, convey_error_RANGE);
  }
}

template <std::size_t Bytes>
int elastic_conveyor::pull_default(conveyor& self, void* item, std::int64_t* from) noexcept {
  auto& c = static_cast<elastic_conveyor&>(self);
  try {
    require_item(item);
    if (!c.next_has_default_size()) return convey_FAIL;
    const auto arrived = c.core_.pull();
    std::memcpy(item, arrived.data, Bytes != 0 ? Bytes : arrived.bytes);
    if (from != nullptr) *from = c.core_.from();
    return convey_OK;
  } catch (...) {
    return c.caught(call::convey_pull);
  }
}

template <std::size_t Bytes>
void elastic_conveyor::specialise() {
  push = &push_default<Bytes>;
  pull = &pull_default<Bytes>;
}

void elastic_conveyor::begin_session() {
  core_.begin();
  if (item_bytes() == 8) return specialise<8>();
  if (item_bytes() == 16) return specialise<16>();
  specialise<0>();
}

void elastic_conveyor::refuse_size(std::size_t bytes) const {
  throw refusal(convey_error_MISFIT, "the next item has " + std::to_string(bytes) +
                                         " bytes, and not the default size of " +
                                         std::to_string(item_bytes()) + ": use convey_epull");
}

bool elastic_conveyor::next_has_default_size() {
  std::size_t bytes;
  if (!core_.peek(bytes)) return false;
  if (bytes != item_bytes()) [[unlikely]]
    refuse_size(bytes);
  return true;
}

void* elastic_conveyor::apull(std::int64_t* from) {
  if (!next_has_default_size()) return nullptr;
  const auto arrived = core_.pull();
  if (from != nullptr) *from = core_.from();
  return const_cast<std::byte*>(core_.aligned(arrived, alignment()));
}

int elastic_conveyor::epush(std::size_t bytes, const void* item, std::int64_t pe) {
  if (bytes != 0) require_item(item);
  if (bytes > bound_) {
    throw refusal(convey_error_SIZE, "an item of " + std::to_string(bytes) +
                                         " bytes is larger than the " + std::to_string(bound_) +
                                         " that the conveyor was made for: raise that bound");
  }
  return core_.push(item, bytes, pe_number(pe, core_)) ? convey_OK : convey_FAIL;
}

// The published implementation returns NULL where there is no item, and an ordinary failure for a
// dormant conveyor.
int elastic_conveyor::epull(convey_item_t& result) {
  result.data = nullptr;
  detail::elastic_core::arrived_item arrived{};
  try {
    arrived = core_.pull();
  } catch (const contract_error&) {
    if (core_.state() != conveyor_state::dormant) throw;
  }
  if (arrived.data == nullptr) return convey_FAIL;
  result.bytes = arrived.bytes;
  result.data = const_cast<std::byte*>(core_.aligned(arrived, alignment()));
  result.from = core_.from();
  return convey_OK;
}

}  // namespace boxcar::convey_c
