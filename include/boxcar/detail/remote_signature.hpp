// The signature of a remote function: its arguments and its result, as the call operator of the
// function's type has them, and the messages of the compiler if a function cannot be called on
// other PEs.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <boxcar/detail/call_signature.hpp>
#include <boxcar/detail/remote_arguments.hpp>
#include <boxcar/detail/requirements.hpp>

namespace boxcar::detail {

// Stands for the state of a function without state.
struct no_state {};

// The parameters that travel: all, or all but the state.
template <typename State, typename Parameters>
struct travelling;
template <typename... P>
struct travelling<no_state, type_list<P...>> {
  static constexpr bool takes_state = true;
  using types = type_list<P...>;
};
template <typename State>
  requires(!std::same_as<State, no_state>)
struct travelling<State, type_list<>> {
  static constexpr bool takes_state = false;
  using types = type_list<>;
};
template <typename State, typename First, typename... P>
  requires(!std::same_as<State, no_state>)
struct travelling<State, type_list<First, P...>> {
  static constexpr bool takes_state =
      std::same_as<std::remove_cvref_t<First>, std::remove_cv_t<State>> &&
      std::is_convertible_v<State&, First>;
  using types = type_list<P...>;
};

template <typename P>
inline constexpr bool is_output =
    std::is_reference_v<P> &&
    !(std::is_lvalue_reference_v<P> && std::is_const_v<std::remove_reference_t<P>>);

// Reports arguments that cannot travel.
template <typename... P>
consteval bool require_parameters(type_list<P...>) {
  constexpr bool has_outputs = (is_output<P> || ...);
  static_assert(!has_outputs,
                "a remote function gets copies of its arguments: take them by value or by "
                "reference to const, and return the result");
  if constexpr (has_outputs) return false;
  return (require_argument<std::remove_cvref_t<P>>() && ...);
}

template <typename R>
consteval bool require_result() {
  if constexpr (std::is_void_v<R>) {
    return true;
  } else {
    static_assert(!std::is_reference_v<R>,
                  "the result of a remote function is a copy: return a value");
    return require_argument<std::remove_cvref_t<R>>();
  }
}

// Returns whether Fn can be called on other PEs, and reports the problem.
template <typename Fn, typename State>
consteval bool require_remote_function() {
  constexpr bool is_object = std::is_class_v<Fn>;
  static_assert(is_object,
                "a pointer does not name a function on other PEs: call the function in a lambda "
                "without captures");
  if constexpr (is_object) {
    constexpr bool is_empty = std::is_empty_v<Fn>;
    static_assert(is_empty,
                  "the function has captures, which other PEs do not have: name the state of the "
                  "PE, remote_function(world, state, [](State& state, ...) {...})");
    constexpr bool is_known = has_one_signature<Fn>;
    static_assert(is_known,
                  "the types of the arguments are not known: the parameters must have types (no "
                  "`auto`), and operator() must not be overloaded");
    if constexpr (is_empty && is_known) {
      using signature = call_signature<Fn>;
      using parameters = travelling<State, typename signature::parameters>;
      static_assert(parameters::takes_state,
                    "the first parameter of the function must be the state, by reference");
      if constexpr (parameters::takes_state) {
        return require_parameters(typename parameters::types{}) &&
               require_result<typename signature::result>();
      }
    }
  }
  return false;
}

}  // namespace boxcar::detail
