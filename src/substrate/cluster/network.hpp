// What connects the PEs of several nodes, as little as a cluster's library must offer for a world:
// everything else is the same for all of them (cluster_substrate.hpp). One object per PE and job;
// the sub-worlds of a job share it. PEs are named by their rank in the job.
//
// Functions are local and throw system_error with the library's own words, unless said otherwise.
// As a progress thread's work it lets the library get on with what has been begun.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "substrate/cluster/job_start.hpp"
#include "substrate/cluster/tree_collectives.hpp"
#include "substrate/mailbox.hpp"
#include "substrate/pe_helper.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class network : public job_start, public background_work {
 public:
  // The library has not been finalised: there is memory to look at, and somebody to talk to.
  [[nodiscard]] virtual bool is_running() const noexcept = 0;

  bool work() noexcept final {
    if (is_running()) drive();
    return false;  // whether anything was done it does not tell
  }

  // Collective over `world`, whose PE i is PE `members[i]` of the job. The plan names PEs by their
  // rank in `world`, and may name PEs of this node.
  virtual std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                               const rank_list& members) = 0;

  // The same: as in a substrate.
  virtual std::unique_ptr<reach> make_reach(substrate& /*world*/, const rank_list& /*members*/,
                                            std::size_t /*bytes*/) {
    return nullptr;
  }
  // As in a substrate, of a world whose PE i is PE `members[i]` of the job.
  virtual std::unique_ptr<put_counter> make_put_counter(const rank_list& /*members*/,
                                                        bool /*of_bytes*/,
                                                        put_listener /*listener*/) {
    return nullptr;
  }
  // As in a substrate.
  virtual std::unique_ptr<deferred_work> make_deferred_work(std::string& why_not) {
    why_not = std::string("the substrate ") + name() + " leaves no work to a network";
    return nullptr;
  }
  virtual std::shared_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members) = 0;

  // As in a substrate.
  virtual std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) = 0;
  // `wait` is to be called while the transfer makes no progress; it may throw.
  virtual std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket,
                                                    const std::function<void()>& wait) = 0;

  // Sends word to these PEs that this one has failed. Never throws; what cannot be sent is lost.
  virtual void tell_failure(const std::string& message, std::span<const int> to) noexcept = 0;
  // Collective over the job, once, if its PEs are on several nodes, of which this is the layout:
  // from now on the PEs of each watch some of another one, if this network can tell by itself.
  virtual void watch_nodes(const node_layout& /*nodes*/) {}
  // Why PEs of another node are out of reach, in words; from then on for ever. Empty before.
  [[nodiscard]] virtual std::string loss() { return {}; }

  // True, once, if another PE has sent such word.
  virtual bool hear_failure(std::string& message) = 0;

  // Returns when everything that this PE has sent so far by its link sets has reached the memory of
  // others, for networks on which one message can overtake another.
  virtual void settle() {}

  // Looks whether some PEs can never go on, while there is a world of all PEs; whoever waits calls
  // it now and then. Throws world_error if it is certain.
  std::function<void()> look_for_stalls;

  // What a world leaves behind: the links of its collectives, and its mailbox, if it had one.
  struct leftovers {
    std::unique_ptr<tree_collectives> tree;
    std::shared_ptr<mailbox> mail;
  };
  // This PE has left a world. These are kept for as long as other PEs may still send to it.
  void retire(leftovers of_world) {
    retired_.push_back(std::move(of_world));
    everybody_left();
  }
  // No other PE sends on such links any more. Of a job that has failed that is never known.
  bool everybody_left() noexcept {
    std::erase_if(retired_, [](const auto& old) { return old.tree->everybody_left(); });
    return retired_.empty() && !failed_;
  }
  void note_failure() noexcept { failed_ = true; }

 protected:
  // As `work`.
  virtual void drive() noexcept = 0;
  // To be called by the destructor of a derived class: links need it to the end.
  void drop_retired() { retired_.clear(); }

 private:
  std::vector<leftovers> retired_;
  bool failed_ = false;
};

}  // namespace boxcar::detail
