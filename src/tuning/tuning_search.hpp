// The search for the route and the size of buffers with which sessions are fastest, one try after
// the other: a pure function of what was measured, so that PEs that are told the same try the same
// (tram-thesis-2014, section 6.1.2, which finds both within 25 steps).
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boxcar::detail {

// A way that items could take, and how large its buffers may be.
struct tunable_way {
  std::string name;
  std::size_t buffer_bytes;  // that would be chosen without tuning
  std::size_t least_bytes;
  std::size_t most_bytes;
};

struct tuned_setting {
  std::size_t way = 0;  // its number among the ways
  std::size_t buffer_bytes = 0;

  friend auto operator<=>(const tuned_setting&, const tuned_setting&) = default;
};

class tuning_search {
 public:
  // Each is a session, those that measure the usual setting included.
  static constexpr int most_steps = 25;

  // The first way, with its usual buffers, is the usual setting: it is among the candidates, and
  // stays unless another one is clearly better.
  explicit tuning_search(std::vector<tunable_way> ways);

  // What the next session is to be measured with; once the search is over, what was found.
  [[nodiscard]] const tuned_setting& next() const { return next_; }
  // The best so far.
  [[nodiscard]] const tuned_setting& best() const { return best_; }
  [[nodiscard]] bool is_over() const { return over_; }
  [[nodiscard]] int steps() const { return steps_; }

  // How long a session with `next` took for each item, and how full its buffers left, 0 to 1. Not
  // once the search is over.
  void measured(double nanoseconds_per_item, double fill);
  // `next` cannot be built.
  void dropped();

  // How long it takes with what was found, and how many times as long with the usual setting, as
  // measured in the end; nothing before the search is over. (1 if the usual setting stays.)
  [[nodiscard]] double nanoseconds_per_item() const { return found_nanoseconds_; }
  [[nodiscard]] double gain() const { return gain_; }

  [[nodiscard]] const std::vector<tunable_way>& ways() const { return ways_; }
  [[nodiscard]] tuned_setting usual() const { return {0, ways_.front().buffer_bytes}; }
  [[nodiscard]] bool is_possible(const tuned_setting& s) const;

 private:
  // `same`: neither clearly better nor clearly worse.
  enum class verdict { unknown, better, same, worse };

  // Goes through the whole search, as far as what was measured tells, and sets `next_` to what is
  // asked for first that is not known.
  void plan();
  verdict look_for_ways();
  verdict look_for_sizes();
  verdict look_for_ways_again();
  verdict narrow();
  // Half the size of the best, and twice that.
  verdict look_around();
  // The size to try next between the best, or others that are the same, and what is worse; nothing
  // if they are neighbours.
  [[nodiscard]] std::optional<tuned_setting> between() const;
  // Whether the candidate takes the place of the best.
  verdict consider(const tuned_setting& candidate);
  [[nodiscard]] std::optional<tuned_setting> scaled(const tuned_setting& s, double factor) const;
  // There are so many steps left before the comparison at the end.
  [[nodiscard]] bool has_time_for(std::size_t tries) const;
  // The best and the usual setting in turns, at the end.
  void compare();
  void settle(const tuned_setting& found, double nanoseconds, double gain);
  [[nodiscard]] bool is_known(const tuned_setting& s) const;
  [[nodiscard]] double value_of(const tuned_setting& s) const;

  std::vector<tunable_way> ways_;
  std::map<tuned_setting, std::vector<double>> tries_;  // nanoseconds per item
  std::map<tuned_setting, double> fills_;               // of the last try
  std::vector<double> compared_;                        // usual, best, usual, best...
  bool warm_ = false;                                   // the first session is not like others
  tuned_setting best_;
  tuned_setting next_;
  bool comparing_ = false;
  bool over_ = false;
  int steps_ = 0;
  double found_nanoseconds_ = 0;
  double gain_ = 1;
};

}  // namespace boxcar::detail
