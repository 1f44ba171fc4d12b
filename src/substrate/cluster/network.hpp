// A network connects the PEs of several nodes. The libraries of clusters differ in the functions of
// this interface; cluster_substrate.hpp has the common rest of a world. Each PE has one object per
// job, for all sub-worlds of the job. PEs are named by their rank in the job.
//
// Functions are local and throw system_error with the library's own text, unless said otherwise. As
// the work of a progress thread, a network lets the library make progress.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "substrate/cluster/job_start.hpp"
#include "substrate/cluster/tree_collectives.hpp"
#include "substrate/liveness/peer_watch.hpp"
#include "substrate/mailbox.hpp"
#include "substrate/progress_context.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class network : public job_start, public background_task {
 public:
  // Returns whether the library is not finalised: its memory and its peers can be accessed.
  [[nodiscard]] virtual bool is_running() const noexcept = 0;

  bool work() noexcept final {
    if (is_running()) drive();
    return false;  // no information whether there was progress
  }

  // Collective over `world`, whose PE i is PE `members[i]` of the job. The plan names PEs by their
  // rank in `world`, and may name PEs of this node.
  virtual std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                               const rank_list& members) = 0;

  // Implements substrate::make_rma_region for a world whose PE i is PE `members[i]` of the job.
  virtual std::unique_ptr<rma_region> make_rma_region(substrate& /*world*/,
                                                      const rank_list& /*members*/,
                                                      std::size_t /*bytes*/) {
    return nullptr;
  }
  // Implements substrate::make_put_counter for a world whose PE i is PE `members[i]` of the job.
  virtual std::unique_ptr<put_counter> make_put_counter(const rank_list& /*members*/,
                                                        bool /*of_bytes*/,
                                                        put_listener /*listener*/) {
    return nullptr;
  }
  // Implements substrate::make_deferred_work.
  virtual std::unique_ptr<deferred_work> make_deferred_work(std::string& why_not) {
    why_not = std::string("the substrate ") + name() + " leaves no work to a network";
    return nullptr;
  }
  virtual std::shared_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members) = 0;

  // Implements substrate::offer_bulk.
  virtual std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) = 0;
  // Implements substrate::fetch_bulk. Calls `wait` while the transfer makes no progress; `wait` may
  // throw.
  virtual std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket,
                                                    const std::function<void()>& wait) = 0;
  // Implement the functions of the same names of substrate.
  [[nodiscard]] virtual bool fetches_in_background() const { return false; }
  virtual std::unique_ptr<bulk_delivery> begin_fetch_bulk(int /*from*/,
                                                          const bulk_ticket& /*ticket*/) {
    return nullptr;
  }

  // Notifies the PEs `to` of a failure of this PE. Never throws; a notice without a way is lost.
  virtual void tell_failure(const std::string& message, std::span<const int> to) noexcept = 0;
  // Collective over the job, once, if the job's PEs are on several nodes, with the layout `nodes`:
  // from now on PEs of each node watch PEs of another node, if this network can detect lost nodes.
  void watch_nodes(const node_layout& nodes) { of_other_node_ = watch_of_node(nodes); }
  // Returns the reason for the loss of a PE of another node, in words, from the loss on for ever;
  // empty before.
  [[nodiscard]] std::string loss() {
    return of_other_node_ == nullptr ? std::string()
                                     : of_other_node_->loss(peer_watch::clock::now());
  }

  // Returns true, once, if another PE has sent a failure notice, with the text in `message`.
  virtual bool hear_failure(std::string& message) = 0;

  // Returns when all data sent so far by the link sets of this PE have reached the memory of the
  // targets. For networks on which messages can overtake messages.
  virtual void settle() {}

  // A search for stalled PEs along the tree of a world. `look` throws world_error if a stall is
  // certain.
  struct stall_search {
    const void* of_world;
    bool is_of_all_pes;
    std::function<void()> look;
  };
  void add_stall_search(stall_search s) { stall_searches_.push_back(std::move(s)); }
  void remove_stall_search(const void* of_world) noexcept {
    std::erase_if(stall_searches_, [of_world](const auto& s) { return s.of_world == of_world; });
  }
  // A waiting PE calls the function now and then. The search of the world of all PEs sees every PE,
  // and comes first, as the world is the oldest. After the PE has left the world of all PEs, the PE
  // searches along the trees of the remaining sub-worlds.
  void look_for_stalls() {
    for (const stall_search& s : stall_searches_) {
      s.look();
      if (s.is_of_all_pes) return;
    }
  }

  // The objects left behind by a world: the links of the world's collectives, and the mailbox, if
  // the world had a mailbox.
  struct leftovers {
    std::unique_ptr<tree_collectives> tree;
    std::shared_ptr<mailbox> mail;
  };
  // Keeps the objects of a world after the departure of this PE, as other PEs may still send to the
  // objects.
  void drain(leftovers of_world) {
    draining_.push_back(std::move(of_world));
    everybody_left();
  }
  // Drops the links of worlds without PEs. Returns whether no links are left; after a failure of
  // the job always false.
  bool everybody_left() noexcept {
    std::erase_if(draining_, [](const auto& old) { return old.tree->everybody_left(); });
    return draining_.empty() && !failed_;
  }
  void note_failure() noexcept { failed_ = true; }

 protected:
  // Lets the library make progress, as a part of `work`.
  virtual void drive() noexcept = 0;
  // The destructor of a derived class calls drop_draining: links need the derived class to the end.
  void drop_draining() { draining_.clear(); }

 private:
  // Collective over the job. Makes this PE watch a PE of another node; returns nullptr if this
  // network cannot.
  virtual std::unique_ptr<peer_watch> watch_of_node(const node_layout& /*nodes*/) {
    return nullptr;
  }

  std::unique_ptr<peer_watch> of_other_node_;  // if PEs are on several nodes
  std::vector<leftovers> draining_;
  std::vector<stall_search> stall_searches_;
  bool failed_ = false;
};

}  // namespace boxcar::detail
