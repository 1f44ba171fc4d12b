// The sessions of remote functions.
#include <utility>

#include <boxcar/detail/remote_session.hpp>
#include <boxcar/error.hpp>

#include "collections/idle_flush.hpp"
#include "stream/active_streams.hpp"
#include "substrate/progress.hpp"

namespace boxcar::detail {

remote_session::remote_session(stream_core& calls, stream_core* replies, std::string_view function)
    : calls_(calls), replies_(replies), function_(function) {
  calls.set_purpose("calls of remote function " + function_);
  if (replies == nullptr) return;
  replies->set_purpose("replies of remote function " + function_);
  idle_flush_ = std::make_unique<idle_flush>(calls, *replies);
}

remote_session::~remote_session() {
  if (on()) {
    lose_session("the session of remote function " + function_ +
                 " was lost, because the function was destroyed: call finish (calls may not have "
                 "been delivered)");
  } else {
    release_session();
  }
}

// The calls begin first: a reply can be sent only where a call has arrived, and waits there until
// the replies have begun.
void remote_session::begin(const termination& ending) {
  calls_.begin(ending);
  if (replies_ == nullptr) return;
  replies_->begin(staged(1));
  replies_ending_ = false;
  idle_flush_->start();
}

void remote_session::end_replies() {
  if (std::exchange(replies_ending_, true)) return;
  replies_->done(1);
}

void remote_session::finish() {
  if (replies_ == nullptr) return calls_.finish();
  try {
    calls_.finish();
  } catch (const contract_error&) {
    // If all PEs got the exception, the session is over; otherwise it goes on.
    if (!calls_.on() && replies_->on()) {
      end_replies();
      replies_->finish();
      idle_flush_->stop();
    }
    throw;
  }
  end_replies();
  replies_->finish();
  idle_flush_->stop();
}

bool remote_session::poll() {
  if (calls_.poll()) return true;
  if (replies_ == nullptr) return false;
  end_replies();
  return replies_->poll();
}

// In a handler, replies may just be written into a buffer. They leave when the PE has nothing else
// to do.
void remote_session::flush() {
  calls_.flush();
  if (replies_ != nullptr && !active_streams::of_this_pe().handling()) replies_->flush();
}

void remote_session::done(std::int64_t producers) {
  calls_.done(producers);
}

bool remote_session::on() const {
  return calls_.on() || (replies_ != nullptr && replies_->on());
}

std::string remote_session::explain() const {
  std::string text = "remote function " + function_ + "\n" + calls_.explain();
  if (replies_ != nullptr) text += "replies: " + replies_->explain();
  return text;
}

void remote_session::leave(bool quietly) {
  try {
    calls_.leave(quietly);
  } catch (const contract_error&) {
    if (replies_ != nullptr) replies_->leave(true);
    throw;
  }
  if (replies_ != nullptr) replies_->leave(quietly);
}

void remote_session::require_replaceable() {
  if (replies_ != nullptr && !calls_.on()) replies_->require_replaceable();
  calls_.require_replaceable();
}

void remote_session::require_may_wait() const {
  progress::of_this_pe().refuse_within("the wait for a result of a remote function");
}

void remote_session::wait_until(bool (*is_over)(const void* what), const void* what) {
  require_may_wait();
  while (!is_over(what)) {
    if (!on()) {
      throw contract_error("the wait for a result of " + function_ +
                           ": the function has no session any more");
    }
    poll();
  }
}

}  // namespace boxcar::detail
