// The remote caller is the part of a remote function that sends calls and asks: the part that
// depends on the types of the arguments and of the result.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <boxcar/detail/movable_part.hpp>
#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/detail/remote_batch.hpp>
#include <boxcar/detail/remote_endpoint.hpp>
#include <boxcar/detail/remote_identity.hpp>
#include <boxcar/detail/remote_session.hpp>
#include <boxcar/detail/remote_signature.hpp>
#include <boxcar/error.hpp>
#include <boxcar/remote_function_options.hpp>
#include <boxcar/remote_result.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// The argument of `produce` in `ask_all`: sends the asks of a batch.
template <typename Streams, typename Batch, typename... A>
class batch_asker {
 public:
  batch_asker(Streams& streams, Batch& batch)
      : streams_(streams), batch_(batch), first_(origin_of(streams.rank, ask_ticket::of_batch)) {}

  // Calls the function on `pe`. The asks of a batch are numbered from 0.
  [[gnu::always_inline]] void operator()(int pe, const A&... arguments) {
    if (next_ == last_) [[unlikely]]
      wait_for_all();
    streams_.calls.send(pe, next_, arguments...);
    next_ += one_ticket;
  }
  // (The count is passed by value, so that the producer's loop keeps `next_` in a register.)
  void wait_for_all() {
    batch_.wait_for_all(ticket_of(next_ - first_));
    next_ = first_;
  }

 private:
  Streams& streams_;
  Batch& batch_;
  ask_origin first_;
  ask_origin next_ = first_;
  ask_origin last_ = first_ + ask_ticket::number_mask * one_ticket;
};

template <typename Fn, typename State, typename R, typename... A>
class remote_caller {
 public:
  // Local. Legal in a session, also in a remote function. Calls the function on `pe` with copies of
  // the arguments; a result is dropped. May wait for a free buffer, as `send` of streams does.
  // Throws argument_error if the PE does not exist.
  [[gnu::always_inline]] void operator()(int pe, const A&... arguments) {
    if constexpr (std::is_void_v<R>) {
      streams_->calls.send(pe, arguments...);
    } else {
      streams_->calls.send(pe, origin_of(streams_->rank, ask_ticket::nobody), arguments...);
    }
  }

  // Local. Legal as a call. Calls the function on `pe`, and returns the result to come:
  // `co_await f.ask(pe, ...)` in a coroutine, `f.ask(pe, ...).wait()` elsewhere.
  [[nodiscard]] remote_result<R> ask(int pe, const A&... arguments)
    requires(!std::is_void_v<R>)
  {
    streams& s = core();
    const std::uint32_t ticket = s.asks->open();
    try {
      s.calls.send(pe, origin_of(s.rank, ticket), arguments...);
    } catch (...) {
      s.asks->cancel(ticket);
      throw;
    }
    return remote_result<R>(s.asks, s.session, ticket);
  }

  // Local. Legal in a session, not in a handler. Calls `produce(ask)` once, sends the asks that
  // `produce` makes by `ask(pe, arguments...)`, and calls `receive(number, result)` for each reply,
  // as handlers are called. The asks are numbered from 0. Returns when all replies have come.
  // Throws remote_error if the function threw for some of the asks, after all replies have come.
  template <typename Produce, typename Receive>
    requires(!std::is_void_v<R> && std::invocable<Receive&, std::size_t, R>)
  void ask_all(Produce&& produce, Receive&& receive) {
    streams& s = core();
    s.session.require_may_wait();
    if (s.asks->batch() != nullptr) refuse_second_batch();
    using batch_type = asked_batch<R, std::remove_reference_t<Receive>>;
    batch_type batch(*s.asks, s.session, receive);
    batch_asker<streams, batch_type, A...> ask(s, batch);
    try {
      produce(ask);
    } catch (const world_error&) {
      throw;
    } catch (...) {
      ask.wait_for_all();
      throw;
    }
    ask.wait_for_all();
    batch.throw_problem();
  }

  // As above, for arguments in arrays. Returns the results in the order of the arguments. Throws
  // argument_error, before anything is sent, if the arrays differ in length.
  [[nodiscard]] std::vector<R> ask_all(std::span<const int> pes,
                                       std::span<const std::type_identity_t<A>>... arguments)
    requires(!std::is_void_v<R> && std::default_initializable<R>)
  {
    if (((arguments.size() != pes.size()) || ...)) {
      refuse_lengths(pes.size(), {arguments.size()...});
    }
    std::vector<R> results(pes.size());
    ask_all(
        [&](auto& ask) {
          for (std::size_t i = 0; i != pes.size(); ++i) ask(pes[i], arguments[i]...);
        },
        [&results](std::size_t i, R result) { results[i] = std::move(result); });
    return results;
  }

 protected:
  using streams = remote_endpoint<Fn, State, R, A...>;

  remote_caller(const world& w, Fn fn, State* state, const remote_function_options& options) {
    std::string name = name_of_function(typeid(Fn), options.name);
    require_same_function(w,
                          {.function = &typeid(Fn),
                           .arguments = name_of_type<type_list<A...>>.text(),
                           .result = name_of_type<type_list<R>>.text(),
                           .state = name_of_type<type_list<State>>.text()},
                          name);
    streams_ = {"remote function",
                std::make_unique<streams>(w, std::move(fn), state, options, std::move(name))};
  }
  remote_caller(remote_caller&&) noexcept = default;
  remote_caller& operator=(remote_caller&& other) {
    if (this == &other) return *this;
    if (streams_.is_here()) streams_->session.require_replaceable();
    streams_ = std::move(other.streams_);
    return *this;
  }
  ~remote_caller() = default;

  [[nodiscard]] streams& core() const { return *streams_; }

 private:
  movable_part<streams> streams_{"remote function", nullptr};
};

// The base of a function that cannot be called on other PEs: the compiler has said why.
class no_caller {
 public:
  template <typename... Arguments>
  explicit no_caller(const world&, const Arguments&...) {}
};

template <typename Fn, typename State, typename R, typename Parameters>
struct caller_with;
template <typename Fn, typename State, typename R, typename... P>
struct caller_with<Fn, State, R, type_list<P...>> {
  using type = remote_caller<Fn, State, std::remove_cvref_t<R>, std::remove_cvref_t<P>...>;
};

template <typename Fn, typename State, bool can_be_called = require_remote_function<Fn, State>()>
struct remote_caller_of {
  using type = no_caller;
};
template <typename Fn, typename State>
struct remote_caller_of<Fn, State, true> {
  using signature = call_signature<Fn>;
  using type = caller_with<Fn, State, typename signature::result,
                           typename travelling<State, typename signature::parameters>::types>::type;
};

}  // namespace boxcar::detail
