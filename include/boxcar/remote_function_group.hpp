// A group of remote functions shares the buffers of one stream: a call takes one byte more, and the
// calls of all functions keep one order for each pair of PEs.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <boxcar/detail/remote_answers.hpp>
#include <boxcar/detail/remote_arguments.hpp>
#include <boxcar/detail/remote_group.hpp>
#include <boxcar/detail/remote_signature.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/stream_statistics.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {

// Returns whether a function can be a member of a group, and reports the problem.
template <typename R, typename... A>
consteval bool require_grouped(type_list<A...>) {
  static_assert(std::is_void_v<R>,
                "a function of a group has no result: use a remote_function to ask for results");
  static_assert(plain_arguments<A...>,
                "a function of a group has plain arguments: use a remote_function for arguments "
                "with a serializer");
  return std::is_void_v<R> && plain_arguments<A...>;
}

// The handler of the calls of one function of a group.
template <typename Fn, typename State, typename... A>
struct grouped_handler {
  using message = argument_pack<A...>;

  void operator()(const message& m) { apply_arguments(m, function); }

  bound_function<Fn, State> function;
};

}  // namespace detail

// Calls a function of a group on other PEs. Copyable. Precondition of a call: the group exists.
template <typename... A>
class grouped_function {
 public:
  // Local. Legal in a session of the group, also in a remote function. Calls the function on `pe`
  // with copies of the arguments.
  void operator()(int pe, const A&... arguments) const {
    detail::argument_pack<A...> pack;
    if constexpr (sizeof...(A) == 1) {
      pack = {arguments...};
    } else if constexpr (sizeof...(A) > 1) {
      detail::put_arguments(pack.bytes.data(), arguments...);
    }
    group_->stream().send(number_, pack, pe);
  }

 private:
  friend class remote_function_group;
  grouped_function(detail::remote_group& group, std::uint8_t number)
      : group_(&group), number_(number) {}

  detail::remote_group* group_;
  std::uint8_t number_;
};

// Thread safety: a group belongs to one thread. Movable, also during a session, together with its
// functions.
class remote_function_group {
 public:
  // Local. The stream is made when the first session begins. Precondition: the world exists until
  // then.
  explicit remote_function_group(const world& w, const stream_options& options = {})
      : group_(std::make_unique<detail::remote_group>(w, options)) {}

  // Local. Legal until the first session begins. Adds a function without captures and without a
  // result, whose arguments are plain. All PEs add the same functions in the same order. The second
  // form adds a function whose first parameter is the state of the PE. Precondition: the state
  // outlives the group.
  template <typename Fn>
  [[nodiscard]] auto add(Fn fn) {
    return add_bound<detail::no_state>(std::move(fn), nullptr);
  }
  template <typename State, typename Fn>
  [[nodiscard]] auto add(State& state, Fn fn) {
    return add_bound<State>(std::move(fn), &state);
  }

  // Collective. Starts a session of all functions, and returns the scope of the session. The first
  // `begin` throws argument_error on all PEs if the PEs have added different functions, or if the
  // options cannot work or differ.
  session begin(const termination& ending = quiescence()) {
    group_->begin(ending);
    return session(group_->session());
  }

  // As the functions of streams, for the calls of all functions together.
  void flush() { group_->session().flush(); }
  bool poll() { return group_->session().poll(); }
  void done(std::int64_t producers = 1) { group_->session().done(producers); }
  void finish() { group_->session().finish(); }
  [[nodiscard]] bool on() const { return group_->on(); }
  [[nodiscard]] stream_statistics session_statistics() const {
    return group_->stream().session_statistics();
  }
  [[nodiscard]] std::string explain() const { return group_->session().explain(); }

 private:
  template <typename State, typename Fn>
  auto add_bound(Fn fn, State* state) {
    if constexpr (detail::require_remote_function<Fn, State>()) {
      using signature = detail::call_signature<Fn>;
      using parameters = typename detail::travelling<State, typename signature::parameters>::types;
      return add_with<typename signature::result>(std::move(fn), state, parameters{});
    }
  }
  template <typename R, typename Fn, typename State, typename... P>
  auto add_with(Fn fn, State* state, detail::type_list<P...>) {
    if constexpr (detail::require_grouped<R>(detail::type_list<std::remove_cvref_t<P>...>{})) {
      using handler = detail::grouped_handler<Fn, State, std::remove_cvref_t<P>...>;
      auto handle =
          std::make_shared<handler>(detail::bound_function<Fn, State>{std::move(fn), state});
      const detail::message_kind kind = detail::kind_of<typename handler::message>(*handle);
      const std::uint8_t number = group_->add(kind, std::move(handle), typeid(Fn));
      return grouped_function<std::remove_cvref_t<P>...>(*group_, number);
    }
  }

  std::unique_ptr<detail::remote_group> group_;
};

}  // namespace boxcar
