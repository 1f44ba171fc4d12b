// The biconveyor core is the untyped half of a biconveyor for queries of one size and replies of
// one size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include <boxcar/detail/biconveyor_base.hpp>
#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/detail/pe_table.hpp>
#include <boxcar/detail/reply_desk.hpp>
#include <boxcar/detail/ring.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// The queue of replies that wait for their turn; an element has the bytes of one reply.
using reply_queue = ring<std::byte>;
using reply_queues = pe_table<reply_queue>;  // by the PE of the reply

// The loops over queries and replies. A derived class knows the types, so that everything per item
// can be inlined.
class biconveyor_loops {
 public:
  virtual ~biconveyor_loops() = default;
  // Answers arrived queries.
  virtual void serve(reply_desk& desk) = 0;
  // Moves arrived replies to the queues of the PEs of the replies.
  virtual void collect(conveyor_core& replies, reply_queues& arrived) = 0;

 protected:
  [[gnu::always_inline]] static void collect_all(std::size_t reply_bytes, conveyor_core& replies,
                                                 reply_queues& arrived) {
    if (!replies.has_rows()) {
      replies.pull_all(reply_bytes, [&](const std::byte* reply, int from) {
        arrived[static_cast<std::uint32_t>(from)].push_element(reply, reply_bytes);
      });
      return;
    }
    for (auto row = replies.unread_row(); !row.empty(); row = replies.unread_row()) {
      arrived[static_cast<std::uint32_t>(replies.from())].push_row(row.begin, row.bytes(),
                                                                   reply_bytes);
      replies.pulled_to(row.end);
    }
  }
};

class biconveyor_core final : public biconveyor_base {
 public:
  // Collective. The sizes are the minimum capacities of a buffer. `steady` is implied. All PEs give
  // the same types, if any.
  biconveyor_core(const world& w, std::size_t query_bytes, std::size_t reply_bytes,
                  const conveyor_options& options, const type_identity& query_type = {},
                  const type_identity& reply_type = {});

  // Collective.
  void begin(std::size_t query_bytes, std::size_t reply_bytes,
             std::unique_ptr<biconveyor_loops> loops);

  [[gnu::always_inline]] bool push(const void* query, std::size_t bytes, int pe) {
    return ask([=, this] { return queries_.push(query, bytes, pe); }, pe);
  }
  template <typename Query>
  [[gnu::always_inline]] bool push_item(const Query& query, int pe) {
    return ask([this, &query, pe] { return queries_.push_item(query, pe); }, pe);
  }

  // Copies the reply to the oldest query without a reply; returns false if the reply has not
  // arrived.
  [[gnu::always_inline]] bool pull_into(void* reply, std::size_t bytes) {
    if (nothing_asked()) [[unlikely]] {
      require_pull();
      return false;
    }
    reply_queue* replies = arrived_.find(whom());
    if (replies == nullptr || replies->empty()) [[unlikely]] {
      collect();
      replies = arrived_.find(whom());
      if (replies == nullptr || replies->empty()) return false;
    }
    take();
    std::memcpy(reply, replies->front(), bytes);
    replies->pop_front(bytes);
    return true;
  }

 private:
  void serve() override { loops_->serve(desk_); }
  [[nodiscard]] bool all_sent() const override { return true; }
  void collect() override { loops_->collect(replies_, arrived_); }
  [[nodiscard]] std::size_t queue_bytes() const override;
  void release_queues() override;

  conveyor_core queries_;
  conveyor_core replies_;
  reply_desk desk_;
  std::unique_ptr<biconveyor_loops> loops_;
  std::size_t reply_bytes_ = 0;
  reply_queues arrived_;
};

}  // namespace boxcar::detail
