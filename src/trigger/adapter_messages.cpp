// Messages between adapters of different nodes: sends messages in pieces, and processes arrivals.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "one_sided/invalid_request.hpp"
#include "trigger/adapter_state.hpp"
#include "trigger/held_adapter.hpp"

namespace boxcar::detail {

// --- Between nodes: sending ----------------------------------------------------------------------

void adapter_state::write(const command& what) {
  outgoing_message l{.to = what.pe,
                     .head = {.what = message_of(what, world.rank()),
                              .numbers = what.numbers,
                              .back = gets(what.kind) ? what.into : what.from}};
  if (puts(what.kind)) {
    l.data = seen(my_place_, what.from.at);
    l.bytes = what.from.bytes;
    l.from = what.from;
  }
  add_message(std::move(l));
}

void adapter_state::add_message(outgoing_message l) {
  ++num_outgoing_;
  outgoing_[l.to].push_back(std::move(l));
  rpc_.activate(*this);
}

void adapter_state::answer(const message_header& asked, const acceptance& a,
                           outgoing_message with) {
  if (!asked.back.counts_replies && with.bytes == 0 && with.read.entry == no_record) return;
  with.to = asked.what.source;
  with.head = {.what = {.kind = command_kind::reply, .source = world.rank(), .bytes = a.bytes},
               .became = a.what,
               .back = asked.back};
  add_message(std::move(with));
}

bool adapter_state::has_work() {
  return later_.first != no_record || !outgoing_.empty() ||
         mine().head().has_fired_away.load(std::memory_order_acquire);
}

std::uint64_t adapter_state::take_from_list() {
  const held h(*this);
  h->head().ready.is_listed = false;
  return h->head().ready.next;
}

bool adapter_state::work() {
  for (bool active = false;; active = true) {
    static_cast<void>(take_fired());
    const bool has_sent = send_pieces();
    work_list later = std::exchange(later_, {});
    if (!has_sent && later.first == no_record) return active;
    drain(later);
  }
}

bool adapter_state::take_fired() {
  adapter_head& head = mine().head();
  // Pairs with the store in adapter_block::fire.
  while (head.has_fired_away.load(std::memory_order_acquire)) {
    std::optional<command> what;
    work_list work;
    {
      const held h(*this, my_place_, work);
      what = h->take_fired_away();
    }
    if (!what && work.first == no_record) return false;
    drain(work);  // commands that were left to the PE
    if (what) execute_away(*what);
  }
  return true;
}

void adapter_state::execute_away(const command& what) {
  const bool calls = what.kind == command_kind::call;
  if (calls && is_abandoned_) return;
  if (calls) {
    // After an exception, operations that depend on the call wait forever.
    if (!thrown_.call(functions_[what.bits])) return;
  } else {
    write(what);
  }
  work_list work;
  {
    const held h(*this, my_place_, work);
    ++h->head().did.operations;
    if (calls) note_sent(*h, what.from);
  }
  drain(work);
}

// Returns false if no piece could be sent.
bool adapter_state::send_pieces() {
  bool active = false;
  work_list work;
  for (auto its = outgoing_.begin(); its != outgoing_.end();) {
    std::deque<outgoing_message>& to_one = its->second;
    while (!to_one.empty() && rpc_.try_reserve(its->first)) {
      outgoing_message& l = to_one.front();
      send_piece(l);
      active = true;
      if (!l.head.is_last) continue;
      has_sent(l, work);
      to_one.pop_front();
      --num_outgoing_;
    }
    its = to_one.empty() ? outgoing_.erase(its) : std::next(its);
  }
  drain(work);
  return active;
}

void adapter_state::send_piece(outgoing_message& l) {
  constexpr std::size_t most = request_data_bytes - sizeof(message_header);
  const std::uint64_t now = std::min<std::uint64_t>(l.bytes - l.sent, most);
  l.head.at = l.sent;
  l.head.is_last = l.sent + now == l.bytes;
  const std::byte* const data = l.kept.empty() ? l.data : l.kept.data();
  rpc_.send_now(l.to, request{.object = number_}, std::as_bytes(std::span(&l.head, 1)),
                {now == 0 ? nullptr : data + l.sent, now});
  l.sent += now;
}

void adapter_state::has_sent(const outgoing_message& l, work_list& work) {
  if (!l.from.counts_sends && l.read.entry == no_record) return;
  const held h(*this, my_place_, work);
  note_sent(*h, l.from);
  if (l.read.entry != no_record) h->end_copy(l.read);
}

// --- Between nodes: what arrives -----------------------------------------------------------------

void adapter_state::execute(const request& r, std::span<const std::byte> data, reply_room&) {
  message_header head;
  if (data.size() < sizeof head) refuse_request("a schedule or trigger", r, data.size());
  std::memcpy(&head, data.data(), sizeof head);
  data = data.subspan(sizeof head);
  work_list work;
  switch (head.what.kind) {
    case command_kind::put:
      take_put(r, head, data, work);
      break;
    case command_kind::get:
      take_get(head, work);
      break;
    case command_kind::reply:
      take_reply(head, data, work);
      break;
    default:
      take_numbers(r, head, data, work);
  }
  if (work.first == no_record) return;
  // Only the local PE's block can be the first. Its operations for other nodes, which have the
  // longer latency, are sent before the operations of later blocks are executed.
  if (static_cast<int>(work.first) == my_place_) {
    work.first = mine().head().next_to_drain;
    drain(my_place_, work);
  }
  drain_later(work);
}

void adapter_state::drain_later(const work_list& work) {
  if (work.first == no_record) return;
  rpc_.activate(*this);
  if (later_.first == no_record) {
    later_ = work;
  } else {
    block(static_cast<int>(later_.last)).head().next_to_drain = work.first;
    later_.last = work.last;
  }
}

// The pieces of a message arrive in succession: messages from a PE do not interleave.
void adapter_state::take_put(const request& r, const message_header& head,
                             std::span<const std::byte> data, work_list& work) {
  acceptance a;
  if (head.at == 0) {
    const held h(*this, my_place_, work);
    a = h->accept(head.what);
    if (a.what == fate::done) h->begin_copy(a);
  } else {
    const auto begun = arriving_.find(head.what.source);
    if (begun == arriving_.end()) refuse_request("a schedule or trigger", r, data.size());
    a = begun->second;
  }
  if (a.what == fate::done && head.at < a.bytes) {
    const std::size_t bytes = std::min<std::size_t>(data.size(), a.bytes - head.at);
    std::copy_n(data.data(), bytes, seen(my_place_, a.at + head.at));
  }
  if (!head.is_last) {
    arriving_[head.what.source] = a;
    return;
  }
  arriving_.erase(head.what.source);
  if (a.what == fate::done) {
    const held h(*this, my_place_, work);
    h->end_copy(a);
  }
  answer(head, a, {});
}

void adapter_state::take_get(const message_header& head, work_list& work) {
  acceptance a;
  {
    const held h(*this, my_place_, work);
    a = h->accept(head.what);
    if (a.what == fate::done) h->begin_copy(a);
  }
  outgoing_message with;
  if (a.what == fate::done) {
    with.data = seen(my_place_, a.at);
    with.bytes = a.bytes;
    with.read = a;
  }
  answer(head, a, std::move(with));
}

void adapter_state::take_numbers(const request& r, const message_header& head,
                                 std::span<const std::byte> data, work_list& work) {
  outgoing_message with;
  acceptance a;
  {
    const held h(*this, my_place_, work);
    a = h->accept(head.what);
    if (a.what == fate::done) {
      if (data.size() < a.bytes) refuse_request("a schedule or trigger", r, data.size());
      if (gets(head.what.kind)) with.kept.resize(a.bytes);
      move(head.what.kind, head.numbers, seen(my_place_, a.at), data.data(), with.kept.data(),
           a.bytes);
      h->arrived(a);
    }
  }
  with.bytes = with.kept.size();
  answer(head, a, std::move(with));
}

void adapter_state::take_reply(const message_header& head, std::span<const std::byte> data,
                               work_list& work) {
  if (is_abandoned_ && !outlives_handle(head.back)) return;
  if (!data.empty()) std::ranges::copy(data, seen(my_place_, head.back.at + head.at));
  if (!head.is_last) return;
  const held h(*this, my_place_, work);
  note_reply(*h, head.back, head.became, head.what.bytes);
}

}  // namespace boxcar::detail
