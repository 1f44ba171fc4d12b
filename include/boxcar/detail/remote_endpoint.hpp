// The endpoint of a remote function on one PE: the stream of calls, and the stream of replies if
// the function has a result.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <boxcar/detail/remote_answers.hpp>
#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/detail/remote_channel.hpp>
#include <boxcar/detail/remote_replies.hpp>
#include <boxcar/detail/remote_session.hpp>
#include <boxcar/remote_function_options.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// The endpoint of a function without a result.
template <typename Fn, typename State, typename R, typename... A>
struct remote_endpoint {
  remote_endpoint(const world& w, Fn fn, State* state, const remote_function_options& options,
                  std::string function)
      : name(std::move(function)), calls(w, {std::move(fn), state}, name, options.calls) {}

  [[nodiscard]] static stream_core* replies_core() { return nullptr; }

  std::string name;
  remote_channel<bound_function<Fn, State>, A...> calls;
  remote_session session{calls.core(), nullptr, name};
};

// The endpoint of a function with a result.
template <typename Fn, typename State, typename R, typename... A>
  requires(!std::is_void_v<R>)
struct remote_endpoint<Fn, State, R, A...> {
  using answer = answer_of<Fn, State, R, A...>;

  remote_endpoint(const world& w, Fn fn, State* state, const remote_function_options& options,
                  std::string function)
      : name(std::move(function)),
        asks(std::make_shared<asks_for<R>>(name)),
        replies(make_replies(w, *asks, name, options.replies.value_or(options.calls))),
        calls(w, answer{{std::move(fn), state}, &replies, w.rank()}, name, options.calls),
        rank(w.rank()) {}
  remote_endpoint(const remote_endpoint&) = delete;
  remote_endpoint& operator=(const remote_endpoint&) = delete;
  ~remote_endpoint() { asks->abandon(); }

  static replies_of<R> make_replies(const world& w, asks_for<R>& asks, std::string_view name,
                                    const stream_options& options) {
    if constexpr (has_plain_replies<R>) {
      return replies_of<R>(w, asks, options);
    } else {
      return replies_of<R>(w, asks, name, options);
    }
  }
  [[nodiscard]] stream_core* replies_core() { return &replies.core(); }

  std::string name;
  std::shared_ptr<asks_for<R>> asks;
  replies_of<R> replies;
  remote_channel<answer, ask_origin, A...> calls;
  int rank;
  remote_session session{calls.core(), &replies.core(), name};
};

}  // namespace boxcar::detail
