// The messages of a collection. Items to objects travel directly as item messages; all other
// messages are control messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <boxcar/detail/plain_value.hpp>
#include <boxcar/serializer.hpp>

namespace boxcar::detail {

// An item to an object, without padding: messages of many PEs share buffers.
template <typename Index, typename Item>
struct item_message {
  static constexpr std::uint32_t probe_bit = 0x80000000;

  std::byte item[sizeof(Item)];
  std::byte index[sizeof(Index)];
  std::byte source[sizeof(std::uint32_t)];  // the sending PE; with `probe_bit`: no item, a probe

  // Writes a message without building the message elsewhere.
  [[gnu::always_inline]] static void write(std::byte* place, const Item& item, const Index& index,
                                           std::uint32_t source) {
    std::memcpy(place + offsetof(item_message, item), &item, sizeof item);
    std::memcpy(place + offsetof(item_message, index), &index, sizeof index);
    std::memcpy(place + offsetof(item_message, source), &source, sizeof source);
  }
};

template <typename T>
[[nodiscard]] T value_in(const std::byte (&bytes)[sizeof(T)]) {
  return plain_value<T>(bytes);
}

enum class control_kind : std::uint8_t {
  routed,             // a routed_message
  object,             // an object that migrates
  acknowledgement,    // to the source of a probe: the messages before the probe have been delivered
  location,           // to the source of a forwarded message: where the object is
  registration,       // to the home: where the object is
  broadcast_request,  // to PE 0, which orders broadcasts
  broadcast,          // from PE 0, to all PEs
  reply               // of a function on an object, to the PE that has asked
};

// The content of a routed message.
enum class routed_kind : std::uint8_t {
  item,
  array_chunk,
  probe,         // of a source that changes the destination of its messages
  return_probe,  // of a PE that forwarded messages for the object before the object came to the PE
  migration      // a request to migrate
};

// A message to an object that PEs forward until it finds the object.
template <typename Index>
struct routed_message {
  routed_kind what = routed_kind::item;
  std::uint8_t kind = 0;  // of an item or array: the number of the handler
  int source = 0;         // the sending PE
  Index index{};
  std::vector<std::int32_t> path{};  // the PEs that have forwarded the message
  std::vector<std::byte> payload{};

  [[nodiscard]] bool has_passed(int pe) const { return std::ranges::find(path, pe) != path.end(); }

  void write(byte_writer& out) const {
    out.put(what);
    out.put(kind);
    out.put(source);
    out.put(index);
    out.put(path);
    out.put_bytes(payload);
  }
  // The payload is the rest of the bytes.
  static routed_message read(byte_reader& in) {
    routed_message m;
    m.what = in.get<routed_kind>();
    m.kind = in.get<std::uint8_t>();
    m.source = in.get<int>();
    m.index = in.get<Index>();
    m.path = in.get<std::vector<std::int32_t>>();
    const auto rest = in.get_rest();
    m.payload.assign(rest.begin(), rest.end());
    return m;
  }
};

// The location of an object in an acknowledgement, a location or a registration. An older epoch
// never replaces a newer epoch.
template <typename Index>
struct location_message {
  Index index{};
  std::int32_t pe = 0;
  std::uint64_t epoch = 0;  // number of migrations of the object

  void write(byte_writer& out) const {
    out.put(index);
    out.put(pe);
    out.put(epoch);
  }
  static location_message read(byte_reader& in) {
    location_message at;
    at.index = in.get<Index>();
    at.pe = in.get<std::int32_t>();
    at.epoch = in.get<std::uint64_t>();
    return at;
  }
};

}  // namespace boxcar::detail
