// An object of a collection on the PE where the object is, without the value of the program's type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <boxcar/detail/collection_message.hpp>

namespace boxcar::detail {

// An array that arrives in chunks.
struct array_assembly {
  std::uint64_t received = 0;  // bytes
  std::vector<std::byte> bytes{};

  void write(byte_writer& out) const {
    out.put(received);
    out.put(bytes);
  }
  static array_assembly read(byte_reader& in) {
    array_assembly a;
    a.received = in.get<std::uint64_t>();
    a.bytes = in.get<std::vector<std::byte>>();
    return a;
  }
};

template <typename Index>
class collection_object {
 public:
  explicit collection_object(const Index& i) : index(i) {}
  collection_object(const collection_object&) = delete;
  collection_object& operator=(const collection_object&) = delete;
  virtual ~collection_object() = default;

  // The extension has the members that few objects need.
  struct extension {
    // The PE forwarded messages for the object before the object came to the PE, and does not know
    // yet that all of them have been delivered: other messages wait.
    bool waits = false;
    std::vector<routed_message<Index>> waiting{};
    // By source and number of the array.
    std::map<std::pair<int, std::uint64_t>, array_assembly> arrays{};
  };
  [[nodiscard]] bool waits() const { return more != nullptr && more->waits; }
  [[nodiscard]] extension& extend() {
    if (more == nullptr) more = std::make_unique<extension>();
    return *more;
  }

  // Frees an empty extension: messages to objects without one are delivered faster.
  void drop_empty_extension() {
    if (more != nullptr && !more->waits && more->waiting.empty() && more->arrays.empty()) {
      more.reset();
    }
  }

  Index index;
  int migrate_to = -1;           // as asked for; -1: stays
  float load = 0;                // seconds of handlers as measured, or the weight
  std::uint64_t epoch = 0;       // number of migrations
  std::uint64_t broadcasts = 0;  // number of the last broadcast that was delivered
  std::unique_ptr<extension> more{};
};

}  // namespace boxcar::detail
