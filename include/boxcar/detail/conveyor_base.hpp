// The conveyor base is the common part of fixed-size and elastic conveyors on one PE: the cursors
// of the next packets to write and to read, and everything that happens once per buffer or more
// rarely.
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
struct item_format;

class conveyor_base : public session_owner {
 public:
  conveyor_base(const conveyor_base&) = delete;
  conveyor_base& operator=(const conveyor_base&) = delete;
  virtual ~conveyor_base();

  advance_result advance(bool done);
  void reset();
  // For forms that keep arrived items until they are pulled, when nothing more arrives: yields the
  // core if the client has not pulled since the last call; a pull changes `activity`.
  void wait_for_pull(std::uintptr_t activity);
  void leave(bool quietly) override;
  // For the second of two conveyors that work together, of which the first is tuned. Collective.
  // Legal while dormant. From the next session on the items travel as the items of `leader`.
  void build_as(const conveyor_base& leader);
  // Records the present time as the end of the session: the other conveyor's session, and so the
  // session of both, was not complete before.
  void complete_now();
  // Throws contract_error in the middle of a session.
  void require_free() const;
  // See conveyor::set_codec.
  void set_codec(std::shared_ptr<codec> c);

  // Throws argument_error if the PE does not exist, contract_error if nothing may be pushed.
  void check_destination(int pe) const {
    if (static_cast<std::uint32_t>(pe) >= pes_) refuse_push(pe);
  }

  [[nodiscard]] conveyor_state state() const;
  [[nodiscard]] virtual statistics session_statistics() const = 0;
  [[nodiscard]] statistics total_statistics() const;
  [[nodiscard]] std::size_t buffer_bytes() const;
  [[nodiscard]] std::string explain() const;
  // Makes the world fail, unless the world has ended. `text` is what the PE reports.
  void fail(const std::string& text) const;

 protected:
  // Collective. Throws argument_error on all PEs if the options cannot work or differ between PEs.
  conveyor_base(const world& w, const item_format& what, const conveyor_options& options);
  conveyor_base(conveyor_base&&) noexcept;
  // Throws contract_error in the middle of a session of the assigned-to conveyor, and the world
  // fails: no PE could end the session any more.
  conveyor_base& operator=(conveyor_base&&);

  // Returns the engine. Throws contract_error if the conveyor has been moved from.
  [[nodiscard]] engine& inner() const;

  // Collective. Legal while dormant. Packets have the same size, or, with 0, differ.
  void begin_session(std::size_t item_bytes);
  [[noreturn]] void refuse_push(int pe) const;
  // Makes room in a lane without room for a packet. Returns false if there will be no room before
  // the next advance.
  bool make_room(lane& l);
  // Returns the read buffer to its sender and opens the next buffer. Returns false if nothing more
  // has arrived.
  bool next_buffer();
  void read_nothing() { read_ = read_limit_ = row_limit_ = nullptr; }
  // Writes delayed items to the buffers, before any of the buffers is sent.
  virtual void write_delayed() {}
  // Called when the client will not access pulled items any more.
  virtual void stop_reading() {}
  // Returns a copy of an item that does not lie as `alignment` demands; valid until the next call.
  const std::byte* aligned_copy(const std::byte* item, std::size_t bytes, std::size_t alignment);

  lane* lanes_ = nullptr;         // one per link that a push may go to
  std::uint32_t pes_ = 0;         // the PEs that may be pushed to; 0 unless the session is working
  std::uint32_t direct_pes_ = 0;  // `pes_`, or 0 if a push is more than the inlined code
  std::uint32_t listed_pes_ = 0;  // `pes_`, or 0 if first steps are not listed
  first_steps steps_;             // over several hops
  std::byte* read_ = nullptr;
  std::byte* read_limit_ = nullptr;
  std::byte* row_limit_ = nullptr;  // read_limit_ if packets are items without tags, else nullptr
  origin origin_;                   // of the items in the buffer that is being read

 private:
  struct parts;
  static std::unique_ptr<parts> make_parts(const world& w, const item_format& what,
                                           const conveyor_options& options);

  void take_over(conveyor_base& other) noexcept;
  // Returns whether the PE still has to end a session.
  [[nodiscard]] bool is_needed() const;
  // Makes the world fail because the conveyor was destroyed or replaced in the middle of a session,
  // and returns the text.
  std::string fail_as(const char* what_happened) const;

  std::unique_ptr<parts> parts_;
};

}  // namespace boxcar::detail
