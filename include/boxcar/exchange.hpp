// The convenient form: a whole many-to-many exchange in one call, without a loop to write.
// docs/exchange.md has examples.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/detail/chunked_queue.hpp>
#include <boxcar/detail/item_handler.hpp>
#include <boxcar/detail/reply_desk.hpp>
#include <boxcar/error.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {

[[noreturn]] inline void refuse_push_from_handler() {
  throw contract_error(
      "push from within a handler of `exchange`: handlers only receive; what they find out may be "
      "stored and sent by another exchange");
}

// How `exchange` reaches what `produce` must not. (A class, because Clang 16 does not recognise a
// constrained function template that is declared a friend.)
struct exchange_access {
  static void consume_arrivals(auto& out) { out.consume_arrivals(); }
  static void run(auto& all, auto& produce) { all.run(produce); }
};

}  // namespace detail

// What `produce` is handed: everything that is pushed into it travels.
template <item T, typename Consume>
class outbox {
 public:
  outbox(conveyor<T>& c, Consume& consume) : conveyor_(c), consume_(consume) {}

  // Sends `item` to `pe`. When buffers are full it works off arrivals until there is room: the
  // consumer may be called from here. Throws argument_error if there is no such PE.
  void push(const T& item, int pe) {
    if (consuming_) [[unlikely]]
      detail::refuse_push_from_handler();
    while (!conveyor_.push(item, pe)) [[unlikely]] {
      conveyor_.advance(false);
      consume_arrivals();
    }
  }

 private:
  friend detail::exchange_access;

  void consume_arrivals() {
    consuming_ = true;
    conveyor_.pull_all(consume_);
    consuming_ = false;
  }

  conveyor<T>& conveyor_;
  Consume& consume_;
  bool consuming_ = false;
};

// Collective. Calls `produce(out)` once, and `consume(item, from)` or `consume(item)` on the
// destination of every item that any PE pushes by `out.push(item, pe)`. Returns when everything
// that was pushed to this PE has been consumed. Items from one PE to another arrive in order.
//
//   boxcar::exchange<std::uint64_t>(
//       world,
//       [&](auto& out) { for (auto i : indices) out.push(i / pes, i % pes); },
//       [&](std::uint64_t slot) { ++table[slot]; });
//
// If either function throws, the exception leaves exchange, and the world has failed.
template <item T, typename Produce, detail::item_handler<T> Consume>
void exchange(const world& w, Produce&& produce, Consume&& consume,
              const conveyor_options& options = {}) {
  conveyor<T> c(w, options);
  outbox<T, std::remove_reference_t<Consume>> out(c, consume);
  const session s = c.begin();
  produce(out);
  while (c.advance(true)) detail::exchange_access::consume_arrivals(out);
}

// What `produce` is handed if there are replies.
template <item Query, item Reply, typename Ticket, typename Answer, typename Receive>
class inquiry {
 public:
  inquiry(const world& w, Answer& answer, Receive& receive, const conveyor_options& options)
      : queries_(detail::conveyor_access::one_of<Query>(2, w, options)),
        replies_(detail::conveyor_access::one_of<Reply>(2, w, options)),
        desk_(detail::conveyor_access::core(queries_), detail::conveyor_access::core(replies_)),
        memory_(tickets_in_a_chunk(queries_, w.size())),
        tickets_(static_cast<std::size_t>(w.size())),
        answer_(answer),
        receive_(receive) {}

  // Asks `pe`. The ticket stays here; it comes with the reply, so that the receiver knows what was
  // asked. The handlers may be called from here. Throws argument_error if there is no such PE.
  void push(const Query& query, int pe, Ticket ticket) {
    if (handling_) [[unlikely]]
      detail::refuse_push_from_handler();
    while (!queries_.push(query, pe)) [[unlikely]] {
      queries_.advance(false);
      replies_.advance(false);
      handle_arrivals();
    }
    // Replies from one PE arrive in the order in which it was asked.
    tickets_of(pe).push(std::move(ticket), memory_);
  }

 private:
  friend detail::exchange_access;

  // So many that another chunk is seldom needed; but if there is one for every PE, they shall not
  // take more memory than the buffers of queries.
  static std::size_t tickets_in_a_chunk(const conveyor<Query>& queries, int pes) {
    const std::size_t queries_in_a_buffer = queries.buffer_bytes() / sizeof(Query);
    const std::size_t share = queries.session_statistics().memory_bytes /
                              (static_cast<std::size_t>(pes) * sizeof(Ticket));
    return std::clamp<std::size_t>(std::min(queries_in_a_buffer / 16, share), 8, 2048);
  }

  template <typename Produce>
  void run(Produce& produce) {
    const session q = queries_.begin();
    const session r = replies_.begin();
    desk_.start_session(sizeof(Reply));
    produce(*this);
    bool more = true;
    while (more) {
      const bool asked = !queries_.advance(true) && desk_.all_sent();
      more = static_cast<bool>(replies_.advance(asked));
      handle_arrivals();
    }
  }

  void handle_arrivals() {
    handling_ = true;
    const auto answer = [this](const std::byte* asked, int from, std::byte* to) {
      Query query;
      std::memcpy(&query, asked, sizeof query);
      const Reply reply = detail::call_handler(answer_, std::as_const(query), from);
      std::memcpy(to, &reply, sizeof reply);
    };
    desk_.serve(sizeof(Query), sizeof(Reply), answer);
    if (detail::conveyor_access::core(replies_).has_rows()) {
      receive_rows();
    } else {
      replies_.pull_all([this](const Reply& reply, int from) {
        detail::chunked_queue<Ticket>& tickets = tickets_of(from);
        Ticket ticket = std::move(tickets.oldest().front());
        tickets.drop(1, memory_);
        receive_(reply, std::move(ticket));
      });
    }
    handling_ = false;
  }

  // Replies that lie in a row, with tickets that do.
  void receive_rows() {
    detail::conveyor_core& replies = detail::conveyor_access::core(replies_);
    for (auto row = replies.unread_row(); !row.empty(); row = replies.unread_row()) {
      detail::chunked_queue<Ticket>& tickets = tickets_of(replies.from());
      const std::span<Ticket> oldest = tickets.oldest();
      const std::size_t n = std::min(row.bytes() / sizeof(Reply), oldest.size());
      std::size_t received = 0;
      const auto note = [&] {
        tickets.drop(received, memory_);
        replies.pulled_to(row.begin + received * sizeof(Reply));
      };
      try {
        while (received < n) {
          Reply reply;
          std::memcpy(&reply, row.begin + received * sizeof reply, sizeof reply);
          Ticket ticket = std::move(oldest[received]);
          ++received;
          receive_(std::as_const(reply), std::move(ticket));
        }
      } catch (...) {
        note();
        throw;
      }
      note();
    }
  }

  detail::chunked_queue<Ticket>& tickets_of(int pe) {
    return tickets_[static_cast<std::size_t>(pe)];
  }

  conveyor<Query> queries_;
  conveyor<Reply> replies_;
  detail::reply_desk desk_;
  detail::chunk_pool<Ticket> memory_;                   // of tickets
  std::vector<detail::chunked_queue<Ticket>> tickets_;  // of the questions to each PE, oldest first
  Answer& answer_;
  Receive& receive_;
  bool handling_ = false;
};

// Collective. With replies: `answer(query, from)` or `answer(query)` is called once for each query
// on the PE that is asked, and what it returns comes back to `receive(reply, ticket)` on the PE
// that asked. `Ticket` is whatever tells the asker what the reply is for; it does not travel.
//
//   boxcar::exchange<std::uint64_t>(
//       world,
//       [&](auto& ask) { for (std::size_t i = 0; i < n; ++i) ask.push(index[i] / pes, index[i] %
//       pes, i); },
//       [&](std::uint64_t slot) { return table[slot]; },
//       [&](std::uint64_t value, std::size_t i) { gathered[i] = value; });
template <item Query, typename Ticket = std::size_t, typename Produce,
          detail::item_handler<Query> Answer, typename Receive>
  requires(!std::same_as<std::remove_cvref_t<Receive>, conveyor_options>)
void exchange(const world& w, Produce&& produce, Answer&& answer, Receive&& receive,
              const conveyor_options& options = {}) {
  using reply_type =
      std::remove_cvref_t<decltype(detail::call_handler(answer, std::declval<const Query&>(), 0))>;
  static_assert(item<reply_type>,
                "`answer` must return a trivially copyable value of at most 64 KiB");
  static_assert(std::movable<Ticket> && std::default_initializable<Ticket>,
                "a ticket must be movable and have a default");
  static_assert(std::invocable<Receive&, const reply_type&, Ticket>,
                "`receive` is called with a reply and the ticket of its query");
  inquiry<Query, reply_type, Ticket, std::remove_reference_t<Answer>,
          std::remove_reference_t<Receive>>
      all(w, answer, receive, options);
  detail::exchange_access::run(all, produce);
}

}  // namespace boxcar
