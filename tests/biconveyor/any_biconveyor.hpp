// A biconveyor for queries and replies whose sizes are known at run time only, fixed-size or
// elastic, so that a test can be written once for all sizes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/world.hpp>

namespace boxcar::test {

// The sizes of a query and a reply, in bytes.
struct question_sizes {
  std::size_t query = 8;
  std::size_t reply = 8;
};

// All functions forward to the functions of boxcar::biconveyor.
class any_biconveyor {
 public:
  using answer = std::function<void(std::span<const std::byte> query, std::span<std::byte> reply)>;

  virtual ~any_biconveyor() = default;
  // Begins, calls `body`, and leaves the scope of the session.
  virtual void in_session(const answer& a, const std::function<void()>& body) = 0;
  virtual bool push(std::span<const std::byte> query, int pe) = 0;
  virtual bool pull(std::span<std::byte> reply) = 0;
  virtual advance_result advance(bool done) = 0;
  virtual void reset() = 0;
  [[nodiscard]] virtual conveyor_state state() const = 0;
  [[nodiscard]] virtual statistics query_statistics() const = 0;
  [[nodiscard]] virtual statistics reply_statistics() const = 0;
};

// The supported sizes.
std::span<const question_sizes> all_question_sizes();

// Collective.
std::unique_ptr<any_biconveyor> make_biconveyor(const world& w, question_sizes sizes,
                                                const conveyor_options& options);

}  // namespace boxcar::test
