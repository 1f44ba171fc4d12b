// A remote function is called on other PEs: the arguments travel by a stream, aggregated with those
// of other calls, and a result travels back in the same way. docs/remote-functions.md explains
// remote functions with an example.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <boxcar/detail/remote_caller.hpp>
#include <boxcar/detail/remote_signature.hpp>
#include <boxcar/remote_function_options.hpp>
#include <boxcar/remote_function_statistics.hpp>
#include <boxcar/remote_result.hpp>
#include <boxcar/session.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// The end of a remote function on one PE. Thread safety: a remote function belongs to one thread.
//
//   boxcar::remote_function add(world, table, [](std::vector<long>& table, std::size_t i, long n) {
//     table[i] += n;
//   });
//   const auto session = add.begin();
//   add(pe, i, 1);
//   add.finish();
//
// `f(pe, arguments...)` calls the function on a PE; `f.ask(pe, arguments...)` and `f.ask_all` call
// a function with a result, and return the result (detail/remote_caller.hpp).
//
// The function runs on the PE as handlers of streams do: once for each call, the calls of one PE in
// the order in which the PE has called; from within every function of Boxcar that waits, and never
// while another handler is running. The function may call remote functions and send over streams;
// it may ask, but not wait.
//
// A function has no captures. Arguments and results are plain values, or have a boxcar::serializer;
// plain arguments travel as their bytes, without gaps.
//
// Exceptions of a function that is asked come back to the caller as remote_error. If a function is
// called without an ask and throws, the world fails, as with handlers of streams.
template <typename Fn, typename State = detail::no_state>
class remote_function : public detail::remote_caller_of<Fn, State>::type {
  using caller = detail::remote_caller_of<Fn, State>::type;

 public:
  // Collective. Throws argument_error on all PEs if the PEs give different functions or options, or
  // options that cannot work.
  remote_function(const world& w, Fn fn, const remote_function_options& options = {})
    requires std::same_as<State, detail::no_state>
      : caller(w, std::move(fn), nullptr, options) {}
  // As above, for a function whose first parameter is the state of the PE, by reference. The state
  // may be any object, and belongs to the program. Precondition: the state outlives the function.
  remote_function(const world& w, State& state, Fn fn, const remote_function_options& options = {})
    requires(!std::same_as<State, detail::no_state>)
      : caller(w, std::move(fn), &state, options) {}

  // Movable, also during a session (the session moves with the function); a moved-from function may
  // only be destroyed or assigned to. Assigning to a function in the middle of a session throws
  // contract_error, and the world fails.
  remote_function(remote_function&&) noexcept = default;
  remote_function& operator=(remote_function&&) = default;

  // Collective. Legal without a session, not in a handler. Starts a session and returns the scope
  // of the session; calls may be made until the end of the session. The session ends by the given
  // rule for calls (docs/streams.md), once all asks have been answered. In a session that ends by
  // counting or in stages, the last `done` comes after the last ask.
  session begin(const termination& ending = quiescence()) {
    this->core().session.begin(ending);
    return session(this->core().session);
  }

  // As the functions of streams. A session of a function is over on the PE when the replies have
  // come as well.
  void flush() { this->core().session.flush(); }
  bool poll() { return this->core().session.poll(); }
  void done(std::int64_t producers = 1) { this->core().session.done(producers); }
  void finish() { this->core().session.finish(); }
  [[nodiscard]] bool on() const { return this->core().session.on(); }

  [[nodiscard]] remote_function_statistics session_statistics() const {
    remote_function_statistics s{.calls = this->core().calls.core().session_statistics(),
                                 .replies = {}};
    if (const auto* replies = this->core().replies_core()) {
      s.replies = replies->session_statistics();
    }
    return s;
  }
  // Returns some lines of text: how calls and replies travel, and the reasons.
  [[nodiscard]] std::string explain() const { return this->core().session.explain(); }
};

template <typename Fn>
remote_function(const world&, Fn) -> remote_function<Fn>;
template <typename Fn>
remote_function(const world&, Fn, remote_function_options) -> remote_function<Fn>;
template <typename State, typename Fn>
  requires(!std::same_as<Fn, remote_function_options>)
remote_function(const world&, State&, Fn) -> remote_function<Fn, State>;
template <typename State, typename Fn>
remote_function(const world&, State&, Fn, remote_function_options) -> remote_function<Fn, State>;

}  // namespace boxcar
