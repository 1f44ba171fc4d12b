// The map transport carries the messages of a distributed map: the part of a map that does not
// depend on the types of keys and values. All kinds of messages of a map travel over one stream, so
// a PE's messages for one key keep their order.
//
// Messages of plain bytes travel over a dispatch stream. If the messages of one kind are not plain,
// the messages of all kinds are written by serializers, and travel over an array stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <boxcar/detail/array_stream.hpp>
#include <boxcar/detail/dispatch_stream.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/stream_statistics.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// The messages of one function of a map.
struct map_operation {
  std::string name;  // the same on all PEs
  bool is_plain;
  std::size_t bytes;                                      // of a plain message
  std::size_t alignment;                                  // of a plain message
  void (*handle_run)(void* map, const message_run& run);  // nullptr: not plain
  void (*handle_bytes)(void* map, std::span<const std::byte> message);
};

// Updates that wait at the sender; see combining.hpp.
class pending_updates {
 public:
  // Sends all updates.
  virtual void flush() = 0;
  [[nodiscard]] virtual bool is_empty() const = 0;

 protected:
  pending_updates() = default;
  pending_updates(const pending_updates&) = default;
  pending_updates& operator=(const pending_updates&) = default;
  ~pending_updates() = default;
};

class map_transport {
 public:
  // Collective.
  map_transport(const world& w, const stream_options& options, std::string types);
  map_transport(const map_transport&) = delete;
  map_transport& operator=(const map_transport&) = delete;

  [[nodiscard]] world& the_world() { return world_; }
  [[nodiscard]] int size() const { return size_; }

  // Returns the number of the operation. Precondition: no session.
  std::uint8_t add(map_operation&& operation);
  [[nodiscard]] std::size_t operations() const { return operations_.size(); }
  // Returns the name of a visitor that is named at the place in the source.
  [[nodiscard]] static std::string name_of(const std::source_location& where);

  void add(pending_updates& updates);
  // Removes updates, at the end of their object. If updates are left in a session, they are lost,
  // and `finish` throws.
  void remove(pending_updates& updates);

  // Collective. Throws argument_error on all PEs if a PE has no memory for `keys` keys of
  // `entry_bytes` bytes each.
  void require_memory(bool has_memory, std::uint64_t keys, std::size_t entry_bytes);

  // Collective. Builds the stream if there are new operations. `map` is passed to handlers.
  session begin(const termination& ending, void* map);
  void finish();
  void flush();
  bool poll();
  void done(std::int64_t producers);
  [[nodiscard]] bool on() const;
  [[nodiscard]] stream_statistics session_statistics() const;
  [[nodiscard]] std::string explain() const;
  [[nodiscard]] bool has_session() const { return in_session_; }
  // Throws contract_error if there is a session.
  void require_no_session(const char* operation) const;
  [[noreturn]] void refuse_without_session(const char* operation) const;

  // Returns the stream of plain messages; nullptr if there is none.
  [[nodiscard]] [[gnu::always_inline]] dispatch_stream* plain_stream() const {
    return plain_stream_;
  }
  // Sends a message that begins with the number of the operation.
  void send_bytes(std::span<const std::byte> message, int pe);

 private:
  void build(void* map);
  void flush_pending(const stream_core& stream);
  // Collective. Throws argument_error on all PEs if the operations differ.
  void require_same_operations();
  [[nodiscard]] stream_core& core(const char* operation) const;
  void handle_bytes(void* map, std::span<const std::byte> message) const;

  world world_;
  int size_;
  stream_options options_;
  std::string types_;
  std::vector<map_operation> operations_;
  std::size_t built_ = 0;  // operations of the stream
  bool in_session_ = false;
  std::vector<pending_updates*> pending_;
  bool has_lost_updates_ = false;  // of the session
  dispatch_stream* plain_stream_ = nullptr;
  std::unique_ptr<array_stream> bytes_stream_;
  std::unique_ptr<stream_core> stream_;  // of plain messages
};

// Throws argument_error: the visitor belongs to another map.
[[noreturn]] void refuse_visitor_of_another_map();

}  // namespace boxcar::detail
