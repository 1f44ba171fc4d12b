// The session of a remote function: of the stream of calls, and of the stream of replies if the
// function has a result. The calls end by the rule that the program chooses; the replies end, in
// stages, when all calls have been answered.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/detail/stream_core.hpp>
#include <boxcar/session.hpp>
#include <boxcar/termination.hpp>

namespace boxcar::detail {

class idle_flush;

class remote_session final : public session_owner, public reply_session {
 public:
  // `replies` may be nullptr. Precondition: the streams outlive the session.
  remote_session(stream_core& calls, stream_core* replies, std::string_view function);
  remote_session(const remote_session&) = delete;
  remote_session& operator=(const remote_session&) = delete;
  ~remote_session();

  // The functions of remote_function.
  void begin(const termination& ending);
  void finish();
  bool poll();
  void flush();
  void done(std::int64_t producers);
  [[nodiscard]] bool on() const;
  [[nodiscard]] std::string explain() const;

  void leave(bool quietly) override;
  void require_replaceable();
  // Throws contract_error in a handler.
  void require_may_wait() const;
  void wait_until(bool (*is_over)(const void* what), const void* what) override;

 private:
  void end_replies();

  stream_core& calls_;
  stream_core* replies_;
  std::string function_;  // the name
  bool replies_ending_ = false;
  std::unique_ptr<idle_flush> idle_flush_;  // nullptr: there are no replies
};

}  // namespace boxcar::detail
