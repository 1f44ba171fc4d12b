#include "one_sided/request_desk.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "one_sided/invalid_request.hpp"

namespace boxcar::detail {

request_desk& request_desk::of(substrate& world) {
  if (world.accompanied_by() == nullptr) world.finish_pending_starts();
  if (world.accompanied_by() == nullptr) {
    world.accompany(std::unique_ptr<request_desk>(new request_desk(world)));
  }
  return static_cast<request_desk&>(*world.accompanied_by());
}

class request_desk::server final : public progressing {
 public:
  server(request_desk& desk, progress& pe) : desk_(desk), pe_(&pe) {}
  // On a thread that has lost the world the server does nothing, and touches nothing.
  bool make_progress() override { return is_at_home() && desk_.poll(); }
  [[nodiscard]] bool waits_for_time() const override { return is_at_home() && desk_.has_work(); }
  [[nodiscard]] bool is_at_home() const {
    return !progress::is_gone() && pe_ == &progress::of_this_pe();
  }

 private:
  request_desk& desk_;
  const progress* const pe_;
};

request_desk::request_desk(substrate& world)
    : world_(world),
      mail_(world.layout().nodes() > 1 ? world.make_mailbox() : nullptr),
      is_needed_(mail_ != nullptr),
      ready_(world.first_ready(world.rank())),
      peers_(mail_ == nullptr ? 0 : world.size()) {
  if (mail_ != nullptr) world.let_helper_do(*this);
}

void request_desk::belong_to(progress& pe) {
  server_ = std::make_shared<server>(*this, pe);
  if (is_needed_) pe.add(std::weak_ptr<progressing>(server_));
}

void request_desk::work_within_node() {
  if (is_needed_) return;
  world_.need_helper();
  world_.let_helper_do(*this);
  progress::of_this_pe().add(std::weak_ptr<progressing>(server_));
  is_needed_ = true;
}

bool request_desk::is_at_home() const {
  return server_->is_at_home();
}

namespace {

// The part of an object on a PE that could not make its part.
class unmade final : public reachable {
 public:
  void carry_out(const request& r, std::span<const std::byte> data, reply_room&) override {
    refuse_request("no object", r, data.size());
  }
};

}  // namespace

void request_desk::agree(const agreement& on, std::string_view subject, std::string_view owner,
                         std::span<std::uint64_t> maxima) {
  world_.finish_pending_starts();
  // When all PEs have reached the end of the agreement, nothing is in flight to objects dropped
  // before. (The agreement may run beside the program, which drops more objects meanwhile.)
  const std::uint64_t last_drop = drops_;
  // The smallest number of all PEs is the complement of the largest complement.
  std::vector<std::uint64_t> numbers(maxima.begin(), maxima.end());
  numbers.push_back(~dropped_);
  complete_all();
  flush_all();
  on.require(world_, subject, owner, numbers);
  std::ranges::copy_n(numbers.begin(), static_cast<std::ptrdiff_t>(maxima.size()), maxima.begin());
  collect_garbage(last_drop, ~numbers.back());
}

reachable& request_desk::add(const making& make) {
  const std::uint64_t number = world_.number_object();
  std::unique_ptr<reachable> made;
  const auto keep = [&]() -> reachable& {
    const lock l = keep_out();
    found_ = {};
    added_ = (objects_[number] = std::move(made)).get();
    return *added_;
  };
  // All PEs have objects of the same numbers.
  const auto keep_unmade = [&] {
    made = std::make_unique<unmade>();
    drop(keep());
  };
  try {
    made = make(number);
  } catch (const system_error& e) {
    keep_unmade();
    shortage_ = e.what();
    throw;
  } catch (const argument_error&) {
    keep_unmade();
    added_ = nullptr;
    throw;
  }
  return keep();
}

void request_desk::open(const agreement& ready, std::string_view subject, std::string_view owner) {
  const std::string shortage = std::exchange(shortage_, {});
  std::uint64_t is_short = shortage.empty() ? 0 : 1;
  agreement all = ready;
  if (is_short != 0) all.object(shortage);
  const std::optional<objection> problem = all.reach(world_, {&is_short, 1});
  const lock l = keep_out();
  if (!problem) return open_added();
  added_ = nullptr;
  if (is_short != 0) throw system_error(problem->problem);
  throw argument_error(problem->text(std::string(subject), std::string(owner)));
}

void request_desk::open_added() {
  reachable* const object = std::exchange(added_, nullptr);
  if (object == nullptr) return;
  object->opened();
  if (object->is_worker()) workers_.push_back(object);
  if (object->goes_past_the_desk()) past_the_desk_.push_back(object);
}

reachable& request_desk::make(const agreement& on, std::string_view subject, std::string_view owner,
                              const making& make, std::span<std::uint64_t> maxima) {
  agree(on, subject, owner, maxima);
  reachable* object = nullptr;
  try {
    object = &add(make);
  } catch (const system_error&) {
    // `open` tells all PEs. (An argument_error comes out of `make` on all PEs.)
  }
  try {
    open({}, subject, owner);
  } catch (...) {
    if (object != nullptr) drop(*object);
    throw;
  }
  return *object;
}

void request_desk::drop(reachable& object) noexcept {
  object.dropped();
  object.dropped_as = ++drops_;
  ++dropped_;
}

// The cost grows with the number of objects only if there may be garbage.
void request_desk::collect_garbage(std::uint64_t last_drop, std::uint64_t dropped_by_each) {
  constexpr std::size_t bits = 64;
  if (dropped_by_each <= dropped_in_vain_) return;
  std::vector<std::uint64_t> kept((objects_.size() + bits - 1) / bits);
  std::size_t i = 0;
  for (const auto& [number, object] : objects_) {
    const bool is_kept = object->dropped_as == 0 || object->dropped_as > last_drop;
    kept[i / bits] |= std::uint64_t{is_kept} << i % bits;
    ++i;
  }
  world_.all_reduce(std::as_writable_bytes(std::span(kept)),
                    {sizeof kept[0],
                     [](std::byte* into, const std::byte* next, std::size_t n) {
                       for (; n != 0; --n, into += sizeof kept[0], next += sizeof kept[0]) {
                         std::uint64_t a = 0;
                         std::uint64_t b = 0;
                         std::memcpy(&a, into, sizeof a);
                         std::memcpy(&b, next, sizeof b);
                         a |= b;
                         std::memcpy(into, &a, sizeof a);
                       }
                     }},
                    {});
  std::vector<int> unused;
  {
    i = 0;
    const lock l = keep_out();
    found_ = {};
    for (const auto& [number, object] : objects_) {
      object->is_garbage = (kept[i / bits] >> i % bits & 1) == 0;
      ++i;
    }
    // No PE adds garbage to the ready list any more.
    take_ready();
    std::erase_if(active_, [](const reachable* r) { return r->is_garbage; });
    std::erase_if(workers_, [](const reachable* r) { return r->is_garbage; });
    std::erase_if(past_the_desk_, [](const reachable* r) { return r->is_garbage; });
    const std::size_t gone =
        std::erase_if(objects_, [](const auto& one) { return one.second->is_garbage; });
    dropped_ -= gone;
    dropped_in_vain_ = gone == 0 ? dropped_by_each : 0;
    unused = room_kept_at_;
  }
  // Messages of the destroyed objects are sent no more, but the room reserved for the messages
  // blocks other messages: empty requests use the room up.
  for (const int pe : unused) send(pe, request{}, {});
}

template <typename Wait>
void request_desk::wait_without(lock& l, const Wait& wait) {
  if (l.owns_lock()) l.unlock();
  wait();
  if (l.mutex() != nullptr) l.lock();
}

template <typename Condition>
void request_desk::wait_while(const Condition& is_to_come) {
  lock l = keep_out();
  while (is_to_come()) wait_without(l, [this] { idle(); });
  world_.busy();
}

bool request_desk::try_reserve(int pe) {
  if (!mail_->try_reserve(pe)) return false;
  if (std::ranges::find(room_kept_at_, pe) == room_kept_at_.end()) room_kept_at_.push_back(pe);
  return true;
}

bool request_desk::forget_requests_to(int pe) {
  peer& p = peers_[static_cast<std::uint32_t>(pe)];
  if (!p.is_behind) return false;
  p.is_behind = false;
  std::erase(behind_, pe);
  return true;
}

void request_desk::send(int pe, const written_request& r, std::span<const std::byte> data) {
  constexpr std::uint32_t sends_between_polls = 8;
  // A PE that always finds room must poll now and then, as other PEs may wait for this PE.
  if (++sends_since_poll_ == sends_between_polls) static_cast<void>(poll());
  lock l = keep_out();
  note_request_to(pe);
  if (mail_->send(pe, r.bytes(), data, no_reply)) return;
  send_when_there_is_room(l, pe, r, data, no_reply);
}

void request_desk::send_when_there_is_room(lock& l, int pe, const written_request& r,
                                           std::span<const std::byte> data, int place) {
  do {
    wait_without(l, [this] { idle_unrung(); });
    // (Another fiber may have flushed meanwhile, beside the program.)
    note_request_to(pe);
  } while (!mail_->send(pe, r.bytes(), data, place));
  world_.busy();
}

void request_desk::send_now(int pe, const written_request& r, std::span<const std::byte> head,
                            std::span<const std::byte> body) {
  std::array<std::byte, message_bytes> heads;
  const auto end = std::ranges::copy(head, std::ranges::copy(r.bytes(), heads.begin()).out).out;
  note_request_to(pe);
  static_cast<void>(mail_->send(pe, {heads.begin(), end}, body, no_reply));
}

request_desk::ticket request_desk::ask(int pe, written_request r, std::span<const std::byte> data,
                                       taking take, const reachable* asker) {
  const auto find_free = [this] { return std::ranges::find(asked_, ticket{0}, &asked::number); };
  lock l = keep_out();
  while (find_free() == asked_.end()) wait_without(l, [this] { idle(); });
  if (!room_kept_at_.empty()) std::erase(room_kept_at_, pe);
  asked& place = *find_free();
  const ticket number = ++last_ticket_;
  place = {number, pe, std::move(take), asker};
  const auto reply_place = static_cast<std::int32_t>(&place - asked_.data());
  r.set_place(reply_place);
  if (!mail_->send(pe, r.bytes(), data, reply_place)) {
    send_when_there_is_room(l, pe, r, data, reply_place);
  }
  return number;
}

void request_desk::forget_replies_to(const reachable& asker) noexcept {
  const lock l = keep_out();
  for (asked& a : asked_) {
    if (a.asker == &asker) a.take = [](std::span<const std::byte>) {};
  }
}

void request_desk::abandon() noexcept {
  {
    const lock l = keep_out();
    for (asked& a : asked_) a.take = [](std::span<const std::byte>) {};
  }
  for (const auto& [number, object] : objects_) object->abandoned();
}

void request_desk::wait(ticket t) {
  wait_while([this, t] { return std::ranges::find(asked_, t, &asked::number) != asked_.end(); });
}

void request_desk::has_answered(int pe) {
  const lock l = keep_out();
  forget_requests_to(pe);
}

void request_desk::ask_and_wait(int pe, const written_request& r, std::span<const std::byte> data,
                                taking take) {
  wait(ask(pe, r, data, std::move(take)));
  has_answered(pe);
}

bool request_desk::is_behind(int pe) {
  const lock l = keep_out();
  if (peers_[static_cast<std::uint32_t>(pe)].is_behind) return true;
  return std::ranges::any_of(asked_, [pe](const asked& a) { return a.number != 0 && a.pe == pe; });
}

bool request_desk::is_catching_up(int pe) {
  const lock l = keep_out();
  return peers_[static_cast<std::uint32_t>(pe)].is_catching_up;
}

void request_desk::catch_up(int pe) {
  {
    const lock l = keep_out();
    peer& p = peers_[static_cast<std::uint32_t>(pe)];
    p.is_catching_up = true;
    p.was_sent_more = false;
  }
  // (Replies are taken under the lock.)
  ask(pe, request{}, {}, [this, pe](std::span<const std::byte>) {
    peer& p = peers_[static_cast<std::uint32_t>(pe)];
    p.is_catching_up = false;
    if (!p.was_sent_more) forget_requests_to(pe);
  });
}

void request_desk::owe_flush(int pe) {
  const lock l = keep_out();
  note_request_to(pe);
}

void request_desk::complete_all() {
  for (reachable* const object : past_the_desk_) object->complete();
}

void request_desk::flush(int pe) {
  if (mail_ == nullptr) return;
  serve(world_);  // also if there is nothing to wait for
  bool is_behind = false;
  {
    const lock l = keep_out();
    is_behind = forget_requests_to(pe);
  }
  if (is_behind) ask(pe, request{}, {}, [](std::span<const std::byte>) {});
  const auto is_to_come = [pe](const asked& a) { return a.number != 0 && a.pe == pe; };
  wait_while([&] { return std::ranges::any_of(asked_, is_to_come); });
}

void request_desk::flush_all() {
  if (!is_needed_) return;
  serve(world_);
  wait_while([this] { return any_has_work(); });
  // Every PE is asked before the PE waits for the first reply.
  std::vector<int> behind;
  {
    const lock l = keep_out();
    behind.swap(behind_);
    for (const int pe : behind) peers_[static_cast<std::uint32_t>(pe)].is_behind = false;
  }
  for (const int pe : behind) ask(pe, request{}, {}, [](std::span<const std::byte>) {});
  const auto is_under_way = [](const asked& a) { return a.number != 0; };
  wait_while([&] { return std::ranges::any_of(asked_, is_under_way); });
}

bool request_desk::poll() {
  sends_since_poll_ = 0;
  const lock l = keep_out();
  bool active = false;
  if (pe_helper* const helper = world_.helper()) {
    if (helpers_problem_) std::rethrow_exception(std::exchange(helpers_problem_, nullptr));
    helper->pe_was_here();
    active = std::exchange(has_been_helped_, false);
  }
  active = take_mail() || active;
  active = make_workers() || active;
  if (active) progress::of_this_pe().watch().moved();
  return active;
}

bool request_desk::any_has_work() const {
  return !active_.empty() || !ready_.is_empty() ||
         std::ranges::any_of(workers_, &reachable::has_work);
}

bool request_desk::has_work() const {
  const lock l = keep_out();
  return any_has_work();
}

bool request_desk::make_workers() {
  bool active = false;
  take_ready();
  for (reachable* const r : workers_) active = r->work() || active;
  for (std::size_t i = 0; i < active_.size();) {
    reachable& object = *active_[i];
    active = object.work() || active;
    if (object.has_work()) {
      ++i;
      continue;
    }
    object.is_active = false;
    active_[i] = active_.back();
    active_.pop_back();
  }
  return active;
}

void request_desk::take_ready() {
  for (std::uint64_t number = ready_.take(); number != 0;) {
    reachable& object = *objects_.at(number);
    // Another PE has seen that all PEs have added their parts; this PE is about to see it.
    if (&object == added_) open_added();
    activate(object);
    number = object.take_from_list();
  }
}

bool request_desk::work() noexcept {
  if (helpers_problem_) return false;
  try {
    const bool active = take_mail();
    if (!make_workers() && !active) return false;
  } catch (...) {
    helpers_problem_ = std::current_exception();
  }
  has_been_helped_ = true;
  // Orders the work before the load of the sleep state in `wake`: either a PE about to sleep sees
  // the work, or `wake` wakes the PE.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  world_.wake(world_.rank());
  return true;
}

// The caller calls `busy` when the wait is over.
void request_desk::idle() {
  wait({.on = needs::any, .for_others = true, .world = world_.identity()});
}

// For example, a PE that makes room does not know the waiting PEs.
void request_desk::idle_unrung() {
  wait({.on = needs::any, .acts_by_itself = true, .for_others = true, .world = world_.identity()});
}

void request_desk::wait(const pause_reason& why) {
  constexpr std::uint32_t waits_between_looks = 64;
  // Most awaited events arrive by this desk.
  constexpr int most_polls = 16;
  try {
    bool active = false;
    const int polls = is_needed_ && world_.has_core() ? most_polls : 0;
    for (int i = 0; i < polls && !active; ++i) active = poll();
    if (active) {
      world_.busy();
    } else {
      world_.idle(why);
    }
    // A PE that other PEs keep busy does not reach `idle`, which checks for failures.
    if (++waits_ % waits_between_looks == 0) world_.check_failure();
  } catch (...) {
    // Replies may arrive later, but the memory for the replies may be gone.
    const lock l = keep_out();
    for (asked& a : asked_) a.take = [](std::span<const std::byte>) {};
    throw;
  }
}

void request_desk::has_moved() {
  progress::of_this_pe().watch().moved();
  world_.busy();
}

void request_desk::serve(substrate& world) {
  static_cast<void>(progress::of_this_pe().make());
  world.look();
}

reachable* request_desk::find(std::uint64_t number) {
  found& last = found_[number % found_.size()];
  if (last.number != number) {
    const auto its = objects_.find(number);
    last = {number, its == objects_.end() ? nullptr : its->second.get()};
    // Another PE has seen that all PEs have added their parts; this PE is about to see it.
    if (last.object != nullptr && last.object == added_) open_added();
  }
  return last.object;
}

bool request_desk::take_request(int from, std::span<const std::byte> message) {
  const std::size_t bytes = message.size();
  request r;
  if (!written_request::take(message, r)) refuse_request("no object", r, bytes);
  if (r.place != no_reply && !mail_->can_reply()) return false;
  std::array<std::byte, message_bytes> answer;
  reply_room room{answer};
  if (reachable* const object = find(r.object)) object->carry_out(r, message, room);
  if (reachable* const counter = find(r.counter)) counter->count(message.size());
  if (r.place != no_reply) mail_->reply(from, r.place, std::span(answer).first(room.bytes));
  return true;
}

void request_desk::take_reply(int place, std::span<const std::byte> message) {
  const bool is_awaited =
      place >= 0 && place < reply_places && asked_[static_cast<std::size_t>(place)].number != 0;
  if (!is_awaited) refuse_reply(message.size(), 0);
  const asked done = std::exchange(asked_[static_cast<std::size_t>(place)], {});
  done.take(message);
}

}  // namespace boxcar::detail
