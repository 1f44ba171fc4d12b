#include "convey-c/elastic_conveyor.hpp"

#include <cstring>
#include <string>

#include "convey-c/refusal.hpp"

namespace boxcar::convey_c {

elastic_conveyor::elastic_conveyor(world& w, std::size_t bound, const conveyor_options& options,
                                   std::uint64_t c_options)
    : convey(w, c_options, convey_ELASTIC), core_(w, bound, options), bound_(bound) {
  push = &push_default;
  pull = &pull_default;
}

int elastic_conveyor::push_default(convey& self, const void* item, std::int64_t pe) noexcept {
  auto& c = static_cast<elastic_conveyor&>(self);
  try {
    return c.core_.push(item, c.item_bytes_, c.pe_number(pe)) ? convey_OK : convey_FAIL;
  } catch (...) {
    return c.caught(call::convey_push, convey_error_RANGE);
  }
}

int elastic_conveyor::pull_default(convey& self, void* item, std::int64_t* from) noexcept {
  auto& c = static_cast<elastic_conveyor&>(self);
  try {
    const auto arrived = c.pull_of_default_size();
    if (arrived.data == nullptr) return convey_FAIL;
    std::memcpy(item, arrived.data, arrived.bytes);
    if (from != nullptr) *from = c.core_.from();
    return convey_OK;
  } catch (...) {
    return c.caught(call::convey_pull);
  }
}

// The next item stays the next if it has another size.
detail::elastic_core::arrived_item elastic_conveyor::pull_of_default_size() {
  std::size_t bytes;
  if (!core_.peek(bytes)) return {nullptr, 0};
  if (bytes != item_bytes_) {
    throw refusal(convey_error_MISFIT, "the next item has " + std::to_string(bytes) +
                                           " bytes, and not the default size of " +
                                           std::to_string(item_bytes_) + ": use convey_epull");
  }
  return core_.pull();
}

void* elastic_conveyor::apull(std::int64_t* from) {
  const auto arrived = pull_of_default_size();
  if (arrived.data == nullptr) return nullptr;
  if (from != nullptr) *from = core_.from();
  return const_cast<std::byte*>(core_.aligned(arrived, alignment_));
}

int elastic_conveyor::epush(std::size_t bytes, const void* item, std::int64_t pe) {
  if (bytes > bound_) {
    throw refusal(convey_error_SIZE, "an item of " + std::to_string(bytes) +
                                         " bytes is larger than the " + std::to_string(bound_) +
                                         " that the conveyor was made for: raise that bound");
  }
  return core_.push(item, bytes, pe_number(pe)) ? convey_OK : convey_FAIL;
}

int elastic_conveyor::epull(convey_item_t& result) {
  const auto arrived = core_.pull();
  if (arrived.data == nullptr) return convey_FAIL;
  result.bytes = arrived.bytes;
  result.data = const_cast<std::byte*>(core_.aligned(arrived, alignment_));
  result.from = core_.from();
  return convey_OK;
}

}  // namespace boxcar::convey_c
