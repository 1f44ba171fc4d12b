// An elastic biconveyor is a biconveyor whose queries and replies have any size.
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

// The end of an elastic biconveyor on one PE; everything else is as for `biconveyor` and
// `elastic_conveyor`.
class elastic_biconveyor {
 public:
  // Collective. Queries have at most `largest_query` bytes, replies at most `largest_reply`.
  elastic_biconveyor(const world& w, std::size_t largest_query, std::size_t largest_reply,
                     const conveyor_options& options = {})
      : core_(w, largest_query, largest_reply, options) {}

  // Collective. Legal while dormant. Starts a session and returns the scope of the session.
  // `answer(query, reply)` is called for every query that arrives at the PE, from within `advance`,
  // and must not use the same biconveyor. `reply` is an `elastic_reply&`, written directly in the
  // buffer in which the reply travels, or an empty `std::vector<std::byte>&` to be filled and
  // copied into the buffer; a function that takes either gets an `elastic_reply&`.
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
  // Returns the reply to the oldest query without a reply, or nothing if the reply has not arrived;
  // an empty span if the reply has no bytes. Valid until the next pull, advance or reset.
  [[nodiscard("nothing: none had arrived")]] std::optional<std::span<const std::byte>> pull() {
    return core_.pull();
  }
  // Copies the reply, and replaces the content of `reply`. Returns false if the reply has not
  // arrived.
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
  // Returns a few lines of text: how queries and replies travel, and the reasons.
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
