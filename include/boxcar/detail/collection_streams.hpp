// The two streams of a collection on one PE. Items to objects travel as messages of a fixed size;
// the control stream carries everything else: objects that migrate, forwarded items, arrays,
// locations. A session is a session of both streams; it ends when nothing of either stream is held
// or in flight anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boxcar/detail/array_stream.hpp>
#include <boxcar/detail/dispatch_stream.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/stream_statistics.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

class idle_flush;

class collection_streams {
 public:
  using control_handler = std::function<void(std::span<const std::byte>)>;

  // Collective. Throws as the constructor of a stream does.
  collection_streams(const world& w, std::vector<message_kind> kinds, const stream_options& options,
                     control_handler on_control);
  ~collection_streams();

  [[nodiscard]] dispatch_stream& items() { return items_; }
  // Names the streams in traces; `owner`: "a collection of double".
  void set_purpose(const std::string& owner);

  // Collective.
  // `has_replies`: PEs wait for replies, so that buffers leave when a PE has nothing else to do.
  void begin(const termination& ending, bool has_replies);
  void finish();

  // Local. Legal in a session, also in a handler. The functions never wait, and call no handler:
  // what a router decides and what it sends is one step. Messages without a buffer are kept.
  void send_control(std::span<const std::byte> message, int pe);
  void broadcast_control(std::span<const std::byte> message);
  template <typename Send>
  void send_without_waiting(const Send& send) {
    start_sending();
    try {
      send(items_);
    } catch (...) {
      end_sending();
      throw;
    }
    end_sending();
  }
  // Waits, unless called in a handler, until few control messages of the PE are kept. Called before
  // a decision, as handlers may be called meanwhile.
  void await_control();
  void flush();
  // Sends the buffers of links without unread buffers: awaited messages leave soon, and many share
  // a buffer.
  void flush_what_waits();

  [[nodiscard]] bool poll() { return items_.poll(); }
  // A reply may arrive while the control session goes on, after the session of items.
  [[nodiscard]] bool may_get_replies() const { return control_->on(); }
  void poll_replies() { static_cast<void>(items_.on() ? items_.poll() : control_->poll()); }
  // Makes progress, unless called in a handler, and sends waiting buffers. Returns false in a
  // handler.
  bool make_progress();
  // Waits, unless called in a handler, until a condition holds that progress makes true.
  void wait_until(const std::function<bool()>& holds);
  [[nodiscard]] static bool is_in_handler();
  // Throws contract_error in a handler.
  static void require_may_wait();
  [[nodiscard]] bool on() const { return items_.on(); }
  [[nodiscard]] stream_statistics control_statistics() const {
    return control_->session_statistics();
  }

 private:
  // While a PE is sending, as in a handler, no send waits.
  static void start_sending();
  static void end_sending();
  void finish_control();

  dispatch_stream items_;
  std::unique_ptr<array_stream> control_;
  std::unique_ptr<idle_flush> idle_flush_;
};

// Collective. Throws argument_error on all PEs if a PE has a problem, or if the texts differ
// between PEs. `subject` names the function, `owner` the object whose `what` differs.
void agree_on(const world& w, const std::string& problem, const std::string& subject,
              const std::string& owner, const std::string& what, const std::string& text);

}  // namespace boxcar::detail
