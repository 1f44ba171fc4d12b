// The state of an adapter on one PE, and the execution of operations.
//
// An adapter lies in memory that its node shares, under a lock. A PE that completes something there
// counts the completion, and fired operations go to a list of the adapter. A single PE of the node
// empties the list: the PE that added to the empty list, unless another PE is at work already. No
// operation is executed within another operation, and the operations of an adapter stay in order.
// Locks are taken one at a time.
//
// Operations to other nodes, and functions of the program, are for the PE itself or its progress
// thread: the thread that polls the engine (one_sided/rpc_engine.hpp). Messages travel as requests,
// a message in as many consecutive requests as needed. No reply is sent within a poll: replies wait
// with all other outgoing messages, until there is room. Outgoing and arriving messages are
// accessed under the engine's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <boxcar/adapter.hpp>

#include "one_sided/rpc_engine.hpp"
#include "substrate/substrate.hpp"
#include "trigger/adapter_block.hpp"
#include "trigger/thrown_by_function.hpp"

namespace boxcar::detail {

class adapter_state final : public remote_object {
 public:
  [[nodiscard]] static adapter_state& of(const adapter& a, const char* operation) {
    return a.state(operation);
  }
  // Returns the record. Throws argument_error if the operation can never be executed.
  [[nodiscard]] command read(const boxcar::operation::any& what, const char* operation);
  [[nodiscard]] record_name read(const event_counter& counter, const char* operation);
  // Collective. Precondition: the limits are possible.
  adapter_state(substrate& world, rpc_engine& rpc, std::uint64_t number,
                const adapter_limits& limits);
  // Collective. Adds an adapter that the caller opens (rpc_engine::open). Until then the adapter
  // performs operations of the PE on its own counters and entries only. Throws system_error on some
  // PEs if memory lacks. Precondition: the limits are possible.
  [[nodiscard]] static adapter add(const boxcar::world& w, const adapter_limits& limits);
  void opened() override;

  [[nodiscard]] std::span<std::byte> memory() const;
  // Collective. Agrees on what is to be included; for an adapter that is not open yet, the PEs
  // agree when the adapter is opened, and a PE that objects throws argument_error alone.
  void agree(const agreement& all, const char* operation);
  // Collective. `parts`: memory of the PEs of the node, by local rank. `are_the_programs`: the
  // program has allocated the memory.
  void include(std::vector<std::span<std::byte>> parts, bool are_the_programs);
  // Returns how records name memory of the PE; nothing if other PEs do not see the memory.
  [[nodiscard]] std::optional<std::uint64_t> place_of(std::span<const std::byte> memory) const;

  [[nodiscard]] event_counter make_counter();
  void release(const record_name& counter);
  [[nodiscard]] event_counts value(const record_name& counter);
  event_counts wait(const record_name& counter, std::uint64_t successes);
  [[nodiscard]] bool test(const record_name& counter, std::uint64_t successes);
  std::size_t cancel(const record_name& counter);

  [[nodiscard]] match_entry make_entry(const entry_record& like);
  void release_entry(const record_name& entry);
  [[nodiscard]] entry_record entry(const record_name& name);

  [[nodiscard]] event_function make_function(std::function<void()> f);

  void perform(const command& what);
  void when(const record_name& counter, std::uint64_t threshold, const command& what);
  // A repeated operation: at time n, the threshold is n times `threshold`.
  struct repeated {
    std::uint32_t counter = no_record;  // none: at once
    std::uint64_t threshold = 0;
    command what;
  };
  // Asks for all operations for the `time`-th time, and makes the ends `due` due. Precondition:
  // there is room for the operations.
  void rearm(std::span<const repeated> all, std::uint64_t time,
             std::span<rendezvous_record* const> due);

  // The condition is on the sum of the counter's successes and the completion count.
  [[nodiscard]] bool has_completed(const record_name& counter, std::uint64_t successes);
  void wait_for_completions(const record_name& counter, std::uint64_t successes);
  [[nodiscard]] bool test_completions(const record_name& counter, std::uint64_t successes);

  // Returns the adapter's memory of a PE of the node.
  [[nodiscard]] std::span<std::byte> memory_of(int pe);
  // Returns the command to execute on a rendezvous in memory of an adapter.
  [[nodiscard]] command on_rendezvous(command_kind kind, const rendezvous_record& m);
  [[nodiscard]] rendezvous_record& rendezvous(const command& what);

  // Gives the memory named by operations and entries back to the program, for an owner whose own
  // rendezvous messages arrive at `ends`: waiting operations are not executed any more, no message
  // finds an entry, no function is called. Local. Returns when no other PE reads or writes the
  // memory. Waits for copies that other PEs have begun, and for nothing else.
  void abandon(std::span<rendezvous_record* const> ends) noexcept;

  [[nodiscard]] bool has_counter(const record_name& counter);
  [[nodiscard]] bool has_entry(const record_name& entry);
  [[nodiscard]] adapter_statistics statistics();

  void execute(const request& r, std::span<const std::byte> data, reply_room& reply) override;
  bool work() override;
  [[nodiscard]] std::uint64_t take_from_list() override;
  [[nodiscard]] bool has_work() override;
  void dropped() noexcept override;
  void abandoned() noexcept override { abandon_memory(); }

  // Returns whether a function of the adapter has thrown, as the PE knows: operations waiting for
  // the function never execute.
  [[nodiscard]] bool is_broken() const { return thrown_.is_rethrown(); }

  substrate& world;
  const adapter_limits limits;

 private:
  class held;
  // Adapters of the node whose operations the calling thread is to execute.
  struct work_list {
    std::uint32_t first = no_record;
    std::uint32_t last = no_record;
  };
  // The header of messages between nodes; sent as plain bytes.
  struct message_header {
    message what = {};
    fate became = fate::done;  // of the message, in a reply
    bool is_last = false;      // piece
    number_rule numbers = {};
    std::uint64_t at = 0;         // where the piece begins
    descriptor_record back = {};  // of the PE that gets the reply
  };
  // A message to a PE of another node, to be sent.
  struct outgoing_message {
    int to = 0;
    message_header head = {};
    const std::byte* data = nullptr;
    std::uint64_t bytes = 0;
    std::uint64_t sent = 0;
    std::vector<std::byte> kept = {};  // the data, if they lie nowhere else
    descriptor_record from = {};       // is told when all has been sent
    acceptance read = {};              // for a reply with data of an entry
  };

  [[nodiscard]] adapter_block& block(int place) { return blocks_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] adapter_block& mine() { return block(my_place_); }
  [[nodiscard]] int pe_at(int place) const { return world.layout().pe_at(my_node_, place); }
  // Returns memory of the PE at `place`, as the local PE sees the memory.
  [[nodiscard]] std::byte* seen(int place, std::uint64_t at) const;

  void drain(work_list& work);
  void drain(int place, work_list& work);
  // Queues a list for `work()` to drain, after messages due to other nodes have been sent. The
  // caller holds the engine's lock.
  void drain_later(const work_list& work);
  static void execute_own(const adapter_block& b, const command& what);
  void execute_unmatched(int place, const command& what, work_list& work);
  void execute_within(int place, const command& what, work_list& work);
  void arrive(rendezvous_record& m, work_list& work);
  void deliver(rendezvous_record& m, work_list& work);
  void count_delivered(int place, const rendezvous_end& end, work_list& work);
  // Executes an operation of the PE at `place`, within the node.
  void execute_here(int place, const command& what, work_list& work);
  // Moves the data: `there` is the memory of the entry.
  static void move(command_kind kind, const number_rule& numbers, std::byte* there,
                   const std::byte* from, std::byte* into, std::size_t bytes);
  static void note_sent(const adapter_block& b, const descriptor_record& d);
  static void note_reply(const adapter_block& b, const descriptor_record& d, fate what,
                         std::uint64_t bytes);

  // Callers hold the engine's lock.
  void write(const command& what);
  // Executes operations fired for the PE. Returns false if an operation fired earlier is still
  // being executed here: the caller must try again.
  [[nodiscard]] bool take_fired();
  // Executes an operation for the PE: calls a function, or writes.
  void execute_away(const command& what);
  void answer(const message_header& asked, const acceptance& a, outgoing_message with);
  bool send_pieces();
  void send_piece(outgoing_message& l);
  void has_sent(const outgoing_message& l, work_list& work);
  void take_put(const request& r, const message_header& head, std::span<const std::byte> data,
                work_list& work);
  void take_get(const message_header& head, work_list& work);
  void take_numbers(const request& r, const message_header& head, std::span<const std::byte> data,
                    work_list& work);
  void take_reply(const message_header& head, std::span<const std::byte> data, work_list& work);

  void send_fired();
  void wait_for_writers(std::uint32_t entry);
  // Returns whether there are `successes` successes, or any failure.
  [[nodiscard]] bool has_come(const record_name& counter, std::uint64_t successes);
  // Waits for a condition on the counter or the completion count.
  template <typename Condition>
  void wait_until(const record_name& counter, const Condition& is_there);
  template <typename Condition>
  void wait_while(const Condition& is_so);

  // Acts as `abandon`, but keeps memory that outlives the handle, and operations without other
  // memory.
  void abandon_memory() noexcept;
  // Precondition: the caller holds the engine's lock. Commands and entries stay if `keeps` returns
  // true.
  template <typename Keeps>
  void abandon_unless(const Keeps& keeps);
  // Returns when all operations fired here until now have been executed, and no message is being
  // written to a retired entry.
  void finish_fired();
  void add_message(outgoing_message l);
  // Makes messages to be sent independent of the program's memory.
  void keep_messages();
  // Makes arriving messages independent of the program's memory.
  void cut_arrivals();
  // Returns whether memory of the PE, named by a record, stays while other PEs have their adapters.
  [[nodiscard]] bool outlives_handle(const descriptor_record& memory) const;

  const std::uint64_t number_;
  rpc_engine& rpc_;
  const bool sees_all_memory_;
  std::vector<std::vector<std::span<std::byte>>> regions_;  // of the PEs of the node
  std::vector<bool> are_the_programs_;                      // the regions
  std::unique_ptr<node_memory> memory_;
  std::vector<adapter_block>
      blocks_;  // of the PEs of the node; before opening, all are the PE's own
  bool is_open_ = false;
  int my_place_;
  int my_node_;
  std::deque<std::function<void()>> functions_;
  thrown_by_function thrown_;
  // Messages to each PE are in order; no queue waits for the room at another PE.
  std::map<int, std::deque<outgoing_message>> outgoing_;
  std::size_t num_outgoing_ = 0;
  std::map<int, acceptance> arriving_;  // incomplete messages, by source
  work_list later_;
  bool is_abandoned_ = false;  // under the engine's lock
};

}  // namespace boxcar::detail
