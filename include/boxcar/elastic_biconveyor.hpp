// A biconveyor whose queries and replies have any size.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/detail/elastic_biconveyor_core.hpp>
#include <boxcar/detail/elastic_packet.hpp>
#include <boxcar/elastic_reply.hpp>
#include <boxcar/session.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// One PE's end; all else is as for `biconveyor` and `elastic_conveyor`.
class elastic_biconveyor {
 public:
  // Collective. No query and no reply will be larger than so many bytes.
  elastic_biconveyor(const world& w, std::size_t largest_query, std::size_t largest_reply,
                     const conveyor_options& options = {})
      : core_(w, largest_query, largest_reply, options) {}

  // Collective. Legal while dormant. `answer(query, reply)` is called for every query that arrives
  // at this PE, from within `advance`. It must not use this biconveyor. `reply` is an
  // `elastic_reply&`, which is written where it travels, or an empty `std::vector<std::byte>&` to
  // be filled, which is copied there; a function that takes either is given the former.
  template <typename Answer>
  session begin(Answer answer) {
    static_assert(detail::elastic_answer<Answer>,
                  "`answer` must be callable as answer(query, reply), with a std::span<const "
                  "std::byte> and an elastic_reply&, or a std::vector<std::byte>& to be filled");
    if constexpr (detail::elastic_answer<Answer>) {
      core_.begin(std::make_unique<answered_by<Answer>>(std::move(answer)));
    }
    return session(core_);
  }

  [[nodiscard("false: there was no room")]] bool push(std::span<const std::byte> query, int pe) {
    return core_.push(query, pe);
  }
  // The reply to the oldest query that has none yet, or nothing if it has not arrived; without
  // bytes if it was given none. Good until the next pull, advance or reset.
  [[nodiscard("nothing: none had arrived")]] std::optional<std::span<const std::byte>> pull() {
    return core_.pull();
  }
  // The same, copied: it replaces `reply`. False if it has not arrived.
  [[nodiscard("false: nothing had arrived")]] bool pull(std::vector<std::byte>& reply) {
    const auto arrived = core_.pull();
    if (!arrived) return false;
    reply.resize(arrived->size());
    detail::copy_bytes(reply.data(), arrived->data(), arrived->size());
    return true;
  }

  advance_result advance(bool done) { return core_.advance(done); }
  void reset() { core_.reset(); }
  [[nodiscard]] conveyor_state state() const { return core_.state(); }
  [[nodiscard]] statistics query_statistics() const { return core_.query_statistics(); }
  [[nodiscard]] statistics reply_statistics() const { return core_.reply_statistics(); }
  // How queries and replies travel, and why it was chosen; a few lines of text.
  [[nodiscard]] std::string explain() const { return core_.explain(); }

 private:
  template <typename Answer>
  class answered_by final : public detail::elastic_biconveyor_loop {
   public:
    explicit answered_by(Answer answer) : answer_(std::move(answer)) {}
    void serve(detail::elastic_reply_desk& desk) override { desk.serve(answer_); }

   private:
    Answer answer_;
  };

  detail::elastic_biconveyor_core core_;
};

}  // namespace boxcar
