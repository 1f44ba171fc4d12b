// The handler of asks: calls the function of the program, and sends the reply.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <boxcar/detail/remote_arguments.hpp>
#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/detail/remote_identity.hpp>
#include <boxcar/detail/remote_replies.hpp>
#include <boxcar/detail/remote_signature.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {

// The function of the program with its state. (Clang 16 writes to a wrong address if an empty
// function has [[no_unique_address]] here.)
template <typename Fn, typename State>
struct bound_function {
  template <typename... Given>
  [[gnu::always_inline]] decltype(auto) operator()(Given&&... given) {
    if constexpr (std::same_as<State, no_state>) {
      return fn(std::forward<Given>(given)...);
    } else {
      return fn(*state, std::forward<Given>(given)...);
    }
  }

  Fn fn;
  State* state;
};

// Calls the function for asks, and sends the replies.
template <typename Fn, typename State, typename R, typename Replies>
struct answer_asks {
  template <typename... Given>
  void operator()(ask_origin origin, Given&&... given) {
    const std::uint32_t ticket = ticket_of(origin);
    if (ticket == ask_ticket::nobody) {
      static_cast<void>(function(std::forward<Given>(given)...));
      return;
    }
    try {
      replies->send(caller_of(origin), ticket, function(std::forward<Given>(given)...));
    } catch (const world_error&) {
      throw;
    } catch (...) {
      replies->send_problem(caller_of(origin), ticket, text_of_exception(rank));
    }
  }

  bound_function<Fn, State> function;
  Replies* replies;
  int rank;
};

// As above, for plain arguments and results. Asks without room for the reply stay in their buffer:
// so replies need no memory but that of buffers.
template <typename Fn, typename State, typename R, typename... A>
class answer_plain_asks {
 public:
  using message = argument_pack<ask_origin, A...>;

  answer_plain_asks(bound_function<Fn, State> function, plain_replies<R>* replies, int rank)
      : function_(std::move(function)), replies_(replies), rank_(rank) {}

  std::size_t handle_some(const message* first, std::size_t count) {
    std::size_t handled = 0;
    while (handled != count) {
      const std::size_t more = handle_run(first + handled, count - handled);
      if (more == 0) break;
      handled += more;
    }
    return handled;
  }

 private:
  [[nodiscard]] static ask_origin origin(const message& m) {
    return plain_value<ask_origin>(reinterpret_cast<const std::byte*>(&m));
  }
  // Handles calls of one caller, as long as there is room for replies. Returns the number of calls.
  std::size_t handle_run(const message* first, std::size_t count) {
    const int caller = caller_of(origin(*first));
    typename plain_replies<R>::run replies_to(*replies_, caller);
    const auto call = [this](ask_origin, const A&... arguments) -> R {
      return function_(arguments...);
    };
    std::size_t i = 0;
    try {
      for (; i != count && caller_of(origin(first[i])) == caller; ++i) {
        const std::uint32_t ticket = ticket_of(origin(first[i]));
        if (ticket == ask_ticket::nobody) [[unlikely]] {
          static_cast<void>(apply_arguments(first[i], call));
          continue;
        }
        if (!replies_to.has_room()) break;
        replies_to.add(ticket, apply_arguments(first[i], call));
      }
      return i;
    } catch (const world_error&) {
      throw;
    } catch (...) {
      const std::uint32_t ticket = ticket_of(origin(first[i]));
      if (ticket == ask_ticket::nobody) throw;
      replies_to.close();
      replies_->send_problem(caller, ticket, text_of_exception(rank_));
      return i + 1;
    }
  }

  bound_function<Fn, State> function_;
  plain_replies<R>* replies_;
  int rank_;
};

template <typename R>
inline constexpr bool has_plain_replies = plain_arguments<std::uint32_t, R>;
template <typename R>
using replies_of = std::conditional_t<has_plain_replies<R>, plain_replies<R>, written_replies<R>>;

template <typename Fn, typename State, typename R, typename... A>
using answer_of = std::conditional_t<plain_arguments<ask_origin, A...> && has_plain_replies<R>,
                                     answer_plain_asks<Fn, State, R, A...>,
                                     answer_asks<Fn, State, R, replies_of<R>>>;

}  // namespace boxcar::detail
