// A conveyor for items of any size, from none to gigabytes (conveyors-2019, sections 3.6 and 4.4).
#pragma once

#include <boxcar/detail/cpp20.hpp>

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

// An item that was pulled. It lies where it arrived: valid until the next pull, unpull or reset.
struct elastic_item {
  std::span<const std::byte> bytes;
  int from;

  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

// As `conveyor`, but each item has its own size. Asynchronous, of 1, 2 or 3 hops. The states, the
// promises and the errors are those of `conveyor`.
class elastic_conveyor {
 public:
  // Collective. No item will be larger than `largest_item` bytes. Items that fit in a buffer travel
  // in it. Larger ones, monsters, wait at their sender until they are fetched: a push fails while
  // more than `largest_item` bytes wait.
  elastic_conveyor(const world& w, std::size_t largest_item, const conveyor_options& options = {})
      : core_(w, {largest_item, largest_item}, options) {}

  // Collective. Legal while dormant.
  session begin() {
    core_.begin();
    return session(core_);
  }

  // Local, never blocks. Legal while working. Sends the bytes to `pe`, or returns false if there is
  // no room now. Throws argument_error if there is no such PE, or the item is larger than agreed.
  [[nodiscard("false: there was no room")]] bool push(std::span<const std::byte> item, int pe) {
    return core_.push(item.data(), item.size(), pe);
  }
  [[nodiscard("false: there was no room")]] bool push(std::string_view text, int pe) {
    return core_.push(text.data(), text.size(), pe);
  }

  // Local. Legal unless dormant. The next item, or nothing if none has arrived; of size zero if it
  // was pushed so. The bytes begin at an address that `alignment`, a power of two, divides; above 4
  // that may take a copy.
  [[nodiscard("this is the item")]] std::optional<elastic_item> pull(std::size_t alignment = 1) {
    const auto item = core_.pull();
    if (item.data == nullptr) return std::nullopt;
    return elastic_item{{core_.aligned(item, alignment), item.bytes}, core_.from()};
  }

  // As those of `conveyor`.
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
