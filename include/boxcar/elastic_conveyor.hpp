// An elastic conveyor carries items of any size, from none to gigabytes (conveyors-2019, sections
// 3.6 and 4.4).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <bit>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/detail/elastic_core.hpp>
#include <boxcar/session.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// A pulled item, in place in the buffer: valid until the next pull, unpull or reset.
struct elastic_item {
  std::span<const std::byte> bytes;
  int from;

  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

// The end of an elastic conveyor on one PE. As `conveyor`, but each item has its own size.
// Asynchronous, with 1, 2 or 3 hops. The states, the guarantees and the errors of `conveyor` apply.
class elastic_conveyor {
 public:
  // Collective. Items have at most `largest_item` bytes. Items that fit in a buffer travel in a
  // buffer. Larger items, monsters, wait at their sender until the receiver fetches them
  // (rendezvous): a push fails while more than `largest_item` bytes wait.
  elastic_conveyor(const world& w, std::size_t largest_item, const conveyor_options& options = {})
      : core_(w, {largest_item, largest_item}, options) {}

  // Collective. Legal while dormant. Starts a session and returns the scope of the session.
  session begin() {
    core_.begin();
    return session(core_);
  }

  // Local, never blocks. Legal while working. Sends the bytes to `pe`, or returns false if there is
  // no room now. Throws argument_error if the PE does not exist, or the item is larger than
  // `largest_item`.
  [[nodiscard("false: there was no room")]] bool push(std::span<const std::byte> item, int pe) {
    return core_.push(item.data(), item.size(), pe);
  }
  [[nodiscard("false: there was no room")]] bool push(std::string_view text, int pe) {
    return core_.push(text.data(), text.size(), pe);
  }

  // Local. Legal unless dormant. Returns the next item, or nothing if no item has arrived; an item
  // of size zero if the item was pushed with size zero. The bytes begin at an address that
  // `alignment`, a power of two up to 4096, divides; an alignment above 4 may take a copy. Throws
  // argument_error for another alignment.
  [[nodiscard("this is the item")]] std::optional<elastic_item> pull(std::size_t alignment = 1) {
    if (!std::has_single_bit(alignment) || alignment > detail::elastic_core::max_alignment)
        [[unlikely]]
      detail::elastic_core::refuse_alignment(alignment);
    const auto item = core_.pull();
    if (item.data == nullptr) return std::nullopt;
    return elastic_item{{core_.aligned(item, alignment), item.bytes}, core_.from()};
  }

  // The functions behave as in `conveyor`.
  [[nodiscard("false: nothing was put back")]] bool unpull() { return core_.unpull(); }
  advance_result advance(bool done) { return core_.advance(done); }
  void reset() { core_.reset(); }
  [[nodiscard]] conveyor_state state() const { return core_.state(); }
  [[nodiscard]] statistics session_statistics() const { return core_.session_statistics(); }
  [[nodiscard]] statistics total_statistics() const { return core_.total_statistics(); }
  [[nodiscard]] std::size_t buffer_bytes() const { return core_.buffer_bytes(); }
  [[nodiscard]] std::string explain() const { return core_.explain(); }

 private:
  detail::elastic_core core_;
};

}  // namespace boxcar
