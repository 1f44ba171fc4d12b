// The elastic biconveyor core is the untyped half of a biconveyor for queries and replies of any
// size.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include <boxcar/detail/biconveyor_base.hpp>
#include <boxcar/detail/elastic_core.hpp>
#include <boxcar/detail/elastic_queue.hpp>
#include <boxcar/detail/elastic_reply_desk.hpp>
#include <boxcar/detail/pe_table.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// The loop over queries. A derived class knows the function that answers them.
class elastic_biconveyor_loop {
 public:
  virtual ~elastic_biconveyor_loop() = default;
  virtual void serve(elastic_reply_desk& desk) = 0;
};

class elastic_biconveyor_core final : public biconveyor_base {
 public:
  // Collective. Queries have at most `largest_query` bytes, replies at most `largest_reply`.
  elastic_biconveyor_core(const world& w, std::size_t largest_query, std::size_t largest_reply,
                          const conveyor_options& options);
  // Collective.
  void begin(std::unique_ptr<elastic_biconveyor_loop> loop);

  [[gnu::always_inline]] bool push(std::span<const std::byte> query, int pe) {
    return ask([this, query, pe] { return queries_.push(query.data(), query.size(), pe); }, pe);
  }

  // Returns the reply to the oldest query without a reply, if the reply has arrived. Valid until
  // the next pull or advance.
  [[gnu::always_inline]] std::optional<std::span<const std::byte>> pull() {
    if (nothing_asked()) [[unlikely]] {
      require_pull();
      return std::nullopt;
    }
    elastic_queue* replies = arrived_.find(whom());
    if (replies == nullptr || replies->empty()) [[unlikely]] {
      collect();
      replies = arrived_.find(whom());
      if (replies == nullptr || replies->empty()) return std::nullopt;
    }
    take();
    return replies->pop();
  }

 private:
  void serve() override { loop_->serve(desk_); }
  [[nodiscard]] bool all_sent() const override { return desk_.all_sent(); }
  void collect() override;
  [[nodiscard]] std::size_t queue_bytes() const override;
  void release_queues() override;

  elastic_core queries_;
  elastic_core replies_;
  elastic_reply_desk desk_;
  std::unique_ptr<elastic_biconveyor_loop> loop_;
  pe_table<elastic_queue> arrived_;  // replies by the sending PE
};

}  // namespace boxcar::detail
