#include "table_update.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <boxcar/item.hpp>

#include "operation.hpp"
#include "row_exchange.hpp"
#include "row_size.hpp"

namespace boxcar::python {
namespace {

// A packet has the number of a slot and right behind, at any alignment, the value.
using apply_function = void(std::byte* table, std::size_t row_bytes, const run_of_rows& run);

template <typename Slot>
std::size_t slot_at(const std::byte* packet) {
  Slot slot;
  std::memcpy(&slot, packet, sizeof slot);
  return slot;
}

template <typename Slot, typename T, typename Operation>
void combine_rows(std::byte* table, std::size_t row_bytes, const run_of_rows& run) {
  const std::byte* packet = run.rows;
  const auto combine = [](T* into, const std::byte* value) {
    T arrived;
    std::memcpy(&arrived, value, sizeof arrived);
    *into = Operation::apply(*into, arrived);
  };
  if (row_bytes == sizeof(T)) {
    for (std::size_t i = 0; i < run.count; ++i, packet += sizeof(Slot) + sizeof(T)) {
      combine(reinterpret_cast<T*>(table) + slot_at<Slot>(packet), packet + sizeof(Slot));
    }
    return;
  }
  for (std::size_t i = 0; i < run.count; ++i, packet += sizeof(Slot) + row_bytes) {
    T* const row = reinterpret_cast<T*>(table + slot_at<Slot>(packet) * row_bytes);
    for (std::size_t k = 0; k < row_bytes / sizeof(T); ++k) {
      combine(row + k, packet + sizeof(Slot) + k * sizeof(T));
    }
  }
}

template <typename Slot>
void put_rows(std::byte* table, std::size_t row_bytes, const run_of_rows& run) {
  const std::byte* packet = run.rows;
  for (std::size_t i = 0; i < run.count; ++i, packet += sizeof(Slot) + row_bytes) {
    std::memcpy(table + slot_at<Slot>(packet) * row_bytes, packet + sizeof(Slot), row_bytes);
  }
}

template <typename Slot>
apply_function* apply_of(std::string_view operation, std::string_view type) {
  if (operation == "put") return put_rows<Slot>;
  return with_operation(operation, [&]<typename Operation>(Operation) {
    return with_number_type(type, [&]<typename T>(T) -> apply_function* {
      if constexpr (Operation::template allows<T>) {
        return combine_rows<Slot, T, Operation>;
      } else {
        refuse_operation(operation, type);
      }
    });
  });
}

template <typename Slot>
void update_slots(world& w, located_indices indices, const update& u) {
  apply_function* const apply = apply_of<Slot>(u.operation, u.type);
  const take_rows take = [&](const run_of_rows& run) { apply(u.table, u.row_bytes, run); };
  const std::size_t bytes = sizeof(Slot) + u.row_bytes;
  std::vector<std::byte> packets;
  const auto write = [&](std::byte* packet, std::uint64_t slot, const std::byte* value,
                         std::size_t value_bytes) {
    const auto narrow = static_cast<Slot>(slot);
    std::memcpy(packet, &narrow, sizeof narrow);
    std::memcpy(packet + sizeof narrow, value, value_bytes);
  };
  if (bytes > largest_item_bytes) {
    std::vector<std::int32_t> to;
    indices.for_each_batch([&](std::size_t first, std::span<const std::int32_t> pes,
                               std::span<const std::uint64_t> slots) {
      to.insert(to.end(), pes.begin(), pes.end());
      packets.resize(to.size() * bytes);
      for (std::size_t i = 0; i < pes.size(); ++i) {
        write(packets.data() + (first + i) * bytes, slots[i], u.values + (first + i) * u.row_bytes,
              u.row_bytes);
      }
    });
    exchange_rows(w, packets.data(), bytes, to, "scatter", take);
    return;
  }
  row_session s(w, bytes, "scatter", take);
  with_row_size(u.row_bytes, [&](auto size) {
    constexpr std::size_t value_bytes = size.value;
    indices.for_each_batch([&](std::size_t first, std::span<const std::int32_t> pes,
                               std::span<const std::uint64_t> slots) {
      const std::byte* const values = u.values + first * u.row_bytes;
      if constexpr (value_bytes != 0) {
        s.push_written<sizeof(Slot) + value_bytes>(pes, [&](std::byte* packet, std::size_t i) {
          write(packet, slots[i], values + i * value_bytes, value_bytes);
        });
      } else {
        packets.resize(pes.size() * bytes);
        for (std::size_t i = 0; i < pes.size(); ++i) {
          write(packets.data() + i * bytes, slots[i], values + i * u.row_bytes, u.row_bytes);
        }
        s.push(packets.data(), pes);
      }
    });
  });
  s.finish();
}

}  // namespace

void check_update(std::string_view operation, std::string_view type) {
  static_cast<void>(apply_of<std::uint32_t>(operation, type));
}

void update_rows(world& w, const indices_in_table& indices, const update& u) {
  if (indices.table().longest() <= std::numeric_limits<std::uint32_t>::max()) {
    update_slots<std::uint32_t>(w, indices.all(), u);
  } else {
    update_slots<std::uint64_t>(w, indices.all(), u);
  }
}

}  // namespace boxcar::python
