// The call signature of a function object: the result and the parameters of the call operator. The
// arguments of a function that runs on other PEs travel as these types.
#pragma once

#include <cstddef>

namespace boxcar::detail {

template <typename... T>
struct type_list {
  static constexpr std::size_t size = sizeof...(T);
};
template <typename T, typename... More>
struct type_list<T, More...> {
  using first = T;
  static constexpr std::size_t size = 1 + sizeof...(More);
};

template <typename Operator>
struct operator_signature;
template <typename Fn, typename R, typename... P>
struct operator_signature<R (Fn::*)(P...)> {
  using result = R;
  using parameters = type_list<P...>;
};
template <typename Fn, typename R, typename... P>
struct operator_signature<R (Fn::*)(P...) const> : operator_signature<R (Fn::*)(P...)> {};
template <typename Fn, typename R, typename... P>
struct operator_signature<R (Fn::*)(P...) noexcept> : operator_signature<R (Fn::*)(P...)> {};
template <typename Fn, typename R, typename... P>
struct operator_signature<R (Fn::*)(P...) const noexcept> : operator_signature<R (Fn::*)(P...)> {};

// A function object whose parameters are known: the call operator is neither a template nor
// overloaded.
template <typename Fn>
concept has_one_signature =
    requires { typename operator_signature<decltype(&Fn::operator())>::parameters; };

template <has_one_signature Fn>
using call_signature = operator_signature<decltype(&Fn::operator())>;

}  // namespace boxcar::detail
