// The reply desk answers queries: queries come from a conveyor, and replies go to a second
// conveyor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/detail/plain_value.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

// The desk answers a query only when there is room for the reply, and writes the reply directly
// into the buffer: no reply is left unsent.
class reply_desk {
 public:
  reply_desk(conveyor_core& queries, conveyor_core& replies)
      : queries_(queries), replies_(replies) {}

  // Answers arrived queries as long as there is room for replies. `answer(query, from, reply)`
  // reads and writes bytes.
  template <typename Answer>
  [[gnu::always_inline]] void serve(std::size_t query_bytes, std::size_t reply_bytes,
                                    Answer&& answer) {
    if (in_rows()) return serve_rows(query_bytes, reply_bytes, answer);
    conveyor_core& replies = replies_;
    const first_steps steps = replies.setting_out();
    queries_.pull_while(query_bytes, [&](const std::byte* query, int from) {
      return replies.push_written(steps, static_cast<std::uint32_t>(from), reply_bytes,
                                  [&](std::byte* reply) { answer(query, from, reply); });
    });
  }

  // As `serve`, with `answer(query, from)` for queries and replies of known types. In rows, queries
  // and replies are not accessed as bytes, which might alias anything that `answer` reads: so the
  // compiler can keep values in registers.
  template <typename Query, typename Reply, typename Answer>
  [[gnu::always_inline]] void serve_items(Answer&& answer) {
    constexpr std::size_t alignment = std::max(alignof(Query), alignof(Reply));
    if (alignment <= conveyor_core::row_alignment && in_rows()) {
      const auto in_place = [&](const std::byte* asked, int from, std::byte* to) {
        ::new (static_cast<void*>(to)) Reply(answer(*reinterpret_cast<const Query*>(asked), from));
      };
      serve_rows(sizeof(Query), sizeof(Reply), in_place);
    } else {
      const auto by_copy = [&](const std::byte* asked, int from, std::byte* to) {
        use_plain_value<Query>(asked, [&answer, from, to](const Query& query) {
          const Reply reply = answer(query, from);
          std::memcpy(to, &reply, sizeof reply);
        });
      };
      serve(sizeof(Query), sizeof(Reply), by_copy);
    }
  }

 private:
  [[nodiscard]] bool in_rows() const { return queries_.has_rows() && replies_.has_rows(); }

  // Answers queries a row at a time.
  template <typename Answer>
  [[gnu::always_inline]] void serve_rows(std::size_t query_bytes, std::size_t reply_bytes,
                                         Answer& answer) {
    for (;;) {
      const auto asked = queries_.unread_row();
      if (asked.empty()) return;
      const int from = queries_.from();
      const auto room = replies_.room_for(from);
      if (room.empty()) return;
      const std::size_t n = std::min(asked.bytes() / query_bytes, room.bytes() / reply_bytes);
      std::byte* query = asked.begin;
      std::byte* reply = room.begin;
      std::byte* const end = query + n * query_bytes;
      try {
        for (; query != end; query += query_bytes, reply += reply_bytes) {
          prefetch_to_write(reply + write_ahead);
          answer(query, from, reply);
        }
      } catch (...) {  // a query that could not be answered is not answered again
        queries_.pulled_to(query + query_bytes);
        replies_.pushed_to(from, reply);
        throw;
      }
      queries_.pulled_to(end);
      replies_.pushed_to(from, reply);
    }
  }

  conveyor_core& queries_;
  conveyor_core& replies_;
};

}  // namespace boxcar::detail
