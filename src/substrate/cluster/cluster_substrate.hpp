// A cluster_substrate is a world with PEs on several nodes. The PEs of each node form a world on
// shared memory; a network connects the nodes.
#pragma once

#include <memory>
#include <vector>

#include "substrate/cluster/exit_watch.hpp"
#include "substrate/cluster/network.hpp"
#include "substrate/cluster/stall_waves.hpp"
#include "substrate/cluster/tree_collectives.hpp"
#include "substrate/progress.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class cluster_substrate final : public substrate {
 public:
  // PE i of the world is PE members[i] of the job. `local` is the world of the PEs on the node of
  // the calling PE, in the same order.
  cluster_substrate(std::shared_ptr<network> net, std::unique_ptr<substrate> local,
                    rank_list members, node_layout layout, int rank, std::uint64_t identity);
  ~cluster_substrate() override;

  // Gives the world a tree of links for collectives. The links come from an enclosing world, where
  // PE i of the world has the rank names[i]. Before, while the job starts, the network itself
  // executes the collectives.
  void plant_tree(std::unique_ptr<link_set> links, const rank_list& names);
  // Starts the search along the tree for PEs that can never go on. Called once, if the PEs of the
  // world are on several nodes. Precondition: the world has a tree.
  void look_for_stalls(bool is_of_all_pes);

  [[nodiscard]] const char* name() const override { return net_->name(); }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return members_.size(); }
  [[nodiscard]] const node_layout& layout() const override { return layout_; }
  [[nodiscard]] int pes_on_machine() const override { return local_->pes_on_machine(); }

  [[nodiscard]] bool has_core() const override { return local_->has_core(); }

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
  std::unique_ptr<node_memory> share_object_memory(std::size_t bytes) override {
    finish_pending_starts();
    return local_->share_object_memory(bytes);
  }
  [[nodiscard]] std::atomic<std::uint64_t>& first_ready(int pe) override {
    return local_->first_ready(layout().local_rank(pe));
  }
  [[nodiscard]] bool is_one_process() const override { return false; }
  [[nodiscard]] std::byte* counterpart(std::byte* mine, int pe) const override {
    return local_->counterpart(mine, layout().local_rank(pe));
  }
  std::unique_ptr<rma_region> make_rma_region(std::size_t bytes) override {
    finish_pending_starts();
    return net_->make_rma_region(*this, members_, bytes);
  }
  std::unique_ptr<put_counter> make_put_counter(bool of_bytes, put_listener listener) override {
    return net_->make_put_counter(members_, of_bytes, std::move(listener));
  }
  std::unique_ptr<deferred_work> make_deferred_work(std::string& why_not) override {
    return net_->make_deferred_work(why_not);
  }
  std::shared_ptr<mailbox> make_mailbox() override;
  std::unique_ptr<link_set> make_remote_links(const link_plan& plan) override;

  std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) override;
  std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket) override;
  [[nodiscard]] bool fetches_in_background() const override {
    return net_->fetches_in_background();
  }
  std::unique_ptr<bulk_delivery> begin_fetch_bulk(int from, const bulk_ticket& ticket) override {
    return net_->begin_fetch_bulk(in_job(from), ticket);
  }
  void release_bulk() override { local_->release_bulk(); }

  [[nodiscard]] std::chrono::nanoseconds now() const override { return local_->now(); }
  void idle(const pause_reason& why) override;
  void busy() override { local_->busy(); }
  void wake(int pe) override { local_->wake(layout_.local_rank(pe)); }
  void sleep(std::chrono::nanoseconds duration) override;

  [[nodiscard]] const stall_watch& stall() const override { return local_->stall(); }

  bool fail(const std::string& message) noexcept override;
  void check_failure() override;
  void depart() noexcept override;
  void tell_at_exit() override;

 protected:
  void keep_going(progress& others) override;
  [[nodiscard]] int rank_in_job(int pe) const override { return in_job(pe); }

 private:
  [[nodiscard]] int in_job(int pe) const { return members_[pe]; }
  tree_collectives::bytes sweep(const collective_call& call, std::span<const std::byte> mine,
                                const tree_collectives::merging& merge);
  // Returns the call with the name of the current function of this PE.
  [[nodiscard]] collective_call as_called(const collective_call& call) const {
    return within(others_->watch().call, call);
  }
  // Executes a collective over the tree: prepares the collective, and makes the world fail if the
  // collective fails.
  template <typename Collective>
  auto over_tree(const Collective& collective);
  // Receives a failure notice of another node; every wait on this node ends with the failure.
  void hear_failure();
  void wait(const pause_reason& why);
  // Returns the reason why this PE waits in a collective.
  [[nodiscard]] pause_reason in_collective() const;
  [[nodiscard]] std::string by_this_pe(const std::string& problem) const;
  // Returns the refusal (refusal.hpp) by which a session is being left, if any: the session itself
  // fails without the reason.
  [[nodiscard]] std::string refusal_under_way() const noexcept;
  void leave_tree() noexcept;
  [[noreturn]] void report_absence(int pe, const pause_reason& why);

  std::shared_ptr<network> net_;
  std::unique_ptr<substrate> local_;
  rank_list members_;
  node_layout layout_;
  int rank_;
  std::unique_ptr<tree_collectives> tree_;
  std::shared_ptr<mailbox> mail_;
  std::unique_ptr<stall_waves> waves_;  // if PEs are on several nodes
  std::uint64_t sweeps_ = 0;
  bool told_of_failure_ = false;  // by another node, whose failure counts
  bool has_told_ = false;
  std::uint32_t waits_ = 0;
  progress* others_ = &progress::of_this_pe();
  exit_watch watch_{[this] { depart(); },
                    [this] {
                      check_failure();
                      return tree_ == nullptr || tree_->everybody_left();
                    },
                    [this] { return ends_with_program(); }, [this] { end_with_program(); }};
};

}  // namespace boxcar::detail
