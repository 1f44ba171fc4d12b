// Where queries are answered: from a conveyor of queries into one of replies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

// Every query is answered once, whether or not there is room for its reply.
class reply_desk {
 public:
  reply_desk(conveyor_core& queries, conveyor_core& replies)
      : queries_(queries), replies_(replies) {}

  void start_session(std::size_t reply_bytes) {
    unsent_to_ = -1;
    unsent_.resize(reply_bytes);
  }

  // Answers what has arrived for as long as there is room for replies. `answer(query, from, reply)`
  // reads and writes bytes.
  template <typename Answer>
  [[gnu::always_inline]] void serve(std::size_t query_bytes, std::size_t reply_bytes,
                                    Answer&& answer) {
    if (queries_.has_rows() && replies_.has_rows()) {
      serve_rows(query_bytes, reply_bytes, answer);
    } else {
      serve_one_by_one(query_bytes, reply_bytes, answer);
    }
  }

  // The same with `answer(query, from)` for queries and replies of these types. In rows they are
  // not taken for bytes, which might be anything that `answer` reads: the compiler keeps in
  // registers what it can.
  template <typename Query, typename Reply, typename Answer>
  [[gnu::always_inline]] void serve_items(Answer&& answer) {
    constexpr std::size_t alignment = std::max(alignof(Query), alignof(Reply));
    if (alignment <= conveyor_core::row_alignment && queries_.has_rows() && replies_.has_rows()) {
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

  // No reply waits for room.
  [[nodiscard]] bool all_sent() const { return unsent_to_ < 0; }

 private:
  template <typename Answer>
  [[gnu::always_inline]] void serve_one_by_one(std::size_t query_bytes, std::size_t reply_bytes,
                                               Answer& answer) {
    if (unsent_to_ >= 0) {
      if (!replies_.push(unsent_.data(), reply_bytes, unsent_to_)) return;
      unsent_to_ = -1;
    }
    while (const std::byte* query = queries_.pull(query_bytes)) {
      const int from = queries_.from();
      answer(query, from, unsent_.data());
      if (!replies_.push(unsent_.data(), reply_bytes, from)) [[unlikely]] {
        unsent_to_ = from;
        return;
      }
    }
  }

  // A query is only answered once there is room: nothing is left unsent.
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
  std::vector<std::byte> unsent_;
  int unsent_to_ = -1;  // whom the reply in `unsent_` could not be sent to
};

}  // namespace boxcar::detail
