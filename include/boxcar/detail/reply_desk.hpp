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
    sent_ = answered_ = 0;
    if (in_rows()) return;
    const std::size_t replies = std::clamp<std::size_t>(largest_batch / reply_bytes, 1, 64);
    batch_.resize(replies * reply_bytes);
    whom_.resize(replies);
  }
  // It shall hold no memory before the next session.
  void release() {
    batch_ = {};
    whom_ = {};
  }

  // Answers what has arrived for as long as there is room for replies. `answer(query, from, reply)`
  // reads and writes bytes.
  template <typename Answer>
  [[gnu::always_inline]] void serve(std::size_t query_bytes, std::size_t reply_bytes,
                                    Answer&& answer) {
    if (in_rows()) {
      serve_rows(query_bytes, reply_bytes, answer);
    } else {
      serve_in_batches(query_bytes, reply_bytes, answer);
    }
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

  // No reply waits for room.
  [[nodiscard]] bool all_sent() const { return sent_ == answered_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return batch_.capacity() + whom_.capacity() * sizeof(int);
  }

 private:
  [[nodiscard]] bool in_rows() const { return queries_.has_rows() && replies_.has_rows(); }

  // Some queries are answered before the first of their replies is sent. To answer is mostly to
  // wait for memory, and so a processor waits for several at once: it looks ahead for so many
  // instructions only.
  template <typename Answer>
  [[gnu::always_inline]] void serve_in_batches(std::size_t query_bytes, std::size_t reply_bytes,
                                               Answer& answer) {
    while (send_batch(reply_bytes)) {
      std::byte* reply = batch_.data();
      int* whom = whom_.data();
      const auto note = [&] { answered_ = static_cast<std::size_t>(whom - whom_.data()); };
      try {
        queries_.pull_some(query_bytes, whom_.size(), [&](const std::byte* query, int from) {
          answer(query, from, reply);
          reply += reply_bytes;
          *whom++ = from;
        });
      } catch (...) {  // one that could not be answered is not asked again
        note();
        throw;
      }
      note();
      if (answered_ == 0) return;
    }
  }

  // False if there is no room for one.
  [[gnu::always_inline]] bool send_batch(std::size_t reply_bytes) {
    for (; sent_ != answered_; ++sent_) {
      if (!replies_.push(batch_.data() + sent_ * reply_bytes, reply_bytes, whom_[sent_])) {
        return false;
      }
    }
    sent_ = answered_ = 0;
    return true;
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

  // A part of the first-level cache.
  static constexpr std::size_t largest_batch = 4096;

  conveyor_core& queries_;
  conveyor_core& replies_;
  // Replies, and whom they are for. Those from `sent_` on still have to be sent.
  std::vector<std::byte> batch_;
  std::vector<int> whom_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
};

}  // namespace boxcar::detail
