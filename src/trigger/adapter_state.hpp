// What an adapter is on one PE, and how operations are carried out.
//
// An adapter lies in memory that its node shares, under a lock. Whoever completes something there
// counts it, and what that fires goes to a list of the adapter. One of the PEs of the node empties
// that list: whoever made it longer than nothing, unless somebody is at it already. So nothing is
// carried out within something else, and the operations of an adapter stay in order. Locks are
// taken one at a time.
//
// What goes to other nodes, and functions of the program, are for the PE itself, or its helper,
// whoever polls the desk (one_sided/request_desk.hpp). Messages travel as requests, a message in as
// many as it needs, one behind the other. Nobody answers within a poll: replies wait with
// everything else that is to be sent, until there is room. All that is touched under the desk's
// lock.
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

#include "one_sided/request_desk.hpp"
#include "substrate/substrate.hpp"
#include "trigger/adapter_block.hpp"
#include "trigger/thrown_by_function.hpp"

namespace boxcar::detail {

class adapter_state final : public reachable {
 public:
  [[nodiscard]] static adapter_state& of(const adapter& a, const char* operation) {
    return a.state(operation);
  }
  // Throws argument_error if it can never be carried out.
  [[nodiscard]] command read(const boxcar::operation::any& what, const char* operation);
  [[nodiscard]] record_name read(const event_counter& counter, const char* operation);
  // Collective; the limits are possible ones.
  adapter_state(substrate& world, request_desk& desk, std::uint64_t number,
                const adapter_limits& limits);

  [[nodiscard]] std::span<std::byte> memory() const;
  // Collective. `parts`: memory of the PEs of this node, by their places. `are_the_programs`: the
  // program has allocated that memory.
  void include(std::vector<std::span<std::byte>> parts, bool are_the_programs);
  // How records name memory of the PE; nothing if others do not see it.
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
  // An operation that is asked for again and again: each time so much later.
  struct repeated {
    std::uint32_t counter = no_record;  // none: at once
    std::uint64_t threshold = 0;
    command what;
  };
  // Asks for all of them the so manieth time, and lets these ends of messages be due. There is room
  // for them.
  void ask_again(std::span<const repeated> all, std::uint64_t time,
                 std::span<meeting_record* const> due);

  // The counter's successes and the tally together.
  [[nodiscard]] bool has_tallied(const record_name& counter, std::uint64_t successes);
  void wait_for_tally(const record_name& counter, std::uint64_t successes);
  [[nodiscard]] bool test_tally(const record_name& counter, std::uint64_t successes);

  // The adapter's memory of a PE of this node.
  [[nodiscard]] std::span<std::byte> memory_of(int pe);
  // What is to be done with a meeting that lies in such memory.
  [[nodiscard]] command on_meeting(command_kind kind, const meeting_record& m);
  [[nodiscard]] meeting_record& meeting(const command& what);

  // Gives the memory that operations and entries name back to the program, for an owner whose own
  // messages are met at these ends: nothing that waits is carried out any more, no message finds an
  // entry, no function is called. Local; returns when no other PE reads or writes that memory. It
  // waits for copies that others have begun, and for nothing else.
  void abandon(std::span<meeting_record* const> ends) noexcept;

  [[nodiscard]] bool knows_counter(const record_name& counter);
  [[nodiscard]] bool knows_entry(const record_name& entry);
  [[nodiscard]] adapter_statistics statistics();

  void carry_out(const request& r, std::span<const std::byte> data, reply_room& reply) override;
  [[nodiscard]] bool is_worker() const override { return true; }
  bool work() override;
  [[nodiscard]] bool has_work() override;
  void dropped() noexcept override;
  void abandoned() noexcept override { abandon_memory(); }

  // One of its functions has thrown, as the PE knows, and what waits for that never comes.
  [[nodiscard]] bool is_broken() const { return thrown_.is_told(); }

  substrate& world;
  const adapter_limits limits;

 private:
  class held;
  // Adapters of the node whose operations this thread is to carry out.
  struct work_list {
    std::uint32_t first = no_record;
    std::uint32_t last = no_record;
  };
  // Ahead of what travels between nodes; as plain bytes.
  struct letter_head {
    message what = {};
    fate became = fate::done;  // of what this is the reply to
    bool is_last = false;      // piece
    number_rule numbers = {};
    std::uint64_t at = 0;         // where this piece begins
    descriptor_record back = {};  // of the PE that gets the reply
  };
  // What is to be sent to a PE of another node.
  struct letter {
    int to = 0;
    letter_head head = {};
    const std::byte* data = nullptr;
    std::uint64_t bytes = 0;
    std::uint64_t sent = 0;
    std::vector<std::byte> kept = {};  // the data, if they lie nowhere else
    descriptor_record from = {};       // is told when all has been sent
    acceptance read = {};              // if it is a reply with data of an entry
  };

  [[nodiscard]] adapter_block& block(int place) { return blocks_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] adapter_block& mine() { return block(my_place_); }
  [[nodiscard]] int pe_at(int place) const { return world.layout().pe_at(my_node_, place); }
  // Memory of the PE at this place, as this PE sees it.
  [[nodiscard]] std::byte* seen(int place, std::uint64_t at) const;

  void drain(work_list& work);
  void drain(int place, work_list& work);
  // Under the desk's lock: when what is due to other nodes has been sent, in `work`.
  void drain_later(const work_list& work);
  static void carry_out_own(const adapter_block& b, const command& what);
  void carry_out_unmatched(int place, const command& what, work_list& work);
  void carry_out_within(int place, const command& what, work_list& work);
  void meet(meeting_record& m, work_list& work);
  void deliver(meeting_record& m, work_list& work);
  void count_delivered(int place, const meeting_end& end, work_list& work);
  // What the PE at this place has asked for, within the node.
  void carry_out_here(int place, const command& what, work_list& work);
  // Moves the data: `there` is the entry's.
  static void move(command_kind kind, const number_rule& numbers, std::byte* there,
                   const std::byte* from, std::byte* into, std::size_t bytes);
  static void note_sent(const adapter_block& b, const descriptor_record& d);
  static void note_reply(const adapter_block& b, const descriptor_record& d, fate what,
                         std::uint64_t bytes);

  // Under the desk's lock.
  void write(const command& what);
  // What has fired for the PE. False: something that fired before the next of them is still being
  // carried out here; to be called again.
  [[nodiscard]] bool take_fired();
  // For the PE: calls a function, or writes.
  void carry_out_away(const command& what);
  void answer(const letter_head& asked, const acceptance& a, letter with);
  bool send_pieces();
  void send_piece(letter& l);
  void has_sent(const letter& l, work_list& work);
  void take_put(const request& r, const letter_head& head, std::span<const std::byte> data,
                work_list& work);
  void take_get(const letter_head& head, work_list& work);
  void take_numbers(const request& r, const letter_head& head, std::span<const std::byte> data,
                    work_list& work);
  void take_reply(const letter_head& head, std::span<const std::byte> data, work_list& work);

  void send_fired();
  void wait_for_writers(std::uint32_t entry);
  // So many successes, or any failure.
  [[nodiscard]] bool has_come(const record_name& counter, std::uint64_t successes);
  // For what the counter or the tally says.
  template <typename Condition>
  void wait_until(const record_name& counter, const Condition& is_there);
  template <typename Condition>
  void wait_while(const Condition& is_so);

  // The same as `abandon`, but for memory that outlives the handle, and what names no other.
  void abandon_memory() noexcept;
  // Under the desk's lock. `keeps(command)` and `keeps(entry)`: it stays.
  template <typename Keeps>
  void abandon_unless(const Keeps& keeps);
  // Returns when all that has fired here until now has been carried out, and nothing is being
  // written to an entry that has been retired.
  void finish_fired();
  void add_letter(letter l);
  // What is to be sent needs the program's memory no more,
  void keep_letters();
  // nor does what arrives.
  void cut_arrivals();
  // This PE's memory that a record names stays for as long as others have their adapters.
  [[nodiscard]] bool outlives_handle(const descriptor_record& memory) const;

  const std::uint64_t number_;
  request_desk& desk_;
  const bool sees_all_memory_;
  std::vector<std::vector<std::span<std::byte>>> regions_;  // of the PEs of this node
  std::vector<bool> are_the_programs_;                      // the regions
  std::unique_ptr<node_memory> memory_;
  std::vector<adapter_block> blocks_;  // of the PEs of this node
  int my_place_;
  int my_node_;
  std::deque<std::function<void()>> functions_;
  thrown_by_function thrown_;
  // To each PE in order; none waits for the room at another one.
  std::map<int, std::deque<letter>> letters_;
  std::size_t number_of_letters_ = 0;
  std::map<int, acceptance> arriving_;  // of which not all has come, by source
  work_list later_;
  bool is_abandoned_ = false;  // under the desk's lock
};

}  // namespace boxcar::detail
