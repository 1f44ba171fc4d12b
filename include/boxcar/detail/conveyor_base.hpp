// What fixed-size and elastic conveyors have in common on one PE: where the next packet is written
// and read, and everything that happens once per buffer or more rarely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <boxcar/codec.hpp>
#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/detail/lane.hpp>
#include <boxcar/detail/steps.hpp>
#include <boxcar/session.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

class engine;
struct freight;

class conveyor_base : public session_owner {
 public:
  conveyor_base(const conveyor_base&) = delete;
  conveyor_base& operator=(const conveyor_base&) = delete;
  virtual ~conveyor_base();

  advance_result advance(bool done);
  void reset();
  // For forms that keep what has arrived until it is pulled, when nothing more comes: gives the
  // core away if the client has not pulled since the last call, by which `activity` changes.
  void wait_for_pull(std::uintptr_t activity);
  void leave(bool quietly) override;
  // For one of two conveyors that work together, of which the other is tuned. Collective; legal
  // while dormant: from the next session on its items travel as those of the other.
  void build_as(const conveyor_base& leader);
  // The session of the other, and with it that of both, was not complete before now.
  void complete_now();
  // Throws contract_error in the middle of a session.
  void require_free() const;
  // See conveyor::set_codec.
  void set_codec(std::shared_ptr<codec> c);

  // Throws argument_error if there is no such PE, contract_error if nothing may be pushed.
  void check_destination(int pe) const {
    if (static_cast<std::uint32_t>(pe) >= pes_) refuse_push(pe);
  }

  [[nodiscard]] conveyor_state state() const;
  [[nodiscard]] virtual statistics session_statistics() const = 0;
  [[nodiscard]] statistics total_statistics() const;
  [[nodiscard]] std::size_t buffer_bytes() const;
  [[nodiscard]] std::string explain() const;

 protected:
  // Collective. Throws argument_error on all PEs if the options cannot work or differ between PEs.
  conveyor_base(const world& w, const freight& what, const conveyor_options& options);
  conveyor_base(conveyor_base&&) noexcept;
  // Throws contract_error in the middle of a session of this one, and the world fails: nobody could
  // end that any more.
  conveyor_base& operator=(conveyor_base&&);

  // The engine; throws contract_error if this has been moved from.
  [[nodiscard]] engine& inner() const;

  // Collective; legal while dormant. Packets have the same size, or, with 0, differ.
  void begin_session(std::size_t item_bytes);
  [[noreturn]] void refuse_push(int pe) const;
  // A lane has no room for a packet: false if there will be none before the next advance.
  bool make_room(lane& l);
  // Everything that was arrived and read is given back. False if nothing more has arrived.
  bool next_buffer();
  void read_nothing() { read_ = read_limit_ = row_limit_ = nullptr; }
  // Writes to the buffers what is still due there: none of them is sent before.
  virtual void write_delayed() {}
  // The client will not look at what it has pulled any more.
  virtual void stop_reading() {}
  // A copy of an item that does not lie as `alignment` demands; good until the next one.
  const std::byte* aligned_copy(const std::byte* item, std::size_t bytes, std::size_t alignment);

  lane* lanes_ = nullptr;         // one per link that a push may go to
  std::uint32_t pes_ = 0;         // that may be pushed to: none unless the session is working
  std::uint32_t direct_pes_ = 0;  // the same, or none if a push is more than what is inlined
  std::uint32_t listed_pes_ = 0;  // the same, or none if first steps are not listed
  first_steps steps_;             // over several hops
  std::byte* read_ = nullptr;
  std::byte* read_limit_ = nullptr;
  std::byte* row_limit_ = nullptr;  // read_limit_ if packets are items without tags, else nullptr
  origin origin_;                   // of the items in the buffer that is being read

 private:
  struct parts;
  static std::unique_ptr<parts> make_parts(const world& w, const freight& what,
                                           const conveyor_options& options);

  void take_over(conveyor_base& other) noexcept;
  // Somebody still has to end a session.
  [[nodiscard]] bool is_needed() const;
  // Declares that the world has failed because this went in the middle of a session, and returns
  // the text.
  std::string fail_as(const char* what_happened) const;

  std::unique_ptr<parts> parts_;
};

}  // namespace boxcar::detail
