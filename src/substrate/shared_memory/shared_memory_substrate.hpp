// A shared_memory_substrate is a world whose PEs all run on one machine and share memory. The class
// serves the substrates "threads" and "processes", which differ in the source of memory and in the
// start of PEs.
//
// The PEs may be spread over simulated nodes: then only the PEs of the same node count as local,
// and links between nodes copy the data (mapped_remote_memory.hpp), as links between machines do.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "substrate/rank_list.hpp"
#include "substrate/shared_memory/arrival_watch.hpp"
#include "substrate/shared_memory/control_block.hpp"
#include "substrate/shared_memory/job_membership.hpp"
#include "substrate/shared_memory/kept_memory.hpp"
#include "substrate/shared_memory/object_pool.hpp"
#include "substrate/shared_memory/wide_slots.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Returns the world of all PEs of a job.
std::unique_ptr<substrate> join_job(std::shared_ptr<job_membership> job);

class shared_memory_substrate final : public substrate {
 public:
  // `members` are the ranks in the job of this world's PEs.
  shared_memory_substrate(std::shared_ptr<job_membership> job,
                          std::unique_ptr<shared_memory> team_memory, team_block* team,
                          rank_list members, int rank, std::uint64_t identity);
  shared_memory_substrate(const shared_memory_substrate&) = delete;
  shared_memory_substrate& operator=(const shared_memory_substrate&) = delete;
  ~shared_memory_substrate() override;

  [[nodiscard]] const char* name() const override { return job_->substrate_name; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return members_.size(); }
  [[nodiscard]] const node_layout& layout() const override { return layout_; }
  [[nodiscard]] int pes_on_machine() const override { return job_->pes_on_machine; }
  [[nodiscard]] bool has_core() const override { return job_->wait->has_core(); }

  using substrate::barrier;
  void barrier(std::size_t bytes, int root) override;
  void broadcast(std::span<std::byte> data, int root, const type_identity& of) override;
  void all_gather(std::span<const std::byte> mine, std::byte* all,
                  const type_identity& of) override;
  void gather(std::span<const std::byte> mine, int root, const gathering_room& room,
              const type_identity& of) override;
  using substrate::all_reduce;
  void all_reduce(std::span<std::byte> values, const combination& how,
                  const type_identity& of) override;
  bool scan(std::span<std::byte> values, const combination& how, const type_identity& of) override;
  std::unique_ptr<substrate> split(int color, int key) override;

  std::unique_ptr<node_memory> share_memory(std::size_t bytes, bool keep) override;
  std::unique_ptr<node_memory> share_object_memory(std::size_t bytes) override;
  [[nodiscard]] std::atomic<std::uint64_t>& first_ready(int pe) override {
    return team_->first_ready(size(), pe);
  }
  [[nodiscard]] bool is_one_process() const override { return job_->memory->is_one_process(); }
  [[nodiscard]] std::byte* counterpart(std::byte* mine, int pe) const override {
    const auto find = job_->find_counterpart;
    return find == nullptr ? nullptr : find(mine, rank_in_job(pe));
  }
  std::shared_ptr<mailbox> make_mailbox() override;
  std::unique_ptr<link_set> make_remote_links(const link_plan& plan) override;

  std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) override;
  std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket) override;
  void release_bulk() override { job_->bulk->release(); }

  [[nodiscard]] std::chrono::nanoseconds now() const override;
  void idle(const pause_reason& why) override;
  void busy() override { job_->wait->busy(); }
  void wake(int pe) override { waiting::wake(block_of(pe)); }
  void sleep(std::chrono::nanoseconds duration) override;
  [[nodiscard]] const stall_watch& stall() const override { return job_->wait->stall(); }
  bool fail(const std::string& message) noexcept override;
  void check_failure() override { job_->wait->check_failure(); }
  void depart() noexcept override {
    end_alone();
    job_->depart();
  }
  void tell_at_exit() override {
    substrate::tell_at_exit();
    job_->ends_with_program = true;
  }

 protected:
  void keep_going(progress& others) override { job_->wait->keep_going(others); }
  [[nodiscard]] int rank_in_job(int pe) const override;

 private:
  [[nodiscard]] pe_block& block_of(int pe) const { return job_->job->pe(members_[pe]); }
  [[nodiscard]] std::atomic<std::uint32_t>& left(int pe) const { return team_->left(size(), pe); }
  collective_slot& my_slot() { return team_->slot(rank_, turn_); }

  // Executes one round of a collective: contributes `payload` of at most `part_bytes` bytes, and
  // waits for all PEs. Until the next round `theirs` returns the contributions of the PEs.
  void round(const collective_call& call, std::span<const std::byte> payload);
  [[nodiscard]] const std::byte* theirs(int pe) const { return contribution(pe, turn_ - 1); }
  [[nodiscard]] std::byte* contribution(int pe, std::uint32_t turn) const;
  // Returns the maximum size of a contribution to a round.
  [[nodiscard]] std::size_t part_bytes() const;
  // A widening makes larger contributions to the rounds of a collective possible during its
  // lifetime, if contributions of `bytes` bytes pay. The constructor is collective.
  class widening {
   public:
    widening(shared_memory_substrate& world, const collective_call& call, std::size_t bytes);
    widening(const widening&) = delete;
    widening& operator=(const widening&) = delete;
    ~widening() { world_.wide_.reset(); }

   private:
    shared_memory_substrate& world_;
  };
  void wait_for_all(arrival_watch& others_arrive);
  // Waits as waiting::idle does; notifies all PEs of a stall.
  bool pause(const pause_reason& why);
  [[noreturn]] void report_mismatch(std::uint32_t turn);
  // Executes rounds. In each round every PE contributes as many elements as have room, and
  // `fold(part, elements)` is called while `theirs` returns the contributions.
  void in_rounds(const collective_call& call, std::span<std::byte> values,
                 std::size_t element_bytes,
                 const std::function<void(std::span<std::byte> part, std::size_t elements)>& fold);
  // Combines elements too large for a round: the elements of the first `pes` PEs.
  void fold_large(const collective_call& call, std::span<std::byte> values, const combination& how,
                  int pes);
  // Returns a PE that has left the world, or -1.
  [[nodiscard]] int who_left() const;
  [[noreturn]] void report_absence(int pe, const pause_reason& why);
  // Collective over the world. Returns memory created by the PE `leader` (-1: none) for all PEs
  // with the same leader. All PEs throw system_error if any PE fails, but for `unconfirmed` and
  // `pooled`: a PE that cannot attach the memory throws alone. `pooled` memory is part of a mapping
  // (object_pool.hpp); the leader is the first PE of the node.
  enum class attachment : std::uint8_t { confirmed, unconfirmed, pooled };
  std::unique_ptr<shared_memory> share_among(int leader, std::size_t bytes,
                                             attachment how = attachment::confirmed);
  // The place of this PE's block in the memory of its node, the PE that creates the memory, and the
  // length of the memory. Collective over the world.
  struct block_place {
    std::size_t at = 0;
    int leader = 0;
    std::size_t node_bytes = 0;
  };
  block_place place_block(std::size_t bytes);
  // Collective over the world. Returns `bytes` bytes of memory for each node: memory kept by all
  // PEs, if there is any, or else memory created by the PE `leader`.
  std::unique_ptr<shared_memory> memory_of_node(int leader, std::size_t bytes, bool keep);
  // Collective over the world. Returns the number of a block of `bytes` bytes that all PEs keep, or
  // 0.
  std::uint64_t find_kept(std::size_t bytes);

  std::shared_ptr<job_membership> job_;
  std::unique_ptr<shared_memory> team_memory_;  // null for the world of all PEs
  team_block* team_;
  rank_list members_;
  node_layout layout_;
  int rank_;
  std::uint32_t turn_;             // number of rounds entered by this PE
  std::array<said_call, 2> said_;  // in the slots of this PE
  std::optional<wide_slots> wide_;
  std::shared_ptr<kept_memory> kept_;
  object_pool pool_;
  std::uint64_t shared_ = 0;  // how often memory was shared: numbers the blocks
};

}  // namespace boxcar::detail
