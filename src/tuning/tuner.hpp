// The tuner of a conveyor or a stream on one PE: measures sessions, agrees with the other PEs on
// what they took, and says with which setting the next one is to be. What it decides depends on
// nothing but what all PEs know, so all decide alike. It is asked once per session, never per item.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/statistics.hpp>

#include "substrate/substrate.hpp"
#include "tuning/tuning_file.hpp"
#include "tuning/tuning_search.hpp"

namespace boxcar::detail {

// The parts of a key that a conveyor or a stream knows.
struct tuned_object {
  std::string what;
  std::size_t item_bytes = 1;
  std::string options;
};

// A session as this PE saw it.
struct measured_session {
  std::uint64_t items = 0;               // sent from here
  std::chrono::nanoseconds ended_at{0};  // when it was complete here, on the clock of the world
  std::uint64_t bytes = 0;               // in the buffers that left, and what they had room for
  std::uint64_t room = 0;

  void add(const std::vector<hop_statistics>& hops);
};

class tuner {
 public:
  // Collective: PE 0 reads the file that BOXCAR_TUNING names. The first way, with its usual
  // buffers, is what is there without tuning. Throws argument_error on all PEs if the file is none
  // of ours.
  tuner(substrate& world, const tuned_object& object, std::vector<tunable_way> ways);

  // With what the next session is to be; the same on all PEs.
  [[nodiscard]] const tuned_setting& wanted() const { return wanted_; }
  [[nodiscard]] tuned_setting wanted_without_tuning() const { return search_.usual(); }
  // It was built, which took this PE so long; or it could not be, on any PE.
  void built(std::chrono::nanoseconds took);
  void could_not_build();

  // Local.
  void session_began();
  // Collective. True if all PEs have come together for it, false if nothing was exchanged: the same
  // everywhere.
  bool session_ended(const measured_session& session);

  // What it did so far, some lines of text.
  [[nodiscard]] std::string explain() const;
  [[nodiscard]] bool is_settled() const { return state_ == state::settled; }
  [[nodiscard]] int steps() const { return search_.steps(); }

 private:
  enum class state {
    saved,  // with what the file says, until it is known how many items there are in a session
    searching,
    settled
  };
  // Of one session, of all PEs.
  struct account {
    std::uint64_t nanoseconds = 0;  // of the PE that took longest
    std::uint64_t items = 0;        // of all, as the next two
    std::uint64_t bytes = 0;
    std::uint64_t room = 0;
    std::uint64_t elapsed = 0;  // in sessions since the search began, of the same
    // On building since the last account, of the PE that waited least for others.
    std::uint64_t building = 0;
  };
  struct saved_setting {
    int magnitude = 0;
    tuned_setting setting;
    double gain = 1;
  };

  void load();
  [[nodiscard]] bool is_measuring() const;
  [[nodiscard]] account agree(const account& mine);
  void begin_account();
  void learn(const account& session);
  void learn_from_search(const account& session);
  void learn_from_look(const account& session);
  // What the file says for about so many items per PE, or nothing.
  [[nodiscard]] const saved_setting* saved_for(double items) const;
  void use_saved(const saved_setting& found, const account& session);
  void search_again(const account& session);
  void give_up(const std::string& why);
  void go_on(const account& session);
  void settle();
  void save(const tuning_record& record);
  [[nodiscard]] std::string text_of(const tuned_setting& s) const;
  void say(const std::string& text) const;

  substrate& world_;
  tuning_key key_;
  std::string file_;    // on PE 0; empty: none
  bool aloud_ = false;  // on PE 0: says on standard error what it does
  std::vector<saved_setting> saved_;
  std::vector<tunable_way> ways_;
  tuning_search search_;
  state state_ = state::searching;
  tuned_setting wanted_;
  tuned_setting used_;  // in this session
  bool was_waiting_ = false;

  std::chrono::nanoseconds began_{0};
  std::chrono::nanoseconds elapsed_{0};
  std::chrono::nanoseconds building_{0};  // since the last account
  double spent_ = 0;                      // on building since the search began, in nanoseconds
  std::uint64_t sessions_ = 0;            // since it was settled
  std::uint64_t rest_ = 0;                // sessions that are not measured

  double items_ = 0;  // of all PEs, in the sessions that are compared; 0: not known yet
  double nanoseconds_per_item_ = 0;  // when it was settled
  int odd_ = 0;                      // sessions in a row that could not be compared
  int bad_ = 0;                      // looks in a row that found it has become worse
  int searches_ = 1;
  bool gave_up_ = false;
  std::string found_;  // in words
};

}  // namespace boxcar::detail
