// The tuner of a conveyor or a stream on one PE. The tuner measures sessions, agrees with the other
// PEs on the times, and returns the setting for the next session. Decisions depend only on values
// known to all PEs, so all PEs decide alike. The owner calls the tuner once per session, never per
// item.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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

// A session as seen by this PE.
struct measured_session {
  std::uint64_t items = 0;               // sent from this PE
  std::chrono::nanoseconds ended_at{0};  // completion time here, on the world's clock
  std::uint64_t bytes = 0;  // in the buffers that left, and the capacity of the buffers
  std::uint64_t room = 0;

  void add(const std::vector<hop_statistics>& hops);
};

class tuner {
 public:
  // Collective: PE 0 reads the file that BOXCAR_TUNING names. The first way, with its usual
  // buffers, is the setting without tuning. Throws argument_error on all PEs if the file is no
  // tuning file.
  tuner(substrate& world, const tuned_object& object, std::vector<tunable_way> ways);

  // Returns the setting for the next session, equal on all PEs.
  [[nodiscard]] const tuned_setting& wanted() const { return wanted_; }
  [[nodiscard]] tuned_setting wanted_without_tuning() const { return search_.usual(); }
  // Calls `build` to build the object with the wanted setting, unless the object has the setting;
  // at first the object has the setting without tuning. If `build` throws system_error, on all PEs,
  // the tuner selects another setting. Returns whether anything was built. Throws system_error if
  // the object cannot even be built without tuning. Collective. Precondition: no session.
  bool ensure_built(const std::function<void()>& build);

  // Local.
  void session_began();
  // Collective. Returns true if all PEs have come together in the call, false if nothing was
  // exchanged; the result is equal on all PEs.
  bool session_ended(const measured_session& session);

  // Returns a report of the steps so far, some lines of text.
  [[nodiscard]] std::string explain() const;
  [[nodiscard]] bool is_settled() const { return state_ == state::settled; }
  [[nodiscard]] int steps() const { return search_.steps(); }

 private:
  enum class state {
    saved,  // with the saved setting, until the number of items in a session is known
    searching,
    settled
  };
  // The figures of a session, over all PEs.
  struct account {
    std::uint64_t nanoseconds = 0;  // of the PE that took longest
    std::uint64_t items = 0;        // of all PEs, as the next two
    std::uint64_t bytes = 0;
    std::uint64_t room = 0;
    std::uint64_t elapsed = 0;  // in sessions since the search began, of the slowest PE
    // Time to build since the last account, of the PE that waited least for others.
    std::uint64_t building = 0;
  };
  struct saved_setting {
    int magnitude = 0;
    tuned_setting setting;
    double gain = 1;
  };

  void load();
  void could_not_build();
  [[nodiscard]] bool is_measuring() const;
  [[nodiscard]] account agree(const account& mine);
  void begin_account();
  void learn(const account& session);
  void learn_from_search(const account& session);
  void learn_from_look(const account& session);
  // Returns the saved setting for about `items` items per PE, or nullptr.
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
  bool aloud_ = false;  // on PE 0: reports its steps on standard error
  std::vector<saved_setting> saved_;
  std::vector<tunable_way> ways_;
  tuning_search search_;
  state state_ = state::searching;
  tuned_setting wanted_;
  tuned_setting used_;                  // in this session
  std::optional<tuned_setting> built_;  // none after a failure to build
  bool was_waiting_ = false;

  std::chrono::nanoseconds began_{0};
  std::chrono::nanoseconds elapsed_{0};
  std::chrono::nanoseconds building_{0};  // since the last account
  double spent_ = 0;                      // on building since the search began, in nanoseconds
  std::uint64_t sessions_ = 0;            // since the tuner settled
  std::uint64_t rest_ = 0;                // sessions to leave unmeasured

  double items_ = 0;                 // of all PEs, in the compared sessions; 0: not known yet
  double nanoseconds_per_item_ = 0;  // when the tuner settled
  int odd_ = 0;                      // incomparable sessions in a row
  int bad_ = 0;                      // bad looks in a row
  int searches_ = 1;
  bool gave_up_ = false;
  std::string found_;  // in words
};

}  // namespace boxcar::detail
