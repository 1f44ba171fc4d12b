// A biconveyor carries queries to PEs, and returns one reply to each query. Replies are pulled in
// the order in which the queries were pushed (conveyors-2019, section 6.1).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include <boxcar/conveyor.hpp>
#include <boxcar/detail/biconveyor_core.hpp>

namespace boxcar {

// The end of a biconveyor on one PE. The states, the guarantees and the errors of `conveyor` apply.
// In addition, a biconveyor is steady, and progress needs only that every PE keeps calling
// `advance`.
template <typename Query, typename Reply>
class biconveyor {
  static_assert(detail::requires_item<Query>);
  static_assert(detail::requires_item<Reply>);

 public:
  // Collective. As for `conveyor`, of any kind; `steady` is implied.
  explicit biconveyor(const world& w, const conveyor_options& options = {})
      : core_(w, sizeof(Query), sizeof(Reply), options, detail::identity_of<Query>,
              detail::identity_of<Reply>) {}

  // Collective. Legal while dormant. Starts a session and returns the scope of the session.
  // `answer(query)` is called for every query that arrives at the PE, from within `advance`, and
  // returns the reply. `answer` must not use the same biconveyor: `advance` and `reset` throw
  // contract_error then. If `answer` throws, the exception leaves `advance`, and the world has
  // failed.
  template <typename Answer>
  session begin(Answer answer) {
    constexpr bool can_answer = std::is_invocable_r_v<Reply, Answer&, const Query&>;
    static_assert(can_answer, "`answer` must be callable as answer(query), and return a reply");
    if constexpr (can_answer) {
      core_.begin(sizeof(Query), sizeof(Reply), std::make_unique<typed<Answer>>(std::move(answer)));
    }
    return session(core_);
  }

  // Local, never blocks. Legal while working. Sends the query to `pe`; returns false if there is no
  // room now, or too many replies have not been pulled. Throws argument_error if the PE does not
  // exist.
  [[nodiscard("false: there was no room")]] bool push(const Query& query, int pe) {
    return core_.push_item(query, pe);
  }

  // Local, never blocks. Legal unless dormant. Takes the reply to the oldest query whose reply was
  // not yet pulled; returns false if the reply has not arrived.
  [[nodiscard("false: nothing had arrived")]] bool pull(Reply& reply) {
    return core_.pull_into(&reply, sizeof(Reply));
  }

  // The functions behave as in `conveyor`; `done` also means that every reply has been pulled.
  advance_result advance(bool done) { return core_.advance(done); }
  void reset() { core_.reset(); }
  [[nodiscard]] conveyor_state state() const { return core_.state(); }
  [[nodiscard]] statistics query_statistics() const { return core_.query_statistics(); }
  // The memory in the result includes memory for replies that wait to be pulled.
  [[nodiscard]] statistics reply_statistics() const { return core_.reply_statistics(); }
  // Returns a few lines of text: how queries and replies travel, and the reasons.
  [[nodiscard]] std::string explain() const { return core_.explain(); }

 private:
  template <typename Answer>
  class typed final : public detail::biconveyor_loops {
   public:
    explicit typed(Answer answer) : answer_(std::move(answer)) {}
    void serve(detail::reply_desk& desk) override {
      desk.serve_items<Query, Reply>([this](const Query& query, int) { return answer_(query); });
    }

    void collect(detail::conveyor_core& replies, detail::reply_queues& arrived) override {
      collect_all(sizeof(Reply), replies, arrived);
    }

   private:
    Answer answer_;
  };

  detail::biconveyor_core core_;
};

}  // namespace boxcar
