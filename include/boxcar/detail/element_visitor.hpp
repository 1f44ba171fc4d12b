// A visitor is a function without captures that a PE calls for an element of a distributed array,
// in the place of the element, with arguments from another PE.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include <boxcar/detail/call_signature.hpp>
#include <boxcar/detail/dispatch_stream.hpp>
#include <boxcar/detail/requirements.hpp>

namespace boxcar::detail {

// A function object that is the same on all PEs: an object without members, or a lambda without
// captures.
template <typename F>
concept captureless = std::is_empty_v<F> && std::default_initializable<F>;

// The types of the arguments behind the element, as they travel.
template <typename Parameters>
struct visit_arguments {
  using type = std::tuple<>;
};
template <typename E, typename... A>
struct visit_arguments<type_list<E, A...>> {
  using type = std::tuple<std::remove_cvref_t<A>...>;
};

// A visit as it travels: the arguments, and behind them the offset of the element, in 5 bytes. The
// padding behind has room for the number of the visitor, in nearly all messages.
template <typename... A>
struct visit_message;

template <>
struct visit_message<> {
  static constexpr std::size_t bytes = 5;  // without the padding at the end

  std::uint32_t low;
  std::uint8_t high;

  [[nodiscard]] static visit_message of(std::uint64_t offset) {
    return {static_cast<std::uint32_t>(offset), static_cast<std::uint8_t>(offset >> 32)};
  }
  [[nodiscard]] std::uint64_t offset() const { return std::uint64_t{high} << 32 | low; }
  template <typename F, typename T, typename... Before>
  void call(const F& f, T& element, const Before&... arguments) const {
    static_cast<void>(f(element, arguments...));
  }
};

template <typename First, typename... Rest>
struct visit_message<First, Rest...> {
  using rest_message = visit_message<Rest...>;

  static constexpr std::size_t bytes =
      (sizeof(First) + alignof(rest_message) - 1) / alignof(rest_message) * alignof(rest_message) +
      rest_message::bytes;

  First first;
  rest_message rest;

  [[nodiscard]] static visit_message of(std::uint64_t offset, const First& first,
                                        const Rest&... rest) {
    return {first, rest_message::of(offset, rest...)};
  }
  [[nodiscard]] std::uint64_t offset() const { return rest.offset(); }
  template <typename F, typename T, typename... Before>
  void call(const F& f, T& element, const Before&... before) const {
    rest.call(f, element, before..., first);
  }
};

// The message of a visitor, by the types of its arguments.
template <typename Arguments>
struct visit_message_of;
template <typename... A>
struct visit_message_of<std::tuple<A...>> {
  using type = visit_message<A...>;
  static constexpr bool can_travel = (true && ... && (require_plain<A>(), plain<A>));
  template <typename F, typename T>
  static constexpr bool can_visit = std::invocable<const F&, T&, A...>;
};

// Calls the visitor F for a run of visits. `elements` is the part of the PE.
template <typename T, typename F, typename Message>
void visit_elements(void* elements, const message_run& run) {
  T* const first = static_cast<T*>(elements);
  constexpr std::size_t ahead = 16;
  const std::size_t prefetched = run.count > ahead ? run.count - ahead : 0;
  std::size_t i = 0;
  for (; i != prefetched; ++i) {
    __builtin_prefetch(first + run.message<Message>(i + ahead).offset(), 1);
    const Message& visit = run.message<Message>(i);
    visit.call(F(), first[visit.offset()]);
  }
  for (; i != run.count; ++i) {
    const Message& visit = run.message<Message>(i);
    visit.call(F(), first[visit.offset()]);
  }
}

// Returns the kind of messages of the visitor F.
template <typename T, typename F, typename Message>
[[nodiscard]] message_kind kind_of_visits(T* elements) {
  static_assert(sizeof(Message) - Message::bytes < alignof(Message));
  static_assert(alignof(Message) <= 64, "arguments are aligned to cache lines at most");
  return {.bytes = Message::bytes,
          .alignment = alignof(Message),
          .receiver = elements,
          .handle = visit_elements<T, F, Message>,
          .type = identity_of<F>};
}

// Returns whether F can be a visitor of elements of type T; reports the first problem.
template <typename T, typename F>
consteval bool requires_visitor() {
  static_assert(captureless<F>,
                "a visitor is called on other PEs, where its captures mean nothing: give a lambda "
                "without captures, and pass values to `tell` as arguments");
  if constexpr (captureless<F>) {
    static_assert(has_one_signature<F>,
                  "a visitor states the types of its arguments, by which they travel: write them "
                  "instead of `auto`");
    if constexpr (has_one_signature<F>) {
      using message =
          visit_message_of<typename visit_arguments<typename call_signature<F>::parameters>::type>;
      static_assert(message::template can_visit<F, T>,
                    "a visitor must be callable as visitor(element, arguments...), with T& and "
                    "arguments by value or const&");
      return message::can_travel && message::template can_visit<F, T>;
    }
  }
  return false;
}

}  // namespace boxcar::detail
