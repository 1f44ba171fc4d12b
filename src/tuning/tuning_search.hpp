// The search for the route and the buffer size of the fastest sessions, one try after the other.
// The search is a pure function of the measurements, so that PEs with equal measurements try equal
// settings (tram-thesis-2014, section 6.1.2, finds both within 25 steps).
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boxcar::detail {

// A way that items can take, and the possible sizes of its buffers.
struct tunable_way {
  std::string name;
  std::size_t buffer_bytes;  // chosen without tuning
  std::size_t min_bytes;
  std::size_t most_bytes;
};

struct tuned_setting {
  std::size_t way = 0;  // its number among the ways
  std::size_t buffer_bytes = 0;

  friend auto operator<=>(const tuned_setting&, const tuned_setting&) = default;
};

class tuning_search {
 public:
  // Each step is a session; sessions with the usual setting count as well.
  static constexpr int max_steps = 25;

  // The usual setting is the first way, with its usual buffers. The usual setting is a candidate,
  // and stays unless another setting is clearly better.
  explicit tuning_search(std::vector<tunable_way> ways);

  // Returns the setting to measure in the next session; once the search is over, the setting found.
  [[nodiscard]] const tuned_setting& next() const { return next_; }
  // Returns the best setting so far.
  [[nodiscard]] const tuned_setting& best() const { return best_; }
  [[nodiscard]] bool is_over() const { return over_; }
  [[nodiscard]] int steps() const { return steps_; }

  // Takes the time per item of a session with `next`, and the fill of its buffers, 0 to 1.
  // Precondition: the search is not over.
  void measured(double nanoseconds_per_item, double fill);
  // The setting `next` cannot be built.
  void dropped();

  // Return the time per item with the setting found, and the ratio of the time with the usual
  // setting to this time, as measured in the end; not available before the search is over. (The
  // ratio is 1 if the usual setting stays.)
  [[nodiscard]] double nanoseconds_per_item() const { return found_nanoseconds_; }
  [[nodiscard]] double gain() const { return gain_; }

  [[nodiscard]] const std::vector<tunable_way>& ways() const { return ways_; }
  [[nodiscard]] tuned_setting usual() const { return {0, ways_.front().buffer_bytes}; }
  [[nodiscard]] bool is_possible(const tuned_setting& s) const;

 private:
  // `same`: neither clearly better nor clearly worse.
  enum class verdict { unknown, better, same, worse };

  // Repeats the whole search, as far as the measurements reach, and sets `next_` to the first
  // setting needed and not yet known.
  void plan();
  verdict look_for_ways();
  verdict look_for_sizes();
  verdict look_for_ways_again();
  verdict narrow();
  // Tries half the size of the best setting, and twice the size.
  verdict look_around();
  // Returns the size to try next between good sizes and worse sizes; nothing if the sizes are
  // neighbours.
  [[nodiscard]] std::optional<tuned_setting> between() const;
  // Compares the candidate with the best setting; a better candidate becomes the best setting.
  verdict consider(const tuned_setting& candidate);
  [[nodiscard]] std::optional<tuned_setting> scaled(const tuned_setting& s, double factor) const;
  // Returns whether `tries` steps are left before the comparison at the end.
  [[nodiscard]] bool has_time_for(std::size_t tries) const;
  // Compares the best and the usual setting in turns, at the end.
  void compare();
  void settle(const tuned_setting& found, double nanoseconds, double gain);
  [[nodiscard]] bool is_known(const tuned_setting& s) const;
  [[nodiscard]] double value_of(const tuned_setting& s) const;

  std::vector<tunable_way> ways_;
  std::map<tuned_setting, std::vector<double>> tries_;  // nanoseconds per item
  std::map<tuned_setting, double> fills_;               // of the last try
  std::vector<double> compared_;                        // usual, best, usual, best...
  bool warm_ = false;  // the first session is slower than later sessions
  tuned_setting best_;
  tuned_setting next_;
  bool comparing_ = false;
  bool over_ = false;
  int steps_ = 0;
  double found_nanoseconds_ = 0;
  double gain_ = 1;
};

}  // namespace boxcar::detail
