// The sessions and messages of the two streams of a collection.
#include <chrono>
#include <utility>

#include <boxcar/detail/collection_core.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/error.hpp>

#include "collections/idle_flush.hpp"
#include "stream/active_streams.hpp"
#include "substrate/agreement.hpp"
#include "substrate/progress.hpp"

namespace boxcar::detail {
namespace {

stream_options control_options(stream_options options) {
  // PEs hold items until control messages arrive.
  options.flush_after = std::chrono::microseconds(50);
  options.look_ahead = 0;
  options.tune = false;
  options.items_per_pe = 0;
  options.buffer_bytes = 8192;
  return options;
}

}  // namespace

collection_streams::collection_streams(const world& w, std::vector<message_kind> kinds,
                                       const stream_options& options, control_handler on_control)
    : items_(w, std::move(kinds), options),
      control_(std::make_unique<handled_array_stream<std::byte, control_handler>>(
          w, std::move(on_control), control_options(options))),
      idle_flush_(std::make_unique<idle_flush>(items_, *control_)) {
  items_.couple_with(*control_);
}

collection_streams::~collection_streams() = default;

void collection_streams::set_purpose(const std::string& owner) {
  items_.set_purpose("items of " + owner);
  control_->set_purpose("other messages of " + owner);
}

void collection_streams::begin(const termination& ending, bool has_replies) {
  // Handlers of items send control messages: on every PE the control session begins earlier and
  // ends later than the session of items.
  control_->begin(quiescence());
  items_.begin(ending);
  if (has_replies) idle_flush_->start();
}

void collection_streams::finish() {
  try {
    items_.finish();
  } catch (const contract_error&) {
    // If all PEs got the exception, the session is over; otherwise it goes on.
    if (!items_.on() && control_->on()) finish_control();
    throw;
  }
  finish_control();
}

void collection_streams::finish_control() {
  control_->finish();
  idle_flush_->stop();
}

void collection_streams::start_sending() {
  active_streams::of_this_pe().enter_handler();
}

void collection_streams::end_sending() {
  active_streams::of_this_pe().leave_handler();
}

void collection_streams::send_control(std::span<const std::byte> message, int pe) {
  send_without_waiting([&](dispatch_stream&) { control_->send(message, pe); });
}

void collection_streams::broadcast_control(std::span<const std::byte> message) {
  send_without_waiting([&](dispatch_stream&) { control_->broadcast(message); });
}

void collection_streams::await_control() {
  constexpr std::size_t few = 16;
  const auto are_few = [this] { return control_->num_held_back() <= few; };
  if (!are_few()) wait_until(are_few);
}

void collection_streams::flush() {
  items_.flush();
  control_->flush();
}

void collection_streams::flush_what_waits() {
  items_.flush_what_waits(false);
  control_->flush_what_waits(false);
}

bool collection_streams::make_progress() {
  if (is_in_handler()) return false;
  if (!progress::of_this_pe().make()) flush_what_waits();
  return true;
}

void collection_streams::wait_until(const std::function<bool()>& holds) {
  control_->wait_outside_of_handlers([&] {
    if (holds()) return true;
    items_.flush_what_waits(false);
    return false;
  });
}

void collection_streams::require_may_wait() {
  progress::of_this_pe().refuse_within("the wait for a result of a function on an object");
}

bool collection_streams::is_in_handler() {
  return active_streams::of_this_pe().handling();
}

void refuse_object_of_another_collection() {
  throw argument_error(
      "the object belongs to another collection than the function: make the "
      "function by `function` of the object's collection");
}

void refuse_handler_of_another_collection() {
  throw argument_error(
      "the handler number belongs to another collection: use a number that on_item, on_array or "
      "on_chunk of this collection has returned on this PE");
}

void agree_on(const world& w, const std::string& problem, const std::string& subject,
              const std::string& owner, const std::string& what, const std::string& text) {
  agreement same;
  if (!problem.empty()) same.object(problem);
  same.on(what, text);
  same.require(*w.substrate(), subject, owner);
}

}  // namespace boxcar::detail
