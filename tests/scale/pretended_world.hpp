// A world of very many PEs of which only one is there. It takes the others for its equals: what
// they contribute to a collective is what it contributes itself, and they send nothing but what
// ends a session. So what one PE does and holds in such a world can be seen without having the
// others.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "substrate/progress.hpp"
#include "substrate/shared_memory/control_block.hpp"
#include "substrate/stall/stall_watch.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::test {

class pretended_world final : public detail::substrate {
 public:
  pretended_world(int pes, int pes_per_node, int rank);
  ~pretended_world() override { end_together(); }

  // The others are at the end of a session: each has sent its last buffer on every link to this PE.
  // On links that are as small as those of the waves of streams they have told that they have
  // nothing left.
  void answer();

  // What was brought together of all PEs by gathers, in bytes.
  [[nodiscard]] std::uint64_t gathered_bytes() const { return gathered_bytes_; }

  [[nodiscard]] const char* name() const override { return "pretended"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return layout_.pes(); }
  [[nodiscard]] const detail::node_layout& layout() const override { return layout_; }
  // As many as make for half a gibibyte for each, so that what fits is the same everywhere.
  [[nodiscard]] int pes_on_machine() const override;
  [[nodiscard]] bool has_core() const override { return true; }

  using substrate::barrier;
  void barrier(std::size_t, int) override {}
  void broadcast(std::span<std::byte>, int, const detail::type_identity&) override {}
  void all_gather(std::span<const std::byte> mine, std::byte* all,
                  const detail::type_identity&) override;
  void gather(std::span<const std::byte> mine, int root, const gathering_room& room,
              const detail::type_identity&) override;
  using substrate::all_reduce;
  void all_reduce(std::span<std::byte> values, const detail::combination& how,
                  const detail::type_identity&) override;
  bool scan(std::span<std::byte> values, const detail::combination& how,
            const detail::type_identity&) override;
  std::unique_ptr<substrate> split(int, int) override { return nullptr; }

  std::unique_ptr<detail::node_memory> share_memory(std::size_t bytes, bool keep) override;
  [[nodiscard]] std::atomic<std::uint64_t>& first_ready(int /*pe*/) override {
    return first_ready_;
  }
  [[nodiscard]] bool is_one_process() const override { return false; }
  std::shared_ptr<detail::mailbox> make_mailbox() override;
  std::unique_ptr<detail::link_set> make_remote_links(const detail::link_plan& plan) override;
  std::unique_ptr<detail::bulk_offer> offer_bulk(int, std::size_t) override { return nullptr; }
  std::unique_ptr<detail::bulk_delivery> fetch_bulk(int, const detail::bulk_ticket&) override {
    return nullptr;
  }

  [[nodiscard]] std::chrono::nanoseconds now() const override { return {}; }
  void idle(const detail::pause_reason&) override { static_cast<void>(mine_->make()); }
  void busy() override {}
  void wake(int) override {}
  void sleep(std::chrono::nanoseconds) override {}
  [[nodiscard]] const detail::stall_watch& stall() const override { return stall_; }
  bool fail(const std::string&) noexcept override { return true; }
  void check_failure() override {}
  void depart() noexcept override {}

 protected:
  void keep_going(detail::progress& mine) override { mine_ = &mine; }

 private:
  class silent_links;
  class memory_of_node;

  // The values of so many PEs, combined, replace `value`.
  void combine_equals(int pes, std::span<std::byte> value, const detail::combination& how) const;

  detail::node_layout layout_;
  int rank_;
  detail::job_block job_{};
  detail::progress* mine_ = &detail::progress::of_this_pe();
  detail::stall_watch stall_{job_, 0, 0, 1, std::chrono::nanoseconds(0)};  // switched off
  std::uint64_t gathered_bytes_ = 0;
  std::atomic<std::uint64_t> first_ready_{0};
  std::set<silent_links*> links_;
  std::set<memory_of_node*> memories_;
};

}  // namespace boxcar::test
