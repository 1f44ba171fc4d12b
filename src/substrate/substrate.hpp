// A substrate connects the PEs of a world: by threads, processes, MPI, OpenSHMEM or libfabric. Each
// PE has one substrate object per world.
//
// To add a substrate, add a folder beside this file with a class that implements this interface,
// and a way for a program to find out that the program was started under the substrate
// (environment.hpp). The substrate is complete when the contract suite passes on it.
// docs/substrates.md is the guide.
//
// A substrate provides the identity of a PE, the node layout, small collectives, memory shared by
// the PEs of a node, links to PEs of other nodes, and time and waiting. Links within a node are the
// same for all substrates (src/porter/shared_memory_links.hpp) and need only `share_memory` and
// `wake`.
//
// Unless a comment says otherwise, a function is local, may be called at any time by the thread of
// the PE only, and throws boxcar::error. "Collective" means that every PE of the world calls the
// function, in the same order as the other collectives. A collective never hangs because a PE has
// failed, has left, or calls another collective: the collective throws world_error on every PE that
// is still able to throw.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include <boxcar/detail/node_peers.hpp>
#include <boxcar/detail/type_identity.hpp>

#include "substrate/buffer_account.hpp"
#include "substrate/deferred_work.hpp"
#include "substrate/links.hpp"
#include "substrate/node_layout.hpp"
#include "substrate/node_memory.hpp"
#include "substrate/packet_work.hpp"
#include "substrate/put_counter.hpp"
#include "substrate/rma_region.hpp"
#include "substrate/stall/pause_reason.hpp"
#include "trace/trace_log.hpp"

namespace boxcar::detail {

// A ticket names a bulk_offer for the PE that fetches the data; sent as plain bytes.
struct bulk_ticket {
  std::uint64_t where = 0;
  std::uint64_t which = 0;
  std::uint64_t bytes = 0;
};

class background_task;
class mailbox;
class progress_context;
class progress;
class stall_watch;
struct watched_world;

// every_pe, given as the root, stands for all PEs.
inline constexpr int every_pe = -1;

// The operator of a reduction or scan. `combine(into, next, n)` combines each of the n elements of
// `into` with the element of `next`, from higher ranks, and stores the result in `into`. The
// operator is associative.
struct combination {
  std::size_t element_bytes;
  std::function<void(std::byte* into, const std::byte* next, std::size_t n)> combine;
};

// An item too large for buffers, which this PE offers for a single other PE to fetch (rendezvous).
class bulk_offer {
 public:
  virtual ~bulk_offer() = default;
  [[nodiscard]] virtual std::byte* data() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  // Completes the offer: the PE has written the data. Returns the ticket for the other PE. Called
  // once. Throws system_error.
  [[nodiscard]] virtual bulk_ticket put_up() = 0;
  // Returns true when the other PE has fetched the data and does not use the memory any more: only
  // then the offer may be destroyed.
  [[nodiscard]] virtual bool taken() const = 0;
};

// The fetched data of a bulk_offer, readable by this PE. The destructor notifies the offering PE.
class bulk_delivery {
 public:
  virtual ~bulk_delivery() = default;
  // Returns whether the data have arrived, always true behind `fetch_bulk`.
  [[nodiscard]] virtual bool has_arrived() { return true; }
  // Precondition: the data have arrived.
  [[nodiscard]] virtual const std::byte* data() const = 0;
};

// A world_finalizer is an object of a higher layer (rpc_engine) that lives as long as a world.
class world_finalizer {
 public:
  virtual ~world_finalizer() = default;
  // Assigns the world to the thread `pe` from now on.
  virtual void belong_to(progress& pe) = 0;
  // Returns the name of the end of a world with a finalizer, for messages: "leaving a world with
  // ...".
  [[nodiscard]] virtual const char* name_of_end() const = 0;
  // Returns true if the calling thread is the thread of the world, and is not about to end.
  [[nodiscard]] virtual bool is_at_home() const = 0;
  // Called at the end of the world. Returns when all operations begun by the PE in the world are
  // complete. May wait for other PEs, and throw.
  virtual void settle() = 0;
  // Called when an exception has ended the program of the PE: the world finalizer uses memory and
  // functions of the program no more.
  virtual void abandon() noexcept = 0;
  // Called after `settle` if the world's memory may stay: the finalizer serves no PE any more.
  virtual void close() noexcept = 0;
};

class substrate {
 public:
  substrate();
  virtual ~substrate();

  // --- Identity and node layout -----------------------------------------------------------------
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  // Returns the layout: the PEs of a node share memory.
  [[nodiscard]] virtual const node_layout& layout() const = 0;
  [[nodiscard]] int node_of(int pe) const { return layout().node_of(pe); }
  // (Called for each operation: mostly answered without the layout, as the layout divides.)
  [[nodiscard]] bool is_local(int pe) const {
    return peers_.place(pe) < peers_.count() || (has_more_peers_ && node_of(pe) == node_of(rank()));
  }
  // Throws argument_error unless the world has a PE `pe`.
  void require_pe(const char* operation, int pe) const {
    if (pe < 0 || pe >= pes_) refuse_pe(operation, pe);
  }
  // Returns the name of a PE in messages: "PE 1", or "PE 1 of 2 (PE 5 of the job)" if the ranks
  // differ.
  [[nodiscard]] std::string pe_name(int pe) const;
  // Returns the number of this world: the same on all PEs of the world, and different for other
  // worlds of the job.
  [[nodiscard]] std::uint64_t identity() const;
  // Returns the number of the next object. Collective in that all PEs make the same objects in the
  // same order.
  [[nodiscard]] std::uint64_t number_object() {
    finish_pending_starts();
    return ++objects_;
  }
  // Returns the number of PEs of the program on this PE's machine, which share the machine's
  // memory.
  [[nodiscard]] virtual int pes_on_machine() const = 0;
  // Returns true if this PE need not share a core with other PEs: the PE may run on at least as
  // many cores as there are PEs that may run on any of the same cores.
  [[nodiscard]] virtual bool has_core() const = 0;

  // --- Small collectives ------------------------------------------------------------------------
  // All PEs give as many bytes, of the same type, unless a comment says otherwise.
  // `bytes` and `root` are arguments of the program's collective of which the barrier is a step: as
  // in other collectives, different arguments of PEs are an error.
  virtual void barrier(std::size_t bytes, int root) = 0;
  void barrier() { barrier(0, 0); }
  // Replaces `data` of all other PEs by `data` of the PE `root`.
  virtual void broadcast(std::span<std::byte> data, int root, const type_identity& of = {}) = 0;
  // Fills `all` in rank order. Precondition: `all` has room for size() times mine.size() bytes.
  virtual void all_gather(std::span<const std::byte> mine, std::byte* all,
                          const type_identity& of = {}) = 0;
  // Gathers the contributions of all PEs, each of any size, at the PE `root`, or at all PEs if
  // `root` is `every_pe`. A receiving PE calls `room` once for each PE, in any order, for the place
  // of the contribution. A PE that receives nothing holds little of the contributions at a time.
  using gathering_room = std::function<std::byte*(int pe, std::size_t bytes)>;
  virtual void gather(std::span<const std::byte> mine, int root, const gathering_room& room,
                      const type_identity& of) = 0;
  // Combines the values of all PEs in rank order. Every PE ends with the same values.
  virtual void all_reduce(std::span<std::byte> values, const combination& how,
                          const type_identity& of) = 0;
  // Reduces a single value of each PE by `combine(into, next)`.
  void all_reduce(std::span<std::byte> value,
                  const std::function<void(std::byte*, const std::byte*)>& combine) {
    all_reduce(value,
               {value.size(), [&combine](std::byte* into, const std::byte* next,
                                         std::size_t) { combine(into, next); }},
               {});
  }
  // Replaces `values` by the values of all PEs of lower rank, combined in rank order. Returns
  // false, with no effect, on PE 0.
  virtual bool scan(std::span<std::byte> values, const combination& how,
                    const type_identity& of) = 0;
  // Returns a substrate for the PEs that give the same color, ranked by key, then by rank here;
  // nullptr for a negative color.
  virtual std::unique_ptr<substrate> split(int color, int key) = 0;

  // --- Memory, mailboxes and links --------------------------------------------------------------
  // Collective over the world. Returns a block of `bytes`, which may be 0, in memory shared by the
  // PEs of this PE's node. `keep`, the same on all PEs: when all PEs have dropped the memory, the
  // world may keep some of it for later calls, which then get blocks with any content. Without
  // `keep` the block is zeroed.
  virtual std::unique_ptr<node_memory> share_memory(std::size_t bytes, bool keep) = 0;
  // Collective over the world. Shares memory for an object, without `keep`, in fewer
  // synchronisations than `share_memory`. A PE that cannot attach the memory throws system_error
  // alone: the caller must tell the other PEs, before any PE reads the block of another PE.
  virtual std::unique_ptr<node_memory> share_object_memory(std::size_t bytes) {
    return share_memory(bytes, false);
  }
  // Returns the head of the list of ready objects of a PE of this node (ready_list.hpp):
  // a word in memory of the node, 0 in a new world.
  [[nodiscard]] virtual std::atomic<std::uint64_t>& first_ready(int pe) = 0;
  // Returns true if all PEs are threads of one process: an address means the same on each PE.
  [[nodiscard]] virtual bool is_one_process() const = 0;
  // Returns the address, in this PE, of the counterpart of `mine` in the program's own memory of
  // the PE `pe` of the node (symmetric memory); nullptr if this PE cannot access the counterpart.
  [[nodiscard]] virtual std::byte* counterpart(std::byte* /*mine*/, int /*pe*/) const {
    return nullptr;
  }
  // Collective over the world. Returns an RMA region with `bytes` bytes on each PE, accessed by the
  // network itself; nullptr, on all PEs, if the network has no RMA, or no room.
  virtual std::unique_ptr<rma_region> make_rma_region(std::size_t /*bytes*/) { return nullptr; }
  // Local. Returns a counter of the puts, in messages or bytes, that other PEs make with
  // `rma_region`; nullptr if the network does not notify the target of puts.
  virtual std::unique_ptr<put_counter> make_put_counter(bool /*of_bytes*/,
                                                        put_listener /*listener*/) {
    return nullptr;
  }
  // Local. Returns room for triggered operations of the network. Returns nullptr, with the reason
  // in `why_not`, if the network has no triggered operations.
  virtual std::unique_ptr<deferred_work> make_deferred_work(std::string& why_not) {
    why_not = std::string("the substrate ") + name() + " leaves no work to a network";
    return nullptr;
  }
  // Collective over the world. Returns a mailbox for messages to any PE of another node.
  // Precondition: the world has several nodes.
  virtual std::shared_ptr<mailbox> make_mailbox() = 0;
  // Collective over the world. Makes links to the PEs of other nodes. Precondition: the plan names
  // no other PEs.
  virtual std::unique_ptr<link_set> make_remote_links(const link_plan& plan) = 0;
  // Collective over the world. Makes links within this node, in a world with links of its own
  // there. Returns nullptr otherwise: the PEs then use links over shared memory.
  virtual std::unique_ptr<link_set> make_local_links(const link_plan& /*plan*/) { return nullptr; }

  // --- Items too large for buffers ---------------------------------------------------------------
  // Returns room for `bytes` bytes that the PE `to` will fetch; nullptr if there is no room until
  // other PEs have fetched earlier offers. Throws system_error if waiting cannot help.
  virtual std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) = 0;
  // Fetches an item offered by the PE `from`, once per ticket. May wait for the transfer, but for
  // nothing else. Throws memory_gone if the PE `from` has left without waiting for the fetch,
  // otherwise system_error.
  virtual std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket) = 0;
  // Returns whether items of PEs of other nodes can be fetched in the background.
  [[nodiscard]] virtual bool fetches_in_background() const { return false; }
  // As fetch_bulk for an item of a PE of another node, but does not wait: the item has arrived when
  // `has_arrived` returns true. Returns nullptr if the PE cannot have given the ticket.
  // Precondition: fetches_in_background().
  virtual std::unique_ptr<bulk_delivery> begin_fetch_bulk(int /*from*/,
                                                          const bulk_ticket& /*ticket*/) {
    return nullptr;
  }
  // Releases memory kept for offers, as there may be no offers for a while.
  virtual void release_bulk() {}

  // --- Time and waiting -------------------------------------------------------------------------
  [[nodiscard]] virtual std::chrono::nanoseconds now() const = 0;
  // A polling loop calls `idle` each time the loop has found nothing to do, and `busy` each time it
  // has found something. The substrate then spins, yields or blocks, longer the longer nothing
  // happens. `idle` returns after a bounded time, and at once after another PE has called `wake`
  // for this PE. Throws world_error if the world has failed; if some PE of this world has left, and
  // the reason says that the wait is then in vain; or if this PE can certainly never go on.
  virtual void idle(const pause_reason& why) = 0;
  virtual void busy() = 0;
  // Called when the program tests for a change by other PEs and does not wait: the program does
  // something else if there is no change yet, or tests again. Throws as `idle` does, if at all.
  virtual void look() {}
  // Ends the wait of another PE of this node, if the PE waits. Called after the store for which the
  // other PE may be waiting.
  virtual void wake(int pe) = 0;
  // Reports work done by this PE, in a world whose time does not pass by itself.
  virtual void worked(const packet_work& /*work*/) {}
  // Keeps the core busy for `duration`.
  virtual void compute(std::chrono::nanoseconds duration) {
    check_failure();
    const std::chrono::nanoseconds until = now() + duration;
    while (now() < until) continue;
  }
  // Pauses until another PE of the node has finished a short action that depends on nobody, a copy
  // for instance. (For anything that may take longer the PE waits by `idle`, which serves other PEs
  // and throws when the world has failed.)
  virtual void pause_briefly() noexcept;
  // Gives the core to other threads for at least `duration`.
  virtual void sleep(std::chrono::nanoseconds duration) = 0;
  // Makes the calling thread the PE from now on: `pe` is the progress of the calling thread. (A
  // substrate that was loaded as a library cannot find the progress by itself.)
  void belong_to(progress& pe);
  // Counts the sessions of conveyors and streams of this world: sessions are bound to the thread on
  // which they began.
  void session_began() { ++sessions_; }
  void session_is_over() { --sessions_; }
  // Returns true if this process has made the world. A forked child is no PE: it must not make the
  // world fail or end.
  [[nodiscard]] bool is_of_this_process() const { return !is_of_parent_; }
  // Called in a forked child: operations are refused from now on.
  void leave_to_parent() {
    is_of_parent_ = true;
    pes_ = 0;
  }
  [[nodiscard]] bool has_sessions() const { return sessions_ != 0; }
  // Throws contract_error on any other thread.
  void require_own_thread(const char* operation) const {
    require_owner(progress_of_this_thread(), operation);
  }
  // Throws contract_error unless `of_thread` is the progress of the thread of the PE.
  void require_owner(const progress& of_thread, const char* operation) const {
    if (&of_thread != owner_) refuse_thread(operation);
  }

  // `get_progress_thread` makes the progress thread of this process do the work for which other PEs
  // may wait while the PE computes, also in subworlds. Precondition: no object of the world exists
  // yet. The thread starts if PEs of other nodes may wait, or with the first
  // `need_progress_thread`. Both functions throw system_error.
  void get_progress_thread();
  void need_progress_thread();
  // Returns true if the progress thread works for this PE, or will work as soon as an object needs
  // the thread.
  [[nodiscard]] bool wants_progress_thread() const { return wants_progress_thread_; }
  // Returns the state shared by the progress thread and the PE; nullptr if the progress thread does
  // nothing for this PE.
  [[nodiscard]] progress_context* thread_context() const { return thread_context_.get(); }
  // Lets the progress thread execute `w` from now on, until the world ends here.
  void add_background_task(background_task& w);

  // Records whether started collectives of this world wait in a queue, or are being constructed, in
  // a background fiber (background_fiber.hpp).
  void set_pending_starts(bool whether) { has_pending_starts_ = whether; }
  [[nodiscard]] bool has_pending_starts() const { return has_pending_starts_; }
  // Every collective of a higher layer begins with `finish_pending_starts`: a blocking collective
  // of the program runs after the collectives started before. Throws as `idle` does, and
  // contract_error if the PE has left the world.
  void finish_pending_starts() {
    if (has_pending_starts_ || has_ended()) [[unlikely]]
      wait_for_pending_starts();
  }

  // Returns the watch of the time for which this PE has been unable to go on.
  [[nodiscard]] virtual const stall_watch& stall() const = 0;

  // --- Failure ----------------------------------------------------------------------------------
  // Declares that this PE cannot go on: every wait and collective of every PE throws world_error
  // with `message` from now on. Returns false if another PE has failed before: the first failure
  // counts.
  virtual bool fail(const std::string& message) noexcept = 0;

  // Throws world_error if this PE can know by now that the world has failed. Does not wait.
  virtual void check_failure() = 0;

  // Declares that this PE does not take part any more, for a program that ends without destroying
  // its objects. Otherwise a PE has left when all of its objects of the program's worlds are
  // destroyed.
  virtual void depart() noexcept = 0;
  [[nodiscard]] bool has_departed() const { return ends_alone_; }
  // Returns true if the calling thread is the thread of the world, and is not about to end.
  [[nodiscard]] bool is_at_home() const;

  // --- One-sided operations ---------------------------------------------------------------------
  // The number of this world among the worlds of the PE, in the order in which they were made.
  std::uint64_t made_as = 0;
  // Adds a world finalizer. With a world finalizer the PEs leave this world together: a PE at the
  // end of the world waits for the other PEs, which may still access memory of this PE.
  void set_finalizer(std::unique_ptr<world_finalizer> c);
  [[nodiscard]] world_finalizer* finalizer() const { return finalizer_.get(); }
  // Called when an exception has ended the program of this PE, for this world and its subworlds.
  void abandon() noexcept;
  [[nodiscard]] bool is_abandoned() const { return is_abandoned_; }
  // Ends the world and its subworlds on this PE: the PEs leave together. What the program keeps of
  // them has no use any more, and its destruction waits for no PE. Throws the errors of the end,
  // and throws as world_error an error recorded by `fail_unheard`.
  void end();
  [[nodiscard]] bool has_ended() const { return owner_ == nullptr; }
  // Records an error of this world where no caller can catch it, in a destructor for instance: the
  // world fails, and `end` of the enclosing world throws the error.
  void fail_unheard(const std::string& why) noexcept;
  // Called when nobody will call `end`: errors are printed when the world is destroyed, and the
  // program does not end with status 0.
  virtual void tell_at_exit() { unheard_->is_for_exit = true; }

  // --- Trace ------------------------------------------------------------------------------------
  // Records the actions of this PE, in this world and its subworlds, in `r` from now on.
  void record_to(std::shared_ptr<recording> r);
  // Returns the log of the trace, or nullptr.
  [[nodiscard]] const std::shared_ptr<trace_log>& log() const { return log_; }
  // Returns the rank of PE `pe` of this world in the trace.
  [[nodiscard]] int traced_rank(int pe) const { return rank_in_job(pe); }
  // Returns "2", or "2 of a part of 3 PEs", for the names of objects.
  [[nodiscard]] std::string traced_number(std::uint64_t object) const;

  // --- Accounts ---------------------------------------------------------------------------------
  [[nodiscard]] buffer_account& streamed() { return *streamed_; }
  // Makes this world a subworld: the PEs that gave `color` in the latest split of `whole`.
  void become_part_of(const substrate& whole, int color);

 protected:
  // Ends the world. The destructor of every substrate calls `end_together` first.
  void end_together() noexcept;
  // Records that the PE has departed: the PE and the other PEs do not wait for each other.
  void end_alone() noexcept;
  // Returns true if nobody will call `end`, or somebody has called `end`.
  [[nodiscard]] bool ends_with_program() const { return unheard_->is_for_exit; }
  // Called when the program ends before a world without a caller of `end` is destroyed: the PEs
  // leave together, or the reason why the PEs cannot is printed.
  void end_with_program() noexcept;
  // Sets the work of this PE that every wait keeps going, also every wait of subworlds.
  virtual void keep_going(progress& others) = 0;
  // The constructor of a world of `pes` PEs calls `identify` when the layout is known.
  void identify(std::uint64_t identity, int pes);
  // Returns the identity of the subworld of the PEs that give `color` in the next split.
  [[nodiscard]] std::uint64_t identity_of_part(int color);
  [[nodiscard]] bool is_part() const { return !split_path_.empty(); }
  // Returns the name in watched_world.
  [[nodiscard]] const std::string& part_name() const;
  // Returns the rank of a PE in the world of all PEs of the job.
  [[nodiscard]] virtual int rank_in_job(int pe) const { return pe; }

 private:
  [[nodiscard]] static progress& progress_of_this_thread();
  void note_owner();
  [[noreturn]] void refuse_thread(const char* operation) const;
  [[noreturn]] void refuse_pe(const char* operation, int pe) const;
  void take_from_helper() noexcept;
  void wait_for_pending_starts();
  // Visits the subworlds of this world, which is no subworld, in the order in which they were made.
  void for_each_part(const std::function<void(substrate&)>& visit);
  void abandon_this() noexcept;
  // The PE uses the world no more.
  void close() noexcept;
  void settle_together();
  void try_to_settle() noexcept;
  void destroy_finalizer() noexcept;

  std::shared_ptr<recording> recording_;
  std::shared_ptr<trace_log> log_;  // of the recording
  std::unique_ptr<world_finalizer> finalizer_;
  bool ends_alone_ = false;
  bool is_abandoned_ = false;
  struct unheard_failure {
    std::string text;
    bool is_for_exit = false;  // nobody calls `end`, or `end` has returned
  };
  // Shared with all subworlds, which may end after the enclosing world.
  std::shared_ptr<unheard_failure> unheard_ = std::make_shared<unheard_failure>();
  // The subworlds on this PE that no other thread has taken over, in the order in which they were
  // made. Shared with the subworlds, which may belong to different threads.
  class parts_of_whole {
   public:
    void add(substrate* part);
    void remove(substrate* part) noexcept;
    // Returns nullptr behind the last part.
    [[nodiscard]] substrate* at(std::size_t i) const;

   private:
    mutable std::mutex guard_;
    std::vector<substrate*> parts_;
  };
  std::shared_ptr<parts_of_whole> parts_ = std::make_shared<parts_of_whole>();
  std::shared_ptr<buffer_account> streamed_ = std::make_shared<buffer_account>();
  std::shared_ptr<const watched_world> known_;
  int pes_ = 0;
  node_peers peers_;
  bool has_more_peers_ = false;
  progress* owner_ = nullptr;  // nullptr: the PE has left the world by `end`
  bool has_pending_starts_ = false;
  pid_t process_;
  bool is_of_parent_ = false;
  const void* copy_;  // the copy of Boxcar in this process that has made the world
  bool wants_progress_thread_ = false;
  std::shared_ptr<progress_context> thread_context_;
  std::vector<background_task*> background_tasks_;
  int sessions_ = 0;
  std::uint64_t objects_ = 0;
  std::uint64_t splits_ = 0;
  std::string split_path_;  // of a subworld: the number of the split in each enclosing world
};

}  // namespace boxcar::detail
