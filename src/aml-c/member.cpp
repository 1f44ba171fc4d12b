#include "aml-c/member.hpp"

#include <string>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/termination.hpp>

#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"
#include "world/implicit_world.hpp"
#include "world/in_call.hpp"
#include "world/join.hpp"

// The values of `direct` other than the PE itself; the first value is in aml.h, too.
namespace {
constexpr int handler_runs = -1;
constexpr int own_messages_wait = -2;
}  // namespace

__thread boxcar_aml_pe boxcar_aml = {nullptr, nullptr, 0, 0, handler_runs, handler_runs};

namespace boxcar::aml_c {
namespace {

constexpr int max_handlers = 256;

thread_local constinit member* of_this_pe = nullptr;

void refuse_message(int from, void*, int length) {
  detail::in_call("aml_send", [&] {
    throw contract_error("a message of " + std::to_string(length) + " bytes from PE " +
                         std::to_string(from) +
                         " has no handler here: call aml_register_handler with its number before "
                         "any PE sends the message");
  });
}

void require_handler(int number) {
  if (number >= 0 && number < max_handlers) return;
  throw argument_error("there is no handler " + std::to_string(number) +
                       ": handlers are numbered from 0 to " + std::to_string(max_handlers - 1));
}

bool runs_handler() {
  return boxcar_aml.direct == handler_runs;
}

class value_in_scope {
 public:
  value_in_scope(bool& variable, bool value)
      : variable_(variable), before_(std::exchange(variable, value)) {}
  value_in_scope(const value_in_scope&) = delete;
  value_in_scope& operator=(const value_in_scope&) = delete;
  ~value_in_scope() { variable_ = before_; }

 private:
  bool& variable_;
  bool before_;
};

}  // namespace

member::member(world& w)
    : world_(w),
      handlers_(max_handlers, refuse_message),
      outbox_(w.rank(), w.size(),
              [this](std::span<const batch_unit> batch, int pe) {
                stream_.send(std::as_bytes(batch), pe);
              }),
      stream_(w, receiver{this}, {}) {
  boxcar_aml = {outbox_.lanes(), handlers_.data(), w.rank(), w.size(), w.rank(), w.rank()};
  begin_session();
}

member::~member() {
  boxcar_aml = {nullptr, nullptr, 0, 0, handler_runs, handler_runs};
}

void member::begin() {
  if (of_this_pe != nullptr) {
    throw contract_error("it has been called already: call it once, before all else");
  }
  if (detail::progress::is_fiber()) {
    throw contract_error(
        "PEs of a simulated machine share a thread, and AML has one PE in a thread: use PEs that "
        "are threads or processes");
  }
  world& w = detail::implicit_world();
  of_this_pe = new member(w);
  // A PE of `boxcar::run` may end without aml_finalize. If a whole process is a PE, the member ends
  // with the process.
  if (detail::current_world() == nullptr) return;
  detail::at_end_of_run([begun = of_this_pe] {
    if (of_this_pe == begun) forget();
  });
}

void member::forget() {
  delete std::exchange(of_this_pe, nullptr);
}

void member::end() {
  member& here = member::here();
  // The PE has left the world if an atexit handler calls aml_finalize.
  if (here.world_.substrate()->has_departed()) return;
  here.end_session();
  forget();
}

member& member::here() {
  if (of_this_pe != nullptr) return *of_this_pe;
  throw contract_error(
      "aml_init has not been called by this PE, or aml_finalize has: call this between the two");
}

void member::send(const void* data, int type, int length, int pe) {
  if (pe < 0 || pe >= world_.size()) {
    throw argument_error("there is no PE " + std::to_string(pe) +
                         ": the PEs are numbered from 0 to " + std::to_string(world_.size() - 1));
  }
  require_handler(type);
  if (length < 0) {
    throw argument_error("a message has " + std::to_string(length) + " bytes: give 0 or more");
  }
  if (runs_handler()) {
    // Later messages to the PE itself stay behind the message of the handler.
    if (pe == world_.rank()) boxcar_aml.usual_direct = own_messages_wait;
    outbox_.put(data, type, length, pe);
    return;
  }
  const value_in_scope accepting(accepts_, true);
  handle_kept();
  outbox_.put(data, type, length, pe);
}

void member::barrier() {
  end_session();
  begin_session();
}

void member::set_handler(boxcar_aml_handler handler, int number) {
  require_handler(number);
  end_session();
  handlers_[static_cast<std::size_t>(number)] = handler == nullptr ? refuse_message : handler;
  begin_session();
}

void member::begin_session() {
  boxcar_aml.direct = boxcar_aml.usual_direct = world_.rank();
  stream_.begin(quiescence());
}

void member::end_session() {
  if (runs_handler()) throw contract_error("a handler has called it: handlers may only send");
  const value_in_scope accepting(accepts_, true);
  do {
    handle_kept();
  } while (outbox_.flush() || !kept_.empty());
  const value_in_scope ending(is_ending_, true);
  stream_.finish();
}

void member::receive(std::span<const batch_unit> batch) {
  if (!accepts_ || runs_handler()) {
    kept_.emplace_back(batch.begin(), batch.end());
    return;
  }
  handle_kept();
  handle(batch);
}

void member::handle(std::span<const batch_unit> batch) {
  boxcar_aml.direct = handler_runs;
  handle_batch(batch, handlers_);
  boxcar_aml.direct = boxcar_aml.usual_direct;
  if (is_ending_) outbox_.flush();
}

void member::handle_kept() {
  while (!kept_.empty()) {
    const std::vector<batch_unit> batch = std::move(kept_.front());
    kept_.pop_front();
    handle(batch);
  }
}

}  // namespace boxcar::aml_c
