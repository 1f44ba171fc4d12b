// Calls of functions on objects of a collection: the signature of a function, the message of a
// call, and the reply. Calls with plain arguments travel as items to the object; calls with other
// arguments travel as arrays of bytes, which serializers write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/call_signature.hpp>
#include <boxcar/detail/collection_core.hpp>
#include <boxcar/detail/remote_arguments.hpp>
#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/detail/remote_identity.hpp>
#include <boxcar/detail/remote_replies.hpp>
#include <boxcar/detail/remote_signature.hpp>
#include <boxcar/error.hpp>
#include <boxcar/serializer.hpp>

namespace boxcar::detail {

// The parameters behind the object. `takes_index`: the first of them is the index of the object.
template <typename Index, typename Parameters>
struct behind_object {
  static constexpr bool takes_index = false;
  using types = Parameters;
};
template <typename Index, typename... P>
struct behind_object<Index, type_list<const Index&, P...>> {
  static constexpr bool takes_index = true;
  using types = type_list<P...>;
};

template <typename T, typename Index, typename Parameters>
struct object_parameters {
  static constexpr bool takes_object = false;
};
template <typename T, typename Index, typename First, typename... P>
struct object_parameters<T, Index, type_list<First, P...>> : behind_object<Index, type_list<P...>> {
  static constexpr bool takes_object =
      std::is_lvalue_reference_v<First> && std::is_same_v<std::remove_cvref_t<First>, T>;
};

// Returns whether Fn can be called on objects of type T, and reports the problem.
template <typename T, typename Index, typename Fn>
consteval bool require_object_function() {
  constexpr bool is_known = std::is_class_v<Fn> && has_one_signature<Fn>;
  static_assert(is_known,
                "the types of the arguments are not known: give a function object whose parameters "
                "have types (no `auto`)");
  if constexpr (is_known) {
    using signature = call_signature<Fn>;
    using parameters = object_parameters<T, Index, typename signature::parameters>;
    static_assert(parameters::takes_object,
                  "the first parameter of a function on objects must be the object, by reference");
    if constexpr (parameters::takes_object) {
      return require_parameters(typename parameters::types{}) &&
             require_result<typename signature::result>();
    }
  }
  return false;
}

// A function of the program, called with the object and its index.
template <typename T, typename Index, typename Fn>
struct object_function {
  using parameters = object_parameters<T, Index, typename call_signature<Fn>::parameters>;

  template <typename... Given>
  decltype(auto) operator()(T& object, const Index& index, Given&&... given) {
    if constexpr (parameters::takes_index) {
      return fn(object, index, std::forward<Given>(given)...);
    } else {
      return fn(object, std::forward<Given>(given)...);
    }
  }

  Fn fn;
};

// As above, for a function with a result: sends the reply to the caller.
template <typename T, typename Index, typename Fn, typename R>
struct answering_function {
  template <typename... Given>
  void operator()(T& object, const Index& index, ask_origin origin, Given&&... given) {
    const std::uint32_t ticket = ticket_of(origin);
    if (ticket == ask_ticket::nobody) {
      static_cast<void>(function(object, index, std::forward<Given>(given)...));
      return;
    }
    try {
      const R result = function(object, index, std::forward<Given>(given)...);
      collection->reply(caller_of(origin), number, ticket,
                        [&](byte_writer& out) { out.put(result); });
    } catch (const world_error&) {
      throw;
    } catch (...) {
      const std::string text = text_of_exception(collection->the_rank);
      collection->reply(caller_of(origin), number,
                        ticket | ask_ticket::problem | ask_ticket::last_piece,
                        [&](byte_writer& out) { out.put_bytes(std::as_bytes(std::span(text))); });
    }
  }

  object_function<T, Index, Fn> function;
  collection_core<T, Index>* collection;
  std::uint8_t number;  // of the receiver of replies
};

// Adds the handler of calls with arguments A, which calls `function(object, index, arguments...)`.
template <typename... A, typename T, typename Index, typename Function>
owned_kind add_call_handler(collection_core<T, Index>& core, const std::string& name,
                            Function function) {
  if constexpr (plain_arguments<A...>) {
    using message = argument_pack<A...>;
    return core.template add_item_handler<message>(
        [function = std::move(function)](T& object, const Index& index, const message& m) mutable {
          const auto call = [&](const A&... given) { function(object, index, given...); };
          apply_arguments(m, call);
        });
  } else {
    return core.template add_array_handler<std::byte, true>(
        [function = std::move(function), name](T& object, const Index& index,
                                               std::span<const std::byte> bytes) mutable {
          const auto call = [&](auto&&... given) {
            function(object, index, std::forward<decltype(given)>(given)...);
          };
          apply_written<A...>(bytes, name, call);
        });
  }
}

// Sends a call. May wait, as stream::send.
template <typename... A, typename T, typename Index>
void send_call(collection_core<T, Index>& core, owned_kind number, const Index& index,
               const A&... arguments) {
  if constexpr (!plain_arguments<A...>) {
    std::vector<std::byte> bytes;
    write_arguments(bytes, arguments...);
    core.send_array(number, index, bytes, 1);
  } else if constexpr (sizeof...(A) <= 1) {
    core.send(number, index, argument_pack<A...>{arguments...});
  } else {
    argument_pack<A...> message;
    put_arguments(message.bytes.data(), arguments...);
    core.send(number, index, message);
  }
}

// The receiver of the replies to asks of one function.
template <typename R>
class object_replies final : public reply_receiver {
 public:
  explicit object_replies(std::shared_ptr<asks_for<R>> asks) : asks_(std::move(asks)) {}
  object_replies(const object_replies&) = delete;
  object_replies& operator=(const object_replies&) = delete;
  ~object_replies() override { asks_->abandon(); }

  void receive(std::uint32_t word, byte_reader& in) override {
    receive_written_reply(*asks_, word, in);
  }

 private:
  std::shared_ptr<asks_for<R>> asks_;
};

}  // namespace boxcar::detail
