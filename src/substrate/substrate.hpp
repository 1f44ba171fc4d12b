// The interface of a substrate, the connection of the PEs of a world. One object per PE and world.
//
// To add a substrate, add a folder beside this file with a class that implements this interface,
// and a way for a program to find out that it was started under it (see environment.hpp). It is
// done when the contract suite passes on it. docs/substrates.md tells the whole story.
//
// A substrate contributes identity, the node layout, small collectives, memory shared by the PEs of
// a node, links to PEs of other nodes, and time and waiting. Links within a node are not its
// business: they are the same everywhere (src/porter/shared_memory_links.hpp) and need nothing but
// `share_memory` and `wake`.
//
// Unless said otherwise a function is local, may be called at any time by the one thread that is
// the PE, and throws boxcar::error. "Collective" means that every PE of the world calls it, in the
// same order. A collective throws world_error on every PE that is still able to, rather than hang,
// when a PE has failed, has left, or calls another collective.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
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
#include "substrate/reach.hpp"
#include "substrate/stall/pause_reason.hpp"
#include "trace/trace_log.hpp"

namespace boxcar::detail {

// By this another PE of the world finds what was put up for it; travels as plain bytes.
struct bulk_ticket {
  std::uint64_t where = 0;
  std::uint64_t which = 0;
  std::uint64_t bytes = 0;
};

class background_work;
class mailbox;
class pe_helper;
class progress;
class stall_watch;
struct watched_world;

// In the place of a root.
inline constexpr int every_pe = -1;

// By what the values of several PEs become one: `combine(into, next, n)` replaces each of n
// elements by itself and the one of higher ranks, combined; associative.
struct combination {
  std::size_t element_bytes;
  std::function<void(std::byte* into, const std::byte* next, std::size_t n)> combine;
};

// Something large that this PE has put up for one other PE to fetch.
class bulk_offer {
 public:
  virtual ~bulk_offer() = default;
  [[nodiscard]] virtual std::byte* data() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  // The data are complete. To be called once; what is returned goes to the other PE. Throws
  // system_error.
  [[nodiscard]] virtual bulk_ticket put_up() = 0;
  // The other PE has fetched it and is done with it: the offer may be destroyed. Not before.
  [[nodiscard]] virtual bool taken() const = 0;
};

// What another PE had put up, readable here. Destroying it tells the other PE so.
class bulk_delivery {
 public:
  virtual ~bulk_delivery() = default;
  [[nodiscard]] virtual const std::byte* data() const = 0;
};

// What a floor above keeps for a world for as long as that exists.
class companion {
 public:
  virtual ~companion() = default;
  // `pe` is the thread that the world belongs to from now on.
  virtual void belong_to(progress& pe) = 0;
  // What messages call the end of a world that has it: "leaving a world with ...".
  [[nodiscard]] virtual const char* name_of_end() const = 0;
  // This is that thread, and it is not about to end.
  [[nodiscard]] virtual bool is_at_home() const = 0;
  // The PE has come to the end of the world: nothing that it has begun there may be under way when
  // this returns. May wait for others, and throw.
  virtual void settle() = 0;
  // An exception has ended the PE's program: its memory and its functions are used no more.
  virtual void abandon() noexcept = 0;
};

class substrate {
 public:
  substrate();
  virtual ~substrate();

  // --- Identity and node layout -----------------------------------------------------------------
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  // Which PEs share a node, and with it memory.
  [[nodiscard]] virtual const node_layout& layout() const = 0;
  [[nodiscard]] int node_of(int pe) const { return layout().node_of(pe); }
  // (Asked for each operation: mostly known without the layout, which divides.)
  [[nodiscard]] bool is_local(int pe) const {
    return peers_.place(pe) < peers_.count() || (has_more_peers_ && node_of(pe) == node_of(rank()));
  }
  // Throws argument_error if there is no such PE.
  void require_pe(const char* operation, int pe) const {
    if (pe < 0 || pe >= pes_) refuse_pe(operation, pe);
  }
  // What messages call a PE: "PE 1", or "PE 1 of 2 (PE 5 of the job)" where that differs.
  [[nodiscard]] std::string pe_name(int pe) const;
  // A number that is the same on all PEs of this world, and different for other worlds of the job.
  [[nodiscard]] std::uint64_t identity() const;
  // Collective in that all PEs make the same objects in the same order: the number of the next one.
  [[nodiscard]] std::uint64_t number_object() {
    finish_pending_starts();
    return ++objects_;
  }
  // So many PEs of the program share this PE's machine, and with it the memory that there is.
  [[nodiscard]] virtual int pes_on_machine() const = 0;
  // This PE need not share a core with others: it may run on as many as there are PEs that may run
  // on one of them.
  [[nodiscard]] virtual bool has_core() const = 0;

  // --- Small collectives ------------------------------------------------------------------------
  // All PEs give as many bytes, unless said otherwise, of the same type.
  virtual void barrier() = 0;
  // `data` of the PE `root` replaces `data` of all others.
  virtual void broadcast(std::span<std::byte> data, int root, const type_identity& of = {}) = 0;
  // `all` has room for size() times mine.size() bytes and is filled in rank order.
  virtual void all_gather(std::span<const std::byte> mine, std::byte* all,
                          const type_identity& of = {}) = 0;
  // The contributions of all PEs, each of any size, go to the PE `root`, or with `every_pe` to
  // all; `room`, called there once for each PE in any order, says where. PEs that get none hold
  // little of the others' at a time.
  using gathering_room = std::function<std::byte*(int pe, std::size_t bytes)>;
  virtual void gather(std::span<const std::byte> mine, int root, const gathering_room& room,
                      const type_identity& of) = 0;
  // Combines the values of all PEs in rank order. Every PE ends with the same values.
  virtual void all_reduce(std::span<std::byte> values, const combination& how,
                          const type_identity& of) = 0;
  // The same for a single value: `combine(into, next)`.
  void all_reduce(std::span<std::byte> value,
                  const std::function<void(std::byte*, const std::byte*)>& combine) {
    all_reduce(value,
               {value.size(), [&combine](std::byte* into, const std::byte* next,
                                         std::size_t) { combine(into, next); }},
               {});
  }
  // The values of all PEs before this one, combined in rank order, replace `values`. False, with no
  // effect, on PE 0.
  virtual bool scan(std::span<std::byte> values, const combination& how,
                    const type_identity& of) = 0;
  // A substrate for the PEs that give the same color, ranked by key, then by rank here.
  // A negative color returns nullptr: this PE is in none.
  virtual std::unique_ptr<substrate> split(int color, int key) = 0;

  // --- What links are made of -------------------------------------------------------------------
  // Collective over the world. A block of `bytes`, which may be 0, in memory that the PEs of this
  // PE's node share. `keep`, the same on all PEs: when all of them have dropped it, some of it may
  // stay with the world, to be given out again, with anything in it. What is not kept is zeroed at
  // first.
  virtual std::unique_ptr<node_memory> share_memory(std::size_t bytes, bool keep) = 0;
  // Collective over the world. Shares memory for an object, which is not kept, in fewer
  // synchronisations than `share_memory`. A PE that cannot attach the memory throws system_error
  // alone: the caller must tell the other PEs (request_desk::open does).
  virtual std::unique_ptr<node_memory> share_object_memory(std::size_t bytes) {
    return share_memory(bytes, false);
  }
  // All PEs are threads of one process: an address means the same on each.
  [[nodiscard]] virtual bool is_one_process() const = 0;
  // Where this PE sees what the PE `pe` of its node has in the place of `mine`, which is the
  // program's own memory; nullptr if it does not see it.
  [[nodiscard]] virtual std::byte* counterpart(std::byte* /*mine*/, int /*pe*/) const {
    return nullptr;
  }
  // Collective over the world. So many bytes on each PE that the network reaches by itself;
  // nullptr, on all, if it does not, or has no room.
  virtual std::unique_ptr<reach> make_reach(std::size_t /*bytes*/) { return nullptr; }
  // Local. A counter of puts that others make with what `make_reach` gives, of messages or of
  // bytes; nullptr if the network does not tell of puts.
  virtual std::unique_ptr<put_counter> make_put_counter(bool /*of_bytes*/,
                                                        put_listener /*listener*/) {
    return nullptr;
  }
  // Local. Room for work that the network does by itself. nullptr, with the reason in `why_not`, if
  // it does none.
  virtual std::unique_ptr<deferred_work> make_deferred_work(std::string& why_not) {
    why_not = std::string("the substrate ") + name() + " leaves no work to a network";
    return nullptr;
  }
  // Collective over the world. A message to any PE of another node; not in a world of one node.
  virtual std::shared_ptr<mailbox> make_mailbox() = 0;
  // Collective over the world. Links to the PEs of other nodes, which are all that the plan names.
  virtual std::unique_ptr<link_set> make_remote_links(const link_plan& plan) = 0;
  // The same within this node, in a world that has links of its own there; nullptr: as elsewhere,
  // by memory that the PEs share.
  virtual std::unique_ptr<link_set> make_local_links(const link_plan& /*plan*/) { return nullptr; }

  // --- Items too large for buffers ---------------------------------------------------------------
  // Room for `bytes` that the PE `to` will fetch; nullptr if there is none until others have
  // fetched what was put up before. Throws system_error if waiting cannot help.
  virtual std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) = 0;
  // Fetches what the PE `from` has put up; may wait for the transfer, but for nothing else. Once
  // per ticket. Throws memory_gone if that PE has left without waiting for it, else system_error.
  virtual std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket) = 0;
  // There may be none for a while: memory that is kept for them goes.
  virtual void release_bulk() {}

  // --- Time and waiting -------------------------------------------------------------------------
  [[nodiscard]] virtual std::chrono::nanoseconds now() const = 0;
  // A loop that polls calls `idle` each time it found nothing to do, and `busy` when it did. The
  // substrate then spins, yields or blocks, longer the longer nothing happens; it returns after a
  // bounded time, and at once after another PE has called `wake` for this one. Throws world_error
  // if the world has failed, if some PE of this world has left it, so that what is waited for
  // cannot happen (if the reason says so), or if it has become certain that this PE can never go
  // on.
  virtual void idle(const pause_reason& why) = 0;
  virtual void busy() = 0;
  // The program looks at something that others change, and does something else if it is not there
  // yet, or looks again. Throws as `idle` does, if it throws.
  virtual void look() {}
  // Ends the wait of another PE of this node, if it waits. To be called after the store that the
  // other may be waiting for.
  virtual void wake(int pe) = 0;
  // This PE has been busy with that, in a world whose time does not pass by itself.
  virtual void worked(const packet_work& /*work*/) {}
  // Uses the core for so long.
  virtual void compute(std::chrono::nanoseconds duration) {
    check_failure();
    const std::chrono::nanoseconds until = now() + duration;
    while (now() < until) continue;
  }
  // A pause until another PE of the node has finished something that takes moments, such as a copy,
  // and that depends on nobody. (What may take longer is waited for by `idle`, which serves others
  // and throws when the world has failed.)
  virtual void pause_briefly() noexcept;
  // Gives the core to others for at least this long.
  virtual void sleep(std::chrono::nanoseconds duration) = 0;
  // The calling thread is the PE, from now on: `pe` is its own. A substrate that was loaded as a
  // library could not find that by itself.
  void belong_to(progress& pe);
  // Of conveyors and streams of this world: they are bound to the thread that they began on.
  void session_began() { ++sessions_; }
  void session_is_over() { --sessions_; }
  // This process has made it. A forked child is no PE: it must not make the world fail or end.
  [[nodiscard]] bool is_of_this_process() const { return !is_of_parent_; }
  // From now on this process is a forked child, and operations are refused.
  void leave_to_parent() {
    is_of_parent_ = true;
    pes_ = 0;
  }
  [[nodiscard]] bool has_sessions() const { return sessions_ != 0; }
  // Throws contract_error on any other thread.
  void require_own_thread(const char* operation) const {
    require_owner(progress_of_this_thread(), operation);
  }
  // The same of a thread whose progress this is.
  void require_owner(const progress& of_thread, const char* operation) const {
    if (&of_thread != owner_) refuse_thread(operation);
  }

  // To be called before anything is made with the world, or not at all: the progress thread of this
  // process does what others may wait for while the PE computes. Holds for parts of the world, too.
  // It begins if PEs of other nodes may wait, or as soon as something needs it. Both throw
  // system_error.
  void get_helper();
  void need_helper();
  // It does, or will as soon as something needs it.
  [[nodiscard]] bool wants_helper() const { return wants_helper_; }
  // What the thread and the PE share; nullptr if it does nothing for this PE.
  [[nodiscard]] pe_helper* helper() const { return helper_.get(); }
  // Lets the thread do that from now on, until the world ends here.
  void let_helper_do(background_work& w);

  // Started collectives of this world wait in a queue, or are being constructed, in a background
  // fiber (background_fiber.hpp).
  void set_pending_starts(bool whether) { has_pending_starts_ = whether; }
  [[nodiscard]] bool has_pending_starts() const { return has_pending_starts_; }
  // Every collective that a floor above calls begins with this call: a blocking collective of the
  // program runs after the collectives that the program has started before. Throws as `idle` does.
  void finish_pending_starts() {
    if (has_pending_starts_) [[unlikely]]
      wait_for_pending_starts();
  }

  // How long this PE has been unable to go on.
  [[nodiscard]] virtual const stall_watch& stall() const = 0;

  // --- Failure ----------------------------------------------------------------------------------
  // Declares that this PE cannot go on: every wait and collective of every PE throws world_error
  // with this message from now on. Returns false if another PE has failed before: the first one
  // counts.
  virtual bool fail(const std::string& message) noexcept = 0;

  // Throws world_error if this PE can know by now that the world has failed. Waits for nothing.
  virtual void check_failure() = 0;

  // Declares that this PE takes part in nothing any more. Without that, a PE has left when all its
  // objects that belong to the program's worlds are destroyed; this is for programs that end
  // without destroying them.
  virtual void depart() noexcept = 0;
  [[nodiscard]] bool has_departed() const { return ends_alone_; }
  // This is the thread that the world belongs to, and it is not about to end.
  [[nodiscard]] bool is_at_home() const;

  // --- One-sided operations ---------------------------------------------------------------------
  // With such a companion the PEs leave this world together: whoever has come to its end waits for
  // the others, who may still reach for what is here.
  void accompany(std::unique_ptr<companion> c);
  [[nodiscard]] companion* accompanied_by() const { return companion_.get(); }
  // An exception has ended this PE's program.
  void abandon() noexcept {
    is_abandoned_ = true;
    if (companion_ != nullptr) companion_->abandon();
  }
  [[nodiscard]] bool is_abandoned() const { return is_abandoned_; }
  // The PEs leave together now. Throws what goes wrong meanwhile, and as world_error what
  // `fail_unheard` was told. What parts of the world that outlive it are told later is printed.
  void end();
  // Something of this world has gone wrong where nobody can be told, as in a destructor: the world
  // fails, and the end of the world of which it is a part tells why.
  void fail_unheard(const std::string& why) noexcept;
  // Nobody calls `end`: what goes wrong when the world is destroyed is printed then, and the
  // program does not end with status 0.
  virtual void tell_at_exit() { unheard_->is_for_exit = true; }

  // --- Trace ------------------------------------------------------------------------------------
  // What this PE does in this world and its parts is noted there from now on.
  void record_to(std::shared_ptr<recording> r);
  // Where to note it, or nullptr.
  [[nodiscard]] const std::shared_ptr<trace_log>& log() const { return log_; }
  // What PE `pe` of this world is called in the trace.
  [[nodiscard]] int traced_rank(int pe) const { return rank_in_job(pe); }
  // "2", or "2 of a part of 3 PEs", for the names of objects.
  [[nodiscard]] std::string traced_number(std::uint64_t object) const;

  // --- Accounts ---------------------------------------------------------------------------------
  [[nodiscard]] buffer_account& streamed() { return *streamed_; }
  // This is a part of another world, made of those that gave the color in its latest split.
  void become_part_of(const substrate& whole, int color);

 protected:
  // To be called first by the destructor of every world, in which it ends.
  void end_together() noexcept;
  // The PE has departed: nobody waits for it, nor it for anybody.
  void end_alone() noexcept;
  // It is, or was, nobody's business to call `end`.
  [[nodiscard]] bool ends_with_program() const { return unheard_->is_for_exit; }
  // For such a world, when the program ends before the world is destroyed: the PEs leave together
  // now, or it is printed why they cannot.
  void end_with_program() noexcept;
  // What this PE keeps going in every wait, also in those of parts of the world.
  virtual void keep_going(progress& others) = 0;
  // To be called by the constructor of a world of so many PEs, whose layout is known.
  void identify(std::uint64_t identity, int pes);
  // For the PEs that give the same color in the next split.
  [[nodiscard]] std::uint64_t identity_of_part(int color);
  [[nodiscard]] bool is_part() const { return !split_path_.empty(); }
  // That of watched_world.
  [[nodiscard]] const std::string& part_name() const;
  // In the world of all PEs of the job.
  [[nodiscard]] virtual int rank_in_job(int pe) const { return pe; }

 private:
  [[nodiscard]] static progress& progress_of_this_thread();
  void note_owner();
  [[noreturn]] void refuse_thread(const char* operation) const;
  [[noreturn]] void refuse_pe(const char* operation, int pe) const;
  void take_from_helper() noexcept;
  void wait_for_pending_starts();
  void settle_together();
  void try_to_settle() noexcept;
  void let_companion_go() noexcept;

  std::shared_ptr<recording> recording_;
  std::shared_ptr<trace_log> log_;  // of that
  std::unique_ptr<companion> companion_;
  bool ends_alone_ = false;
  bool is_abandoned_ = false;
  struct unheard_failure {
    std::string text;
    bool is_for_exit = false;  // nobody calls `end`, or somebody has
  };
  // Also of all parts, which may end after the world that they are parts of.
  std::shared_ptr<unheard_failure> unheard_ = std::make_shared<unheard_failure>();
  std::shared_ptr<buffer_account> streamed_ = std::make_shared<buffer_account>();
  std::shared_ptr<const watched_world> known_;
  int pes_ = 0;
  node_peers peers_;
  bool has_more_peers_ = false;
  progress* owner_ = nullptr;
  bool has_pending_starts_ = false;
  pid_t process_;
  bool is_of_parent_ = false;
  const void* copy_;  // of Boxcar, of those in this process: the one that has made the world
  bool wants_helper_ = false;
  std::shared_ptr<pe_helper> helper_;
  std::vector<background_work*> helpers_work_;
  int sessions_ = 0;
  std::uint64_t objects_ = 0;
  std::uint64_t splits_ = 0;
  std::string split_path_;  // of a part: the number of its split in each world that it is a part of
};

}  // namespace boxcar::detail
