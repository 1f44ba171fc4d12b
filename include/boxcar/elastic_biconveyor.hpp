// A biconveyor whose queries and replies have any size.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/detail/biconveyor_base.hpp>
#include <boxcar/detail/elastic_core.hpp>
#include <boxcar/detail/ring.hpp>
#include <boxcar/session.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {

class elastic_biconveyor_core final : public biconveyor_base {
 public:
  using answer_function =
      std::function<void(std::span<const std::byte> query, std::vector<std::byte>& reply)>;

  elastic_biconveyor_core(const world& w, std::size_t largest_query, std::size_t largest_reply,
                          const conveyor_options& options);
  void begin(answer_function answer);
  bool push(std::span<const std::byte> query, int pe);
  bool pull(std::vector<std::byte>& reply);

 private:
  void serve() override;
  [[nodiscard]] bool all_sent() const override { return unsent_to_ < 0; }
  void collect() override;
  [[nodiscard]] std::size_t queue_bytes() const override;
  void release_queues() override;

  elastic_core queries_;
  elastic_core replies_;
  answer_function answer_;
  std::vector<std::byte> unsent_;
  int unsent_to_ = -1;  // whom the reply in `unsent_` could not be sent to
  std::vector<ring<std::vector<std::byte>>> arrived_;  // replies by the PE that gave them
  std::size_t arrived_bytes_ = 0;                      // of those replies
};

}  // namespace detail

// One PE's end; all else is as for `biconveyor` and `elastic_conveyor`.
class elastic_biconveyor {
 public:
  // Collective. No query and no reply will be larger than so many bytes.
  elastic_biconveyor(const world& w, std::size_t largest_query, std::size_t largest_reply,
                     const conveyor_options& options = {})
      : core_(w, largest_query, largest_reply, options) {}

  // Collective. Legal while dormant. `answer(query, reply)` is called for every query that arrives
  // at this PE, from within `advance`, with an empty `reply` to be filled. It must not use this
  // biconveyor.
  template <typename Answer>
  session begin(Answer answer) {
    constexpr bool can_answer =
        std::is_invocable_v<Answer&, std::span<const std::byte>, std::vector<std::byte>&>;
    static_assert(can_answer,
                  "`answer` must be callable as answer(query, reply), with a std::span<const "
                  "std::byte> and a std::vector<std::byte> to be filled");
    if constexpr (can_answer) core_.begin(std::move(answer));
    return session(core_);
  }

  [[nodiscard("false: there was no room")]] bool push(std::span<const std::byte> query, int pe) {
    return core_.push(query, pe);
  }
  // Replaces `reply` by the reply to the oldest query that has none yet; false if it has not
  // arrived.
  [[nodiscard("false: nothing had arrived")]] bool pull(std::vector<std::byte>& reply) {
    return core_.pull(reply);
  }

  advance_result advance(bool done) { return core_.advance(done); }
  void reset() { core_.reset(); }
  [[nodiscard]] conveyor_state state() const { return core_.state(); }
  [[nodiscard]] statistics query_statistics() const { return core_.query_statistics(); }
  [[nodiscard]] statistics reply_statistics() const { return core_.reply_statistics(); }
  // How queries and replies travel, and why it was chosen; a few lines of text.
  [[nodiscard]] std::string explain() const { return core_.explain(); }

 private:
  detail::elastic_biconveyor_core core_;
};

}  // namespace boxcar
