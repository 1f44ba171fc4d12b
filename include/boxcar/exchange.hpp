// `exchange` is the convenient form of a many-to-many communication: a whole exchange in one call,
// without a loop to write. docs/exchange.md has examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include <boxcar/conveyor.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/elastic_outbox.hpp>
#include <boxcar/detail/item_handler.hpp>
#include <boxcar/detail/reply_desk.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/detail/tickets.hpp>
#include <boxcar/error.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {

// Gives `exchange` access to members that `produce` must not use. (The access is a class, because
// Clang 16 does not recognise a constrained function template that is declared a friend.)
struct exchange_access {
  static void consume_arrivals(auto& out) { out.consume_arrivals(); }
  static auto run(auto& all, auto& produce) { return all.run(produce); }
  static void call(auto& produce, auto& out) {
    const called_scope scope(nullptr, called_scope::kind::program);
    produce(out);
  }
  // Runs a whole session.
  static void produce_and_consume(auto& conveyor, auto& produce, auto& out) {
    call(produce, out);
    const called_scope end("exchange", called_scope::kind::ending);
    while (conveyor.advance(true)) consume_arrivals(out);
  }
};

template <typename Taken, typename Outbox, typename Produce, typename Consume>
consteval bool can_exchange() {
  constexpr bool can_consume = item_handler<Consume, Taken>;
  static_assert(can_consume,
                "`consume` must be callable as consume(item) or consume(item, from), "
                "where the item is a std::string_view for strings, and a std::span for "
                "vectors");
  if constexpr (can_consume) {
    constexpr bool can_produce = std::invocable<Produce&, Outbox&>;
    static_assert(can_produce,
                  "`produce` must be callable as produce(out), with an `auto& out` to push into");
    return can_produce;
  }
  return false;
}

}  // namespace detail

// The argument of `produce`: everything that is pushed into an outbox travels.
template <typename T, typename Consume>
class outbox {
 public:
  outbox(conveyor<T>& c, Consume& consume) : conveyor_(c), consume_(consume) {}

  // Sends `item` to `pe`. When buffers are full, the push consumes arrivals until there is room:
  // the consumer may be called from within the push. Throws argument_error if the PE does not
  // exist.
  [[gnu::always_inline]] void push(const T& item, int pe) {
    if (consuming_) [[unlikely]]
      detail::refuse_push_from_handler();
    if (!detail::conveyor_access::core(conveyor_).push_item_at_hand(item, pe)) [[unlikely]] {
      const detail::handling_scope scope(consuming_);
      push_otherwise(conveyor_, consume_, item, pe);
    }
  }

 private:
  friend detail::exchange_access;

  // The function is out of line and does not get the object, so that the producer's loop keeps
  // everything in registers.
  [[gnu::noinline]] static void push_otherwise(conveyor<T>& c, Consume& consume,
                                               detail::conveyor_core::passed<T> item, int pe) {
    while (!c.push(item, pe)) {
      const detail::called_scope scope("push");
      c.advance(false);
      c.pull_all(consume);
    }
  }
  void consume_arrivals() {
    const detail::handling_scope scope(consuming_);
    conveyor_.pull_all(consume_);
  }

  conveyor<T>& conveyor_;
  Consume& consume_;
  bool consuming_ = false;
};

// Collective. Calls `produce(out)` once, and `consume(item, from)` or `consume(item)` on the
// destination of every item that any PE pushes by `out.push(item, pe)`. Returns when all items that
// were pushed to the PE have been consumed. Items from one PE to another arrive in order.
//
//   boxcar::exchange<std::uint64_t>(
//       world,
//       [&](auto& out) { for (auto i : indices) out.push(i / pes, i % pes); },
//       [&](std::uint64_t slot) { ++table[slot]; });
//
// Returns the statistics of the PE, with the memory that the PE held at the end.
//
// If either function throws, the exception leaves exchange, and the world has failed. `produce` may
// catch the argument_error of a push to a PE that does not exist, and go on; the item goes nowhere.
// `produce` must catch no other exception of a push.
//
// Items that are not plain bytes may have any size; they travel by an elastic conveyor. Strings,
// and vectors of plain elements, are pushed and consumed as std::string_view and std::span, in
// place; a value with a boxcar::serializer is consumed as returned by `read`.
template <typename T, typename Produce, typename Consume>
statistics exchange(const world& w, Produce&& produce, Consume&& consume,
                    const conveyor_options& options = {}) {
  const detail::called_scope scope("exchange");
  if constexpr (item<T>) {
    using box = outbox<T, std::remove_reference_t<Consume>>;
    if constexpr (detail::can_exchange<T, box, Produce, Consume>()) {
      conveyor<T> c(w, options);
      box out(c, consume);
      {
        const session s = detail::conveyor_access::begin_in_place(c);
        detail::exchange_access::produce_and_consume(c, produce, out);
      }
      return c.session_statistics();
    }
  } else if constexpr (detail::serializable<T>) {
    using box = detail::elastic_outbox<T, std::remove_reference_t<Consume>>;
    using taken = typename detail::elastic_form<T>::taken;
    if constexpr (detail::can_exchange<taken, box, Produce, Consume>()) {
      detail::elastic_core c(w, detail::any_size<T>(), options);
      box out(c, consume);
      {
        c.begin();
        const session s(c, detail::stays_in_place{});
        detail::exchange_access::produce_and_consume(c, produce, out);
      }
      return c.session_statistics();
    }
  } else if constexpr (std::is_trivially_copyable_v<T>) {
    detail::require_item<T>();  // reports the problem
  } else {
    detail::require_serializable<T>();
  }
  return {};
}

// The argument of `produce` in an exchange with replies.
template <typename Query, typename Reply, typename Ticket, typename Answer, typename Receive>
class inquiry {
 public:
  inquiry(const world& w, Answer& answer, Receive& receive, const conveyor_options& options)
      : queries_(detail::conveyor_access::one_of<Query>(2, w, options)),
        replies_(detail::conveyor_access::one_of<Reply>(2, w, options)),
        desk_(query_core(), reply_core()),
        tickets_(w.size(), has_sheets(options),
                 {queries_.buffer_bytes(), queries_.session_statistics().memory_bytes}),
        answer_(answer),
        receive_(receive) {}

  // Sends the query to `pe`. The ticket stays on the PE, and comes with the reply, so that the
  // receiver knows the query. The handlers may be called from within the push. Throws
  // argument_error if the PE does not exist.
  void push(const Query& query, int pe, Ticket ticket) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to >= sheet_pes_) return push_without_sheet(query, pe, std::move(ticket));
    detail::lane& l = lanes_[to];
    std::byte* cursor = l.cursor;
    if (cursor == l.limit) [[unlikely]] {
      open_sheet(pe);
      cursor = l.cursor;
    }
    if constexpr (my_tickets::may_have_sheets) {
      detail::prefetch_to_write(cursor + detail::write_ahead);
      // (Not as bytes, which might alias anything that the client's loop has in registers.)
      ::new (static_cast<void*>(cursor)) Query(query);
      *tickets_.beside(to, cursor) = ticket;
      l.cursor = cursor + sizeof query;
    }
  }

 private:
  friend detail::exchange_access;
  using my_tickets = detail::tickets<Query, Ticket>;

  // Returns whether buffers have sheets. With sheets, only full buffers may be sent while there are
  // queries to push.
  bool has_sheets(const conveyor_options& options) {
    return my_tickets::may_have_sheets && query_core().is_direct() && !options.steady &&
           options.kind != conveyor_kind::simple;
  }

  [[gnu::always_inline]] void push_without_sheet(const Query& query, int pe, Ticket&& ticket) {
    if (handling_) [[unlikely]]
      detail::refuse_push_from_handler();
    while (!query_core().push_item(query, pe)) [[unlikely]]
      make_progress();
    tickets_.put(std::move(ticket), pe);
  }

  // Opens the next buffer to `pe`, with a sheet of tickets. Precondition: the open buffer is full,
  // or no buffer is open.
  [[gnu::noinline]] void open_sheet(int pe) {
    tickets_.reserve();  // if `reserve` throws, no buffer without a sheet is open
    const bool is_full = lanes_[pe].limit != nullptr;
    auto buffer = query_core().room_for(pe);
    for (; buffer.empty(); buffer = query_core().room_for(pe)) make_progress();
    tickets_.open_sheet(pe, buffer.begin, buffer.bytes() / sizeof(Query));
    // A full buffer has been sent. Progress is made even if there is a next buffer to fill: queries
    // are answered, and replies received, while they are in the cache and before any PE runs out of
    // buffers.
    if (is_full) make_progress();
  }

  [[gnu::noinline]] void make_progress() {
    const detail::called_scope scope("push");
    queries_.advance(false);
    replies_.advance(false);
    handle_arrivals();
  }

  template <typename Produce>
  inquiry_statistics run(Produce& produce) {
    ask_and_answer(produce);
    inquiry_statistics s{queries_.session_statistics(), replies_.session_statistics()};
    s.queries.memory_bytes += tickets_.memory_bytes();
    return s;
  }

  template <typename Produce>
  void ask_and_answer(Produce& produce) {
    const session q = detail::conveyor_access::begin_in_place(queries_);
    const session r = detail::conveyor_access::begin_in_place(replies_);
    lanes_ = query_core().access().lanes;
    sheet_pes_ = tickets_.sheet_pes();
    detail::exchange_access::call(produce, *this);
    const detail::called_scope end("exchange", detail::called_scope::kind::ending);
    bool more = true;
    while (more) {
      const bool all_answered = !queries_.advance(true);
      more = static_cast<bool>(replies_.advance(all_answered));
      handle_arrivals();
    }
  }

  void handle_arrivals() {
    const detail::handling_scope scope(handling_);
    const std::uint32_t sheet_pes = std::exchange(sheet_pes_, 0);  // no push from a handler
    desk_.serve_items<Query, Reply>([this](const Query& query, int from) -> Reply {
      return detail::call_handler(answer_, query, from);
    });
    if (has_aligned_rows()) {
      receive_rows();
    } else {
      replies_.pull_all(
          [this](const Reply& reply, int from) { receive_(reply, tickets_.take(from)); });
    }
    sheet_pes_ = sheet_pes;
  }

  bool has_aligned_rows() {
    return alignof(Reply) <= detail::conveyor_core::row_alignment && reply_core().has_rows();
  }
  // Receives replies that lie in a row, with tickets that lie in a row.
  void receive_rows() {
    detail::conveyor_core& replies = reply_core();
    for (auto row = replies.unread_row(); !row.empty(); row = replies.unread_row()) {
      const int from = replies.from();
      const std::span<Ticket> oldest = tickets_.oldest(from);
      const auto* const reply = reinterpret_cast<const Reply*>(row.begin);
      const std::size_t n = std::min(row.bytes() / sizeof(Reply), oldest.size());
      for (std::size_t i = 0; i < n; ++i) {
        Ticket ticket = std::move(oldest[i]);  // ends with its reply
        receive_(reply[i], std::move(ticket));
      }
      tickets_.drop(from, n);
      replies.pulled_to(row.begin + n * sizeof(Reply));
    }
  }

  detail::conveyor_core& query_core() { return detail::conveyor_access::core(queries_); }
  detail::conveyor_core& reply_core() { return detail::conveyor_access::core(replies_); }

  conveyor<Query> queries_;
  conveyor<Reply> replies_;
  detail::reply_desk desk_;
  my_tickets tickets_;
  std::uint32_t sheet_pes_ = 0;  // the PEs with a sheet; none while handlers run
  detail::lane* lanes_ = nullptr;
  Answer& answer_;
  Receive& receive_;
  bool handling_ = false;
};

// Collective. Exchange with replies: `answer(query, from)` or `answer(query)` is called once for
// each query on the target PE, and the result comes back to `receive(reply, ticket)` on the origin
// PE. A `Ticket` is any value that identifies the query for the origin; tickets do not travel.
// Returns the statistics of the PE, with the memory that the PE held at the end: tickets count as
// memory for queries.
//
//   boxcar::exchange<std::uint64_t>(
//       world,
//       [&](auto& ask) { for (std::size_t i = 0; i < n; ++i) ask.push(index[i] / pes, index[i] %
//       pes, i); },
//       [&](std::uint64_t slot) { return table[slot]; },
//       [&](std::uint64_t value, std::size_t i) { gathered[i] = value; });
template <typename Query, typename Ticket = std::size_t, typename Produce, typename Answer,
          typename Receive>
  requires(!std::same_as<std::remove_cvref_t<Receive>, conveyor_options>)
inquiry_statistics exchange(const world& w, Produce&& produce, Answer&& answer, Receive&& receive,
                            const conveyor_options& options = {}) {
  detail::require_item<Query>();
  constexpr bool can_answer = item<Query> && detail::item_handler<Answer, Query>;
  static_assert(!item<Query> || can_answer,
                "`answer` must be callable as answer(query) or answer(query, from)");
  static_assert(std::movable<Ticket> && std::default_initializable<Ticket>,
                "a ticket must be movable and have a default");
  if constexpr (can_answer) {
    using reply = std::remove_cvref_t<decltype(detail::call_handler(
        answer, std::declval<const Query&>(), 0))>;
    static_assert(!std::is_void_v<reply>, "`answer` must return the reply");
    if constexpr (!std::is_void_v<reply>) detail::require_item<reply>();
    if constexpr (item<reply>) {
      constexpr bool can_receive = std::invocable<Receive&, const reply&, Ticket>;
      static_assert(can_receive, "`receive` must be callable as receive(reply, ticket)");
      if constexpr (can_receive) {
        const detail::called_scope scope("exchange");
        inquiry<Query, reply, Ticket, std::remove_reference_t<Answer>,
                std::remove_reference_t<Receive>>
            all(w, answer, receive, options);
        return detail::exchange_access::run(all, produce);
      }
    }
  }
  return {};
}

}  // namespace boxcar
