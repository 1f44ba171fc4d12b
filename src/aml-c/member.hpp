// The AML state of a PE between aml_init and aml_finalize: handlers, the outbox, and a stream that
// carries batches of messages.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include <boxcar/aml-c/aml.h>
#include <boxcar/detail/array_stream.hpp>
#include <boxcar/world.hpp>

#include "aml-c/message_batch.hpp"
#include "aml-c/outbox.hpp"

namespace boxcar::aml_c {

// Functions belong to the thread of the PE. The stream has a session at all times; a barrier ends
// the session and begins the next one.
class member {
 public:
  // Collective. The PE of this thread begins, or ends, to use AML. Throw contract_error if AML is
  // already, or not, in use.
  static void begin();
  static void end();
  // Returns the member of this PE. Throws contract_error outside of begin and end.
  static member& here();

  [[nodiscard]] world& all() { return world_; }

  // Local. Sends a message that the function aml_send cannot put into an open batch. Throws
  // argument_error if the PE, the handler's number or the length is impossible.
  void send(const void* data, int type, int length, int pe);
  // Collective. Handles messages until every message has been handled on all PEs.
  void barrier();
  // Collective. As `barrier`; sets a handler; nullptr: none.
  void set_handler(boxcar_aml_handler handler, int number);

 private:
  struct receiver {
    member* pe;
    void operator()(std::span<const batch_unit> batch) const { pe->receive(batch); }
  };

  explicit member(world& w);
  ~member();
  member(const member&) = delete;
  member& operator=(const member&) = delete;
  static void forget();

  void receive(std::span<const batch_unit> batch);
  void handle(std::span<const batch_unit> batch);
  void handle_kept();
  void begin_session();
  void end_session();

  world& world_;
  std::vector<boxcar_aml_handler> handlers_;
  outbox outbox_;
  detail::handled_array_stream<batch_unit, receiver> stream_;
  // Batches that arrived while no handler could run: another handler was running, or the PE was in
  // a function other than aml_send and aml_barrier.
  std::deque<std::vector<batch_unit>> kept_;
  bool accepts_ = false;    // the PE is in aml_send or aml_barrier
  bool is_ending_ = false;  // the session: handlers' messages leave without waiting for others
};

}  // namespace boxcar::aml_c
