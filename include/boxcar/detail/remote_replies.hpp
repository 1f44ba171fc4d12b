// The stream of replies to asks. A reply consists of the word of its ask, and of the result or a
// piece of the text of an exception.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/detail/array_stream.hpp>
#include <boxcar/detail/dispatch_stream.hpp>
#include <boxcar/detail/remote_arguments.hpp>
#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/serializer.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// Replies with plain results. The text of an exception travels in pieces of the size of a result:
// exceptions are rare, and results must not be larger for them.
template <typename R>
class plain_replies {
 public:
  // Collective.
  plain_replies(const world& w, asks_for<R>& asks, const stream_options& options)
      : stream_(w, {kind(asks)}, options) {}

  // A run of replies to one PE, written straight into an open buffer.
  class run {
   public:
    run(plain_replies& replies, int pe)
        : stream_(replies.stream_),
          pe_(pe),
          room_(stream_.room_to(sizeof(message), pe)),
          cursor_(room_.cursor) {}
    run(const run&) = delete;
    run& operator=(const run&) = delete;
    ~run() { close(); }

    [[nodiscard]] bool has_room() const { return cursor_ != room_.limit; }
    // Precondition: has_room.
    [[gnu::always_inline]] void add(std::uint32_t ticket, const R& result) {
      prefetch_to_write(cursor_ + write_ahead);
      put_arguments(cursor_, ticket, result);
      cursor_ += sizeof(message);
    }
    // Ends the run: from now on there is no room.
    void close() {
      if (room_.has_room()) stream_.fill(room_, cursor_, sizeof(message), pe_);
      room_ = {};
      cursor_ = nullptr;
    }

   private:
    item_stream& stream_;
    int pe_;
    item_stream::open_room room_;
    std::byte* cursor_;
  };

  void send(int pe, std::uint32_t ticket, const R& result) {
    stream_.template send_written<sizeof(message)>(
        [&](std::byte* to) { put_arguments(to, ticket, result); }, pe);
  }
  void send_problem(int pe, std::uint32_t ticket, std::string_view text) {
    using piece_of_text = std::array<char, sizeof(R)>;
    while (!text.empty()) {
      piece_of_text piece{};
      const std::size_t length = std::min(text.size(), piece.size());
      std::copy_n(text.begin(), length, piece.begin());
      text.remove_prefix(length);
      const std::uint32_t last = text.empty() ? ask_ticket::last_piece : 0;
      const std::uint32_t word = ticket | ask_ticket::problem | last;
      stream_.template send_written<sizeof(message)>(
          [&](std::byte* to) { put_arguments(to, word, piece); }, pe);
    }
  }
  [[nodiscard]] stream_core& core() { return stream_; }

 private:
  using message = argument_pack<std::uint32_t, R>;

  static message_kind kind(asks_for<R>& asks) {
    return {.bytes = sizeof(message),
            .alignment = alignof(message),
            .receiver = &asks,
            .handle = [](void* all,
                         const message_run& run) { receive(*static_cast<asks_for<R>*>(all), run); },
            .type = identity_of<message>};
  }
  static void receive(asks_for<R>& asks, const message_run& run) {
    for (std::size_t i = 0; i != run.count;) {
      const std::byte* const reply = run.first + i * run.stride;
      const auto word = plain_value<std::uint32_t>(reply);
      const std::byte* const content = reply + sizeof word;
      if ((word & ask_ticket::problem) != 0) {
        asks.receive_problem(word, {reinterpret_cast<const char*>(content), sizeof(R)});
        ++i;
      } else if ((word & ask_ticket::of_batch) != 0 && asks.batch() != nullptr) {
        i = asks.batch()->receive(run, i);
      } else {
        asks.receive(word, plain_value<R>(content));
        ++i;
      }
    }
  }

  dispatch_stream stream_;
};

// Takes a reply that a serializer has written. `word`: the ticket with its flags.
template <typename R>
void receive_written_reply(asks_for<R>& asks, std::uint32_t word, byte_reader& in) {
  if ((word & ask_ticket::problem) != 0) {
    const auto text = in.get_rest();
    asks.receive_problem(word, {reinterpret_cast<const char*>(text.data()), text.size()});
    return;
  }
  R result = in.get<R>();
  in.expect_end();
  asks.receive(word, std::move(result));
}

// Replies with results that have a serializer.
template <typename R>
class written_replies {
 public:
  // Collective. `name`: the name of the function.
  written_replies(const world& w, asks_for<R>& asks, std::string_view name,
                  const stream_options& options)
      : stream_(w, {&asks, name}, options) {}

  void send(int pe, std::uint32_t ticket, const R& result) {
    std::vector<std::byte> bytes;
    write_arguments(bytes, ticket, result);
    stream_.send(bytes, pe);
  }
  void send_problem(int pe, std::uint32_t ticket, std::string_view text) {
    std::vector<std::byte> bytes;
    write_arguments(bytes, ticket | ask_ticket::problem | ask_ticket::last_piece);
    byte_writer(bytes).put_bytes(std::as_bytes(std::span(text)));
    stream_.send(bytes, pe);
  }
  [[nodiscard]] stream_core& core() { return stream_; }

 private:
  struct receiver {
    void operator()(std::span<const std::byte> bytes) {
      byte_reader in(bytes, name);
      const auto word = in.get<std::uint32_t>();
      receive_written_reply(*asks, word, in);
    }

    asks_for<R>* asks;
    std::string_view name;
  };

  handled_array_stream<std::byte, receiver> stream_;
};

}  // namespace boxcar::detail
