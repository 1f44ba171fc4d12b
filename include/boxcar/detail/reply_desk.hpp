// Where queries are answered: from a conveyor of queries into one of replies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

// A query is only answered once there is room for its reply, which is written where it travels:
// nothing is left unsent.
class reply_desk {
 public:
  reply_desk(conveyor_core& queries, conveyor_core& replies)
      : queries_(queries), replies_(replies) {}

  // Answers what has arrived for as long as there is room for replies. `answer(query, from, reply)`
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

  // The same with `answer(query, from)` for queries and replies of these types. In rows they are
  // not taken for bytes, which might be anything that `answer` reads: the compiler keeps in
  // registers what it can.
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
        Query query;
        std::memcpy(&query, asked, sizeof query);
        const Reply reply = answer(std::as_const(query), from);
        std::memcpy(to, &reply, sizeof reply);
      };
      serve(sizeof(Query), sizeof(Reply), by_copy);
    }
  }

 private:
  [[nodiscard]] bool in_rows() const { return queries_.has_rows() && replies_.has_rows(); }

  // A row at a time.
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
      } catch (...) {  // one that could not be answered is not asked again
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
