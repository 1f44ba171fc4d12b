// A remote channel is a stream of calls: the arguments of a call are sent to a PE, and the handler
// is called there with the arguments.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/detail/array_stream.hpp>
#include <boxcar/detail/item_stream.hpp>
#include <boxcar/detail/remote_arguments.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// Calls with plain arguments. A handler with a function `handle_some(messages, count)` gets
// consecutive calls, and may leave calls for later (deferring_handler).
template <typename Handler, typename... A>
class plain_channel {
 public:
  // Collective.
  plain_channel(const world& w, Handler handler, std::string_view, const stream_options& options)
      : stream_(w, {std::move(handler)}, options) {}

  [[gnu::always_inline]] void send(int pe, const A&... arguments) {
    if constexpr (sizeof...(A) <= 1) {
      const message only{arguments...};
      stream_.send(only, pe);
    } else {
      stream_.template send_written<sizeof(message)>(
          [&](std::byte* to) { put_arguments(to, arguments...); }, pe);
    }
  }
  [[nodiscard]] stream_core& core() { return stream_; }

 private:
  using message = argument_pack<A...>;

  struct unpack {
    [[gnu::always_inline]] void operator()(const message& m) { apply_arguments(m, handler); }
    [[nodiscard, gnu::always_inline]] std::size_t handle_some(const message* first,
                                                              std::size_t count)
      requires deferring_handler<Handler, message>
    {
      return handler.handle_some(first, count);
    }

    Handler handler;
  };

  handled_item_stream<message, unpack> stream_;
};

// Calls with arguments of any type that has a serializer.
template <typename Handler, typename... A>
class written_channel {
 public:
  // Collective. `name`: the name of the function, which outlives the channel.
  written_channel(const world& w, Handler handler, std::string_view name,
                  const stream_options& options)
      : stream_(w, {std::move(handler), name}, options) {}

  // (A send may call handlers, and handlers may send over the same channel: hence a send owns its
  // bytes while it runs.)
  void send(int pe, const A&... arguments) {
    std::vector<std::byte> bytes = std::exchange(scratch_, {});
    bytes.clear();
    write_arguments(bytes, arguments...);
    stream_.send(bytes, pe);
    scratch_ = std::move(bytes);
  }
  [[nodiscard]] stream_core& core() { return stream_; }

 private:
  struct unpack {
    void operator()(std::span<const std::byte> bytes) { apply_written<A...>(bytes, name, handler); }

    Handler handler;
    std::string_view name;
  };

  handled_array_stream<std::byte, unpack> stream_;
  std::vector<std::byte> scratch_;
};

template <bool is_plain, typename Handler, typename... A>
struct channel_of {
  using type = written_channel<Handler, A...>;
};
template <typename Handler, typename... A>
struct channel_of<true, Handler, A...> {
  using type = plain_channel<Handler, A...>;
};

template <typename Handler, typename... A>
using remote_channel = typename channel_of<plain_arguments<A...>, Handler, A...>::type;

}  // namespace boxcar::detail
