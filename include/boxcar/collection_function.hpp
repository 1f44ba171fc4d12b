// A function on the objects of a collection is called on an object, wherever the object is, with
// arguments that travel to the object, and may return a result to the caller.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <boxcar/detail/collection_call.hpp>
#include <boxcar/error.hpp>
#include <boxcar/remote_result.hpp>

namespace boxcar {

// An object of a collection, wherever the object is: the destination of a call. Valid as long as
// the collection.
template <typename T, typename Index>
class object_reference {
 public:
  object_reference(detail::collection_core<T, Index>& collection, const Index& index)
      : collection_(&collection), index_(index) {}

  [[nodiscard]] const Index& index() const { return index_; }
  [[nodiscard]] detail::collection_core<T, Index>& core() const { return *collection_; }

 private:
  detail::collection_core<T, Index>* collection_;
  Index index_;
};

// The handle of a function on the objects of one collection; see collection::function. R is the
// result, A are the types of the arguments behind the object and the index. Thread safety: as of
// the collection. Valid as long as the collection: calls on objects of a later collection throw.
template <typename T, typename Index, typename R, typename... A>
class collection_function {
 public:
  // Local. Legal in a session, also in a handler. Calls the function on the object with copies of
  // the arguments; a result is dropped. May wait, as stream::send. Throws argument_error if the
  // object is of another collection.
  void operator()(const object_reference<T, Index>& object, const A&... arguments) const {
    if constexpr (std::is_void_v<R>) {
      detail::send_call(core_of(object), number_, object.index(), arguments...);
    } else {
      detail::send_call(core_of(object), number_, object.index(),
                        detail::origin_of(core_of(object).the_rank, detail::ask_ticket::nobody),
                        arguments...);
    }
  }

  // Local. Legal as a call. Calls the function, and returns the result to come: `co_await
  // f.ask(...)` in a coroutine, `f.ask(...).wait()` elsewhere. An exception of the function comes
  // back as remote_error.
  [[nodiscard]] remote_result<R> ask(const object_reference<T, Index>& object,
                                     const A&... arguments) const
    requires(!std::is_void_v<R>)
  {
    core_type& core = core_of(object);
    core.require_session("ask");
    const std::uint32_t ticket = asks_->open();
    try {
      detail::send_call(core, number_, object.index(), detail::origin_of(core.the_rank, ticket),
                        arguments...);
    } catch (...) {
      asks_->cancel(ticket);
      throw;
    }
    return remote_result<R>(asks_, core, ticket);
  }

 private:
  using core_type = detail::collection_core<T, Index>;
  template <typename, typename>
  friend class collection;

  template <typename Fn>
  collection_function(core_type& core, Fn fn) {
    std::string name = detail::name_of_function(typeid(Fn), "");
    core.functions += name + ", ";
    detail::object_function<T, Index, Fn> function{std::move(fn)};
    if constexpr (std::is_void_v<R>) {
      number_ = detail::add_call_handler<A...>(core, name, std::move(function));
    } else {
      asks_ = std::make_shared<detail::asks_for<R>>(name);
      const std::uint8_t replies =
          core.add_reply_receiver(std::make_unique<detail::object_replies<R>>(asks_));
      number_ = detail::add_call_handler<detail::ask_origin, A...>(
          core, name,
          detail::answering_function<T, Index, Fn, R>{std::move(function), &core, replies});
      constexpr bool is_item = detail::plain_arguments<detail::ask_origin, A...>;
      (is_item ? core.item_asks : core.array_asks).push_back(number_.kind());
    }
  }

  [[nodiscard]] core_type& core_of(const object_reference<T, Index>& object) const {
    core_type& core = object.core();
    if (number_.owner() != core.owner) [[unlikely]]
      detail::refuse_object_of_another_collection();
    return core;
  }

  using asks_type = std::conditional_t<std::is_void_v<R>, int, R>;

  detail::owned_kind number_;
  std::shared_ptr<detail::asks_for<asks_type>> asks_{};  // nullptr: there is no result
};

namespace detail {

template <typename T, typename Index, typename R, typename Parameters>
struct collection_function_with;
template <typename T, typename Index, typename R, typename... P>
struct collection_function_with<T, Index, R, type_list<P...>> {
  using type = collection_function<T, Index, std::remove_cvref_t<R>, std::remove_cvref_t<P>...>;
};
template <typename T, typename Index, typename Fn>
using collection_function_of = typename collection_function_with<
    T, Index, typename call_signature<Fn>::result,
    typename object_function<T, Index, Fn>::parameters::types>::type;

}  // namespace detail
}  // namespace boxcar
