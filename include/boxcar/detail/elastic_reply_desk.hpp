// The elastic reply desk answers queries of any size: queries come from an elastic conveyor, and
// replies go to a second elastic conveyor.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <boxcar/detail/elastic_core.hpp>
#include <boxcar/elastic_reply.hpp>

namespace boxcar::detail {

// A function that answers writes its reply in the buffer in which the reply travels, or fills a
// vector.
template <typename Answer>
concept answers_in_place = std::invocable<Answer&, std::span<const std::byte>, elastic_reply&>;
template <typename Answer>
concept elastic_answer =
    answers_in_place<Answer> ||
    std::invocable<Answer&, std::span<const std::byte>, std::vector<std::byte>&>;

// The desk answers every query once, whether or not there is room for the reply.
class elastic_reply_desk {
 public:
  elastic_reply_desk(elastic_core& queries, elastic_core& replies)
      : queries_(queries), replies_(replies) {}

  void start_session() { waits_for_ = nobody; }
  // Frees the memory until the next session.
  void release() { aside_ = {}; }

  // Answers arrived queries as long as there is room for replies.
  template <elastic_answer Answer>
  void serve(Answer& answer) {
    if (!all_sent() && !send_aside()) return;
    elastic_core& queries = queries_;
    elastic_core& replies = replies_;
    for (;;) {
      const auto query = queries.pull();
      if (query.data == nullptr) return;
      const int from = queries.from();
      const std::span<const std::byte> asked(query.data, query.bytes);
      if constexpr (answers_in_place<Answer>) {
        elastic_reply reply(replies, from, aside_);
        answer(asked, reply);
        if (!reply.in_buffer_ && reply.bytes_ == 0) reply.resize(0);
        if (reply.in_buffer_) [[likely]] {
          replies.push_written(reply.step_, reply.bytes_);
          continue;
        }
      } else {
        aside_.clear();
        answer(asked, aside_);
      }
      waits_for_ = from;
      if (!send_aside()) return;
    }
  }

  // Returns whether no reply waits for room.
  [[nodiscard]] bool all_sent() const { return waits_for_ == nobody; }
  [[nodiscard]] std::size_t memory_bytes() const { return aside_.capacity(); }

 private:
  static constexpr int nobody = -1;

  bool send_aside() {
    if (!replies_.push(aside_.data(), aside_.size(), waits_for_)) return false;
    waits_for_ = nobody;
    return true;
  }

  elastic_core& queries_;
  elastic_core& replies_;
  std::vector<std::byte> aside_;  // a reply outside of the buffers
  int waits_for_ = nobody;        // the PE that the reply `aside_` is for
};

}  // namespace boxcar::detail
