// The sessions of a biconveyor: begin, advance and reset of the conveyors for queries and for
// replies.
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <boxcar/detail/biconveyor_base.hpp>
#include <boxcar/error.hpp>

#include "conveyor/contract.hpp"

namespace boxcar::detail {
namespace {

// While answers are given, the client can neither advance nor reset the biconveyor.
class answering_scope {
 public:
  explicit answering_scope(contract& rules) : rules_(rules) { rules_.hand_out(); }
  answering_scope(const answering_scope&) = delete;
  answering_scope& operator=(const answering_scope&) = delete;
  ~answering_scope() { rules_.took_back(); }

 private:
  contract& rules_;
};

}  // namespace

biconveyor_base::biconveyor_base(conveyor_base& queries, conveyor_base& replies,
                                 const conveyor_options& options)
    : making_(std::in_place, "making a biconveyor"),
      queries_(queries),
      replies_(replies),
      rules_(std::make_unique<contract>()),
      dynamic_memory_(options.dynamic_memory),
      is_tuned_(options.tune) {}

biconveyor_base::~biconveyor_base() {
  if (state() == conveyor_state::dormant) {
    release_session();
  } else {
    lose_session("a biconveyor was destroyed in the middle of a session: end the session first");
  }
}

conveyor_options biconveyor_base::for_each(conveyor_options options) {
  options.steady = true;
  options.max_bytes = (options.max_bytes + 1) / 2;
  return options;
}

conveyor_options biconveyor_base::for_replies(const conveyor_options& options) {
  conveyor_options o = for_each(options);
  o.tune = false;
  return o;
}

void biconveyor_base::build_replies() {
  if (is_tuned_) replies_.build_as(queries_);
}

void biconveyor_base::require_dormant() const {
  rules_->require(operation::begin);
}

void biconveyor_base::take_back(conveyor_base& begun) {
  while (begun.advance(true)) {
  }
  begun.reset();
}

void biconveyor_base::begun(std::size_t window) {
  asked_whom_.make(window);
  rules_->begun();
}

void biconveyor_base::refuse_if_illegal(int pe) const {
  rules_->require(operation::push);
  queries_.check_destination(pe);
  was_full_ = true;
}

void biconveyor_base::require_pull() const {
  rules_->require(operation::pull);
}

advance_result biconveyor_base::advance(bool done) {
  rules_->require(operation::advance, done);
  if (state() == conveyor_state::complete) return advance_result::done;
  // The conveyor of replies makes progress without a known end, but the PE waits.
  std::optional<called_scope> scope;
  if (std::exchange(was_full_, false) || done)
    scope.emplace("advance of a biconveyor", called_scope::kind::turn);
  const bool asking = static_cast<bool>(queries_.advance(done));
  answer_queries();
  // The PE sends no more replies once no query can arrive and no reply waits for room.
  const bool replying = static_cast<bool>(replies_.advance(!asking && all_sent()));
  collect();
  advance_result result = advance_result::ok;
  if (!replying) result = nothing_asked() ? advance_result::done : advance_result::near;
  rules_->advanced(done, result);
  if (is_tuned_ && state() == conveyor_state::complete) queries_.complete_now();
  if (state() != conveyor_state::working) asked_whom_.close();
  if (result == advance_result::near) {
    replies_.wait_for_pull(reinterpret_cast<std::uintptr_t>(asked_whom_.front()));
  }
  return result;
}

void biconveyor_base::answer_queries() {
  const answering_scope answering(*rules_);
  const auto fail = [this](const std::string& problem) {
    queries_.fail("a query to a biconveyor has no reply: " + problem);
    rules_->fail();
  };
  try {
    serve();
  } catch (const world_error&) {
    throw;
  } catch (const std::exception& e) {
    fail(e.what());
    throw;
  } catch (...) {
    fail("the answering function threw something that is no std::exception");
    throw;
  }
}

void biconveyor_base::reset() {
  const called_scope scope("reset of a biconveyor");
  rules_->require(operation::reset);
  if (state() == conveyor_state::dormant) return;
  replies_.reset();  // the reverse of `begin`: memory is released in reverse order
  queries_.reset();
  if (dynamic_memory_) {
    asked_whom_.release();
    release_queues();
  }
  rules_->was_reset();
}

void biconveyor_base::leave(bool quietly) {
  if (state() == conveyor_state::dormant) return;
  if (state() == conveyor_state::complete) {
    if (!quietly) reset();
    return;
  }
  queries_.leave(true);
  replies_.leave(true);
  if (!quietly) {
    throw contract_error("a session was left unfinished: " + rules_->explain(operation::reset));
  }
}

void biconveyor_base::require_free() const {
  rules_->require(operation::free);
}

statistics biconveyor_base::reply_statistics() const {
  statistics s = replies_.session_statistics();
  s.memory_bytes += asked_whom_.memory_bytes() + queue_bytes();
  return s;
}

std::string biconveyor_base::explain() const {
  const std::string queries = queries_.explain();
  const std::string replies = replies_.explain();
  if (queries == replies) return queries;
  return "queries: " + queries + "replies: " + replies;
}

conveyor_state biconveyor_base::state() const {
  return rules_->state();
}

}  // namespace boxcar::detail
