#include "one_sided/rpc_engine.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "one_sided/invalid_request.hpp"

namespace boxcar::detail {

rpc_engine& rpc_engine::of(substrate& world) {
  if (world.finalizer() == nullptr) world.finish_pending_starts();
  if (world.finalizer() == nullptr) {
    world.set_finalizer(std::unique_ptr<rpc_engine>(new rpc_engine(world)));
  }
  return static_cast<rpc_engine&>(*world.finalizer());
}

class rpc_engine::server final : public pollable {
 public:
  server(rpc_engine& rpc, progress& pe) : rpc_(rpc), pe_(&pe) {}
  // The server does nothing, and touches nothing, on a thread without the world.
  bool make_progress() override { return is_at_home() && rpc_.poll(); }
  [[nodiscard]] bool waits_for_time() const override { return is_at_home() && rpc_.has_work(); }
  [[nodiscard]] bool is_at_home() const {
    return !progress::is_gone() && pe_ == &progress::of_this_pe();
  }

 private:
  rpc_engine& rpc_;
  const progress* const pe_;
};

rpc_engine::rpc_engine(substrate& world)
    : world_(world),
      mail_(world.layout().nodes() > 1 ? world.make_mailbox() : nullptr),
      large_(world),
      is_needed_(mail_ != nullptr),
      ready_(world.first_ready(world.rank())),
      peers_(mail_ == nullptr ? 0 : world.size()) {
  if (mail_ != nullptr) world.add_background_task(*this);
}

void rpc_engine::belong_to(progress& pe) {
  server_ = std::make_shared<server>(*this, pe);
  if (is_needed_) pe.add(std::weak_ptr<pollable>(server_));
}

void rpc_engine::work_within_node() {
  if (is_needed_) return;
  world_.need_progress_thread();
  world_.add_background_task(*this);
  progress::of_this_pe().add(std::weak_ptr<pollable>(server_));
  is_needed_ = true;
}

bool rpc_engine::is_at_home() const {
  return server_ != nullptr && server_->is_at_home();
}

template <typename Wait>
void rpc_engine::wait_without(lock& l, const Wait& wait) {
  if (l.owns_lock()) l.unlock();
  wait();
  if (l.mutex() != nullptr) l.lock();
}

template <typename Condition>
void rpc_engine::wait_while(const Condition& is_to_come) {
  lock l = acquire_lock();
  while (is_to_come()) wait_without(l, [this] { idle(); });
  world_.busy();
}

bool rpc_engine::try_reserve(int pe) {
  if (!mail_->try_reserve(pe)) return false;
  if (std::ranges::find(room_kept_at_, pe) == room_kept_at_.end()) room_kept_at_.push_back(pe);
  return true;
}

bool rpc_engine::forget_requests_to(int pe) {
  peer& p = peers_[static_cast<std::uint32_t>(pe)];
  if (!p.has_outstanding) return false;
  p.has_outstanding = false;
  std::erase(behind_, pe);
  return true;
}

void rpc_engine::send(int pe, const written_request& r, std::span<const std::byte> data) {
  constexpr std::uint32_t sends_between_polls = 8;
  // A PE with room for every request must poll now and then: other PEs may wait for the PE.
  if (++sends_since_poll_ == sends_between_polls) static_cast<void>(poll());
  lock l = acquire_lock();
  note_request_to(pe);
  if (mail_->send(pe, r.bytes(), data, no_reply)) return;
  send_when_there_is_room(l, pe, r, data, no_reply);
}

void rpc_engine::send_when_there_is_room(lock& l, int pe, const written_request& r,
                                         std::span<const std::byte> data, int place) {
  do {
    wait_without(l, [this] { idle_unrung(); });
    // (Another fiber may have flushed meanwhile, beside the program.)
    note_request_to(pe);
  } while (!mail_->send(pe, r.bytes(), data, place));
  world_.busy();
}

void rpc_engine::send_now(int pe, const written_request& r, std::span<const std::byte> head,
                          std::span<const std::byte> body) {
  std::array<std::byte, message_bytes> heads;
  const auto end = std::ranges::copy(head, std::ranges::copy(r.bytes(), heads.begin()).out).out;
  note_request_to(pe);
  static_cast<void>(mail_->send(pe, {heads.begin(), end}, body, no_reply));
}

rpc_engine::ticket rpc_engine::call(int pe, written_request r, std::span<const std::byte> data,
                                    reply_handler take, const remote_object* caller) {
  return call_for(pe, r, data, std::move(take), caller, false);
}

rpc_engine::ticket rpc_engine::call_large(int pe, const request& r, reply_handler take,
                                          const remote_object* caller) {
  return call_for(pe, r, {}, std::move(take), caller, true);
}

rpc_engine::ticket rpc_engine::call_for(int pe, written_request r, std::span<const std::byte> data,
                                        reply_handler take, const remote_object* caller,
                                        bool by_ticket) {
  const auto find_free = [&] {
    const auto large = std::ranges::count(pending_calls_, true, &pending_call::by_ticket);
    if (by_ticket && large == most_large_replies) return pending_calls_.end();
    return std::ranges::find(pending_calls_, ticket{0}, &pending_call::number);
  };
  lock l = acquire_lock();
  while (find_free() == pending_calls_.end()) wait_without(l, [this] { idle(); });
  if (!room_kept_at_.empty()) std::erase(room_kept_at_, pe);
  pending_call& place = *find_free();
  const ticket number = ++last_ticket_;
  place = {number, pe, std::move(take), caller, by_ticket};
  const auto reply_place = static_cast<std::int32_t>(&place - pending_calls_.data());
  r.set_place(by_ticket ? reply_by_ticket + reply_place : reply_place);
  if (!mail_->send(pe, r.bytes(), data, reply_place)) {
    send_when_there_is_room(l, pe, r, data, reply_place);
  }
  return number;
}

void rpc_engine::send_large(int pe, const request& r, std::span<const std::byte> data) {
  static_cast<void>(poll());
  lock l = acquire_lock();
  auto offered = large_.offer(pe, data);
  while (!offered) {
    wait_without(l, [this] { idle_unrung(); });
    offered = large_.offer(pe, data);
  }
  request by_ticket = r;
  by_ticket.place = data_by_ticket;
  const written_request written(by_ticket);
  const auto bytes = std::as_bytes(std::span(&*offered, 1));
  note_request_to(pe);
  if (mail_->send(pe, written.bytes(), bytes, no_reply)) return;
  send_when_there_is_room(l, pe, written, bytes, no_reply);
}

void rpc_engine::await_large_sends(int pe) {
  wait_while([this, pe] { return !large_.has_taken_all(pe); });
}

void rpc_engine::settle() {
  complete_all();
  flush_all();
  if (mail_ != nullptr) wait_while([this] { return !large_.are_all_taken(); });
}

void rpc_engine::forget_replies_to(const remote_object& caller) noexcept {
  const lock l = acquire_lock();
  for (pending_call& a : pending_calls_) {
    if (a.caller == &caller) a.take = [](std::span<const std::byte>) {};
  }
}

void rpc_engine::abandon() noexcept {
  {
    const lock l = acquire_lock();
    for (pending_call& a : pending_calls_) a.take = [](std::span<const std::byte>) {};
  }
  for (const auto& [number, object] : objects_) object->abandoned();
}

void rpc_engine::wait(ticket t) {
  wait_while([this, t] {
    return std::ranges::find(pending_calls_, t, &pending_call::number) != pending_calls_.end();
  });
}

void rpc_engine::note_answered(int pe) {
  const lock l = acquire_lock();
  forget_requests_to(pe);
}

void rpc_engine::call_and_wait(int pe, const written_request& r, std::span<const std::byte> data,
                               reply_handler take) {
  wait(call(pe, r, data, std::move(take)));
  note_answered(pe);
}

bool rpc_engine::has_outstanding(int pe) {
  const lock l = acquire_lock();
  if (peers_[static_cast<std::uint32_t>(pe)].has_outstanding) return true;
  return std::ranges::any_of(pending_calls_,
                             [pe](const pending_call& a) { return a.number != 0 && a.pe == pe; });
}

bool rpc_engine::is_flushing(int pe) {
  const lock l = acquire_lock();
  return peers_[static_cast<std::uint32_t>(pe)].is_flushing;
}

void rpc_engine::flush_async(int pe) {
  {
    const lock l = acquire_lock();
    peer& p = peers_[static_cast<std::uint32_t>(pe)];
    p.is_flushing = true;
    p.was_sent_more = false;
  }
  // (Replies are taken under the lock.)
  call(pe, request{}, {}, [this, pe](std::span<const std::byte>) {
    peer& p = peers_[static_cast<std::uint32_t>(pe)];
    p.is_flushing = false;
    if (!p.was_sent_more) forget_requests_to(pe);
  });
}

void rpc_engine::require_flush(int pe) {
  const lock l = acquire_lock();
  note_request_to(pe);
}

void rpc_engine::complete_all() {
  for (remote_object* const object : bypassing_) object->complete();
}

void rpc_engine::flush(int pe) {
  if (mail_ == nullptr) return;
  serve(world_);  // also if there is nothing to wait for
  bool has_outstanding = false;
  {
    const lock l = acquire_lock();
    has_outstanding = forget_requests_to(pe);
  }
  if (has_outstanding) call(pe, request{}, {}, [](std::span<const std::byte>) {});
  const auto is_to_come = [pe](const pending_call& a) { return a.number != 0 && a.pe == pe; };
  wait_while([&] { return std::ranges::any_of(pending_calls_, is_to_come); });
}

void rpc_engine::flush_all() {
  if (!is_needed_) return;
  serve(world_);
  wait_while([this] { return any_has_work(); });
  // Every PE is asked before the PE waits for the first reply.
  std::vector<int> behind;
  {
    const lock l = acquire_lock();
    behind.swap(behind_);
    for (const int pe : behind) peers_[static_cast<std::uint32_t>(pe)].has_outstanding = false;
  }
  for (const int pe : behind) call(pe, request{}, {}, [](std::span<const std::byte>) {});
  const auto is_under_way = [](const pending_call& a) { return a.number != 0; };
  wait_while([&] { return std::ranges::any_of(pending_calls_, is_under_way); });
}

bool rpc_engine::poll() {
  sends_since_poll_ = 0;
  const lock l = acquire_lock();
  bool active = false;
  if (progress_context* const thread_context = world_.thread_context()) {
    if (thread_problem_) std::rethrow_exception(std::exchange(thread_problem_, nullptr));
    thread_context->note_pe_progress();
    active = std::exchange(thread_has_worked_, false);
  }
  active = take_mail() || active;
  if (polls_objects_) active = poll_objects() || active;
  if (active) progress::of_this_pe().watch().moved();
  return active;
}

bool rpc_engine::any_has_work() const {
  return !ready_.is_empty() || std::ranges::any_of(active_, &remote_object::has_work);
}

bool rpc_engine::has_work() const {
  const lock l = acquire_lock();
  return any_has_work() || !large_.is_idle();
}

bool rpc_engine::poll_objects() {
  bool active = large_.settle();
  take_ready();
  for (std::size_t i = 0; i < active_.size();) {
    remote_object& object = *active_[i];
    active = object.work() || active;
    if (object.is_polled() || object.has_work()) {
      ++i;
      continue;
    }
    object.is_active = false;
    active_[i] = active_.back();
    active_.pop_back();
  }
  polls_objects_ = watches_ready_list_ || !active_.empty() || !large_.is_idle();
  return active;
}

void rpc_engine::take_ready() {
  for (std::uint64_t number = ready_.take(); number != 0;) {
    remote_object& object = *objects_.at(number);
    // All PEs have added their parts: another PE knows already, and this PE is about to learn.
    if (&object == added_) open_added();
    activate(object);
    number = object.take_from_list();
  }
}

bool rpc_engine::work() noexcept {
  if (thread_problem_) return false;
  try {
    const bool active = take_mail();
    if (!poll_objects() && !active) return false;
  } catch (...) {
    thread_problem_ = std::current_exception();
  }
  thread_has_worked_ = true;
  // Orders the work before the load of the sleep state in `wake`: either a PE about to sleep sees
  // the work, or `wake` wakes the PE.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  world_.wake(world_.rank());
  return true;
}

// The caller calls `busy` when the wait is over.
void rpc_engine::idle() {
  wait({.on = needs::any, .for_others = true, .world = world_.identity()});
}

// For example, a PE that makes room does not know the waiting PEs.
void rpc_engine::idle_unrung() {
  wait({.on = needs::any, .acts_by_itself = true, .for_others = true, .world = world_.identity()});
}

void rpc_engine::wait(const pause_reason& why) {
  constexpr std::uint32_t waits_between_looks = 64;
  // Most awaited events arrive by this engine.
  constexpr int max_polls = 16;
  try {
    bool active = false;
    const int polls = is_needed_ && world_.has_core() ? max_polls : 0;
    for (int i = 0; i < polls && !active; ++i) active = poll();
    if (active) {
      world_.busy();
    } else {
      world_.idle(why);
    }
    // A PE kept busy by other PEs does not reach `idle` and its check for failures.
    if (++waits_ % waits_between_looks == 0) world_.check_failure();
  } catch (...) {
    // Replies may arrive later, but the memory for the replies may be gone.
    const lock l = acquire_lock();
    for (pending_call& a : pending_calls_) a.take = [](std::span<const std::byte>) {};
    throw;
  }
}

void rpc_engine::end_wait() {
  progress::of_this_pe().watch().moved();
  world_.busy();
}

void rpc_engine::serve(substrate& world) {
  static_cast<void>(progress::of_this_pe().make());
  world.look();
}

remote_object* rpc_engine::find(std::uint64_t number) {
  const found& last = found_[number % found_.size()];
  if (last.number == number) [[likely]]
    return last.object;
  return look_up(number);
}

remote_object* rpc_engine::look_up(std::uint64_t number) {
  const auto its = objects_.find(number);
  remote_object* const object = its == objects_.end() ? nullptr : its->second.get();
  found_[number % found_.size()] = {number, object};
  // All PEs have added their parts: another PE knows already, and this PE is about to learn.
  if (object != nullptr && object == added_) open_added();
  return object;
}

void rpc_engine::execute(const request& r, std::span<const std::byte> data, reply_room& reply) {
  if (remote_object* const object = find(r.object)) object->execute(r, data, reply);
  if (remote_object* const counter = find(r.counter)) counter->count(data.size());
}

bool rpc_engine::execute_and_reply(int from, const request& r, std::span<const std::byte> data) {
  if (r.place != no_reply && !mail_->can_reply()) return false;
  std::array<std::byte, message_bytes> answer;
  reply_room room{answer};
  execute(r, data, room);
  if (r.place != no_reply) mail_->reply(from, r.place, std::span(answer).first(room.bytes));
  return true;
}

bool rpc_engine::take_request(int from, std::span<const std::byte> message) {
  const std::size_t bytes = message.size();
  request r;
  if (!written_request::take(message, r)) refuse_request("no object", r, bytes);
  // (A single comparison: the places for replies, and no_reply = -1.)
  const bool has_usual_place = static_cast<unsigned>(r.place) + 1U <= unsigned{reply_places};
  if (!has_usual_place || large_.is_fetching()) [[unlikely]]
    return take_unusual_request(from, r, message);
  return execute_and_reply(from, r, message);
}

bool rpc_engine::take_unusual_request(int from, const request& r, std::span<const std::byte> data) {
  if (r.place < data_by_ticket || r.place >= reply_by_ticket + reply_places) {
    refuse_request("no place", r, data.size());
  }
  if (r.place == data_by_ticket) {
    fetch_data(from, r, data);
    return true;
  }
  // Requests of a PE are executed in order.
  if (large_.is_fetching_request_of(from)) return false;
  if (r.place < reply_by_ticket) return execute_and_reply(from, r, data);
  return execute_and_offer(from, r, data);
}

void rpc_engine::fetch_data(int from, const request& r, std::span<const std::byte> by) {
  request fetched = r;
  fetched.place = no_reply;
  const auto execute_fetched = [this, fetched](std::span<const std::byte> data) {
    std::array<std::byte, message_bytes> no_answer;
    reply_room none{no_answer};
    execute(fetched, data, none);
  };
  const bool is_ticket = large_.is_possible() && large_.fetch(from, by, execute_fetched);
  if (!is_ticket) refuse_request("no ticket", r, by.size());
  polls_objects_ = true;
}

bool rpc_engine::execute_and_offer(int from, const request& r, std::span<const std::byte> data) {
  if (!mail_->can_reply()) return false;
  // (An object may write a reply of `reply_bytes`, whatever the request says.)
  if (!large_.is_possible() || r.elements < reply_bytes || r.elements > max_large_bytes) {
    refuse_request("no ticket", r, data.size());
  }
  const auto offered = large_.offer_reply(from, r.elements, [&](std::span<std::byte> room) {
    reply_room reply{room};
    execute(r, data, reply);
  });
  if (!offered) return false;
  polls_objects_ = true;
  mail_->reply(from, r.place - reply_by_ticket, std::as_bytes(std::span(&*offered, 1)));
  return true;
}

void rpc_engine::take_reply(int from, int place, std::span<const std::byte> message) {
  const bool is_awaited = place >= 0 && place < reply_places &&
                          pending_calls_[static_cast<std::size_t>(place)].number != 0;
  if (!is_awaited) refuse_reply(message.size(), 0);
  pending_call& its = pending_calls_[static_cast<std::size_t>(place)];
  if (from != unknown_sender && from != its.pe) refuse_reply_of(from, its.pe);
  const auto take = [&its](std::span<const std::byte> reply) {
    const pending_call done = std::exchange(its, {});
    done.take(reply);
  };
  if (!its.by_ticket) return take(message);
  if (!large_.fetch_reply(its.pe, message, take)) {
    refuse_reply(message.size(), sizeof(bulk_ticket));
  }
  polls_objects_ = true;
}

}  // namespace boxcar::detail
