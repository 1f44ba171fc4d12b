// A conveyor whose sort and item size are known at run time only, so that a test can be written
// once for all sorts.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include <boxcar/conveyor_state.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/world.hpp>

#include "support/conveyor_setup.hpp"

namespace boxcar::test {

enum class pull_way { copy, copy_with_source, pointer, pointer_with_source };

constexpr bool is_copy(pull_way way) {
  return way == pull_way::copy || way == pull_way::copy_with_source;
}
constexpr bool tells_source(pull_way way) {
  return way == pull_way::copy_with_source || way == pull_way::pointer_with_source;
}

// A pulled item: valid until the next pull. `data` is nullptr if there was none.
struct pulled_item {
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
};

// All functions forward to the functions of the conveyor.
class any_conveyor {
 public:
  virtual ~any_conveyor() = default;

  // Begins, calls `body`, and leaves the scope of the session.
  virtual void in_session(const std::function<void()>& body) = 0;
  // Items have the size of the conveyor's items, or at most that size if the conveyor is elastic.
  virtual bool push(std::span<const std::byte> item, int pe) = 0;
  // `from` is set if the pull function reports the source.
  virtual pulled_item pull(pull_way way, int& from) = 0;
  // Elastic conveyors have no such function; here it is a loop.
  virtual void pull_all(const std::function<void(pulled_item, int from)>& take) = 0;
  virtual int last_source() = 0;
  virtual bool unpull() = 0;
  virtual advance_result advance(bool done) = 0;
  virtual void reset() = 0;
  [[nodiscard]] virtual conveyor_state state() const = 0;
  [[nodiscard]] virtual statistics session_statistics() const = 0;
  [[nodiscard]] virtual statistics total_statistics() const = 0;

  // The alignment of an item pulled by pointer.
  [[nodiscard]] virtual std::size_t alignment() const = 0;
};

// Collective.
std::unique_ptr<any_conveyor> make_conveyor(const world& w, const conveyor_setup& setup);

}  // namespace boxcar::test
