#include "map_update.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/item.hpp>

#include "collected_rows.hpp"
#include "map_operation.hpp"
#include "row_exchange.hpp"
#include "row_size.hpp"

namespace boxcar::python {
namespace {

// The limits of how many keys have their owners computed at a time, and of how many packets the
// table takes at a time: a number of packets, and a number of bytes.
constexpr std::size_t most_packets = 512;
constexpr std::size_t most_bytes = std::size_t(1) << 20;

// Packets: a key, and right behind it a value, if values travel.
using take_packets = collected_rows::take_collected;

// Writes packets, whose values are rows of `value_bytes`, or absent if `values` is nullptr.
class packet_writer {
 public:
  packet_writer(const map_keys& keys, const std::byte* values, std::size_t value_bytes, int pes)
      : keys_(keys),
        values_(values),
        value_bytes_(value_bytes),
        pes_(static_cast<std::uint64_t>(pes)) {}

  [[nodiscard]] std::size_t bytes() const {
    return keys_.bytes() + (values_ == nullptr ? 0 : value_bytes_);
  }
  // Writes the packets from `first` on, and the PE of each.
  void write(std::size_t first, std::byte* packets, std::span<std::int32_t> owners) const {
    keys_.write(first, packets, bytes(), pes_, owners);
    if (values_ == nullptr) return;
    with_row_size(value_bytes_, [&](auto size) {
      std::byte* place = packets + keys_.bytes();
      const std::byte* value = values_ + first * value_bytes_;
      for (std::size_t i = 0; i < owners.size(); ++i) {
        copy_row<size.value>(place, value, value_bytes_);
        place += bytes();
        value += value_bytes_;
      }
    });
  }

 private:
  const map_keys& keys_;
  const std::byte* values_;
  std::size_t value_bytes_;
  std::uint64_t pes_;
};

// Collective. Calls `take` on the owners of the keys, with `most_packets` packets at most.
void send_packets(const world& w, std::size_t count, const packet_writer& writer, const char* call,
                  const take_packets& take) {
  const std::size_t bytes = writer.bytes();
  const std::size_t at_once = std::clamp<std::size_t>(most_bytes / bytes, 1, most_packets);
  collected_rows arrivals(bytes, at_once, take);
  const take_rows take_run = [&](const run_of_rows& run) { arrivals.add(run); };
  if (bytes > largest_item_bytes) {
    std::vector<std::byte> packets(count * bytes);
    std::vector<std::int32_t> owners(count);
    writer.write(0, packets.data(), owners);
    exchange_rows(w, packets.data(), bytes, owners, call, take_run);
  } else {
    std::vector<std::byte> packets(at_once * bytes);
    std::array<std::int32_t, most_packets> owners;
    row_session s(w, bytes, call, take_run);
    for (std::size_t first = 0; first < count; first += at_once) {
      const std::span<std::int32_t> some(owners.data(), std::min(at_once, count - first));
      writer.write(first, packets.data(), some);
      s.push(packets.data(), some);
    }
    s.finish();
  }
  arrivals.hand_on();
}

}  // namespace

void update_map(const world& w, key_table& mine, const map_keys& keys, const map_update& u) {
  map_operation* const operate = map_operation_of(u.operation, u.type);
  const packet_writer writer(keys, u.is_same_value ? nullptr : u.values, mine.value_bytes(),
                             w.size());
  std::array<std::byte*, most_packets> found;
  std::array<bool, most_packets> is_new;
  const take_packets take = [&](const std::byte* packets, std::size_t n) {
    mine.insert({packets, keys.bytes(), writer.bytes(), n}, found, is_new);
    const packed_values values =
        u.is_same_value ? packed_values{u.values, mine.value_bytes(), 0}
                        : packed_values{packets + keys.bytes(), mine.value_bytes(), writer.bytes()};
    operate({found.data(), n}, {is_new.data(), n}, values);
  };
  send_packets(w, keys.count(), writer, "DistributedMap.update", take);
}

std::size_t erase_from_map(const world& w, key_table& mine, const map_keys& keys) {
  const packet_writer writer(keys, nullptr, 0, w.size());
  std::size_t erased = 0;
  const take_packets take = [&](const std::byte* packets, std::size_t n) {
    erased += mine.erase({packets, keys.bytes(), keys.bytes(), n});
  };
  send_packets(w, keys.count(), writer, "DistributedMap.erase", take);
  return erased;
}

}  // namespace boxcar::python
