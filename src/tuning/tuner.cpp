#include "tuning/tuner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/environment.hpp"

namespace boxcar::detail {
namespace {

using namespace std::chrono_literals;

// The largest share of the time in sessions that building and agreeing may take.
constexpr double most_spent = 0.05;
// Shorter sessions measure clocks, not buffers.
constexpr std::uint64_t min_nanoseconds = 20'000;
// The tuner compares sessions by their time per item if their item counts differ at most by this
// factor.
constexpr double comparable = 2;
// The number of incomparable sessions in a row after which the tuner searches a setting for such
// sessions; and the number of unmeasured sessions after a session that was too short.
constexpr int most_odd = 8;
constexpr std::uint64_t rest_after_short = 16;
// A settled tuner looks at one session in `looks_each`. A look is bad if the session takes
// `much_worse` times as long as at settling, or has `quite_other` times as many items, or as few.
// After `most_bad` bad looks in a row another search is worthwhile.
constexpr std::uint64_t looks_each = 16;
constexpr double much_worse = 1.5;
constexpr double quite_other = 4;
constexpr int most_bad = 3;
constexpr int max_searches = 4;

std::string with_decimals(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

double per_item(std::uint64_t amount, std::uint64_t items) {
  return static_cast<double>(amount) / static_cast<double>(items);
}

bool is_within(double a, double b, double factor) {
  return a <= b * factor && b <= a * factor;
}

std::uint64_t count_of(std::chrono::nanoseconds t) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(t.count(), 0));
}

}  // namespace

tuner::tuner(substrate& world, const tuned_object& object, std::vector<tunable_way> ways)
    : world_(world),
      key_{.what = object.what,
           .substrate = without_blanks(world.name()),
           .pes = world.size(),
           .pes_per_node = std::max(world.layout().pes_per_node_but_last(), 0),
           .item_bytes = object.item_bytes,
           .options = without_blanks(object.options)},
      ways_(std::move(ways)),
      search_(ways_),
      wanted_(search_.usual()),
      used_(wanted_),
      built_(wanted_) {
  load();
  if (state_ == state::searching && search_.is_over()) settle();
}

// PE 0 broadcasts the settings found for the same key, or the error in the file.
void tuner::load() {
  constexpr std::size_t most = 21;
  struct entry {
    std::uint32_t magnitude;
    std::uint32_t way;
    std::uint64_t buffer_bytes;
    double gain;
  };
  struct message {
    std::uint64_t entries = 0;
    std::array<entry, most> found{};
    std::array<char, 480> problem{};
  };
  message m;
  if (world_.rank() == 0) {
    try {
      aloud_ = tuning_report_from_environment();
      file_ = tuning_file_from_environment();
      const tuning_file file = file_.empty() ? tuning_file() : tuning_file::read(file_);
      for (const tuning_record& r : file.records_of(key_)) {
        const auto way = static_cast<std::size_t>(
            std::ranges::find(ways_, r.way, &tunable_way::name) - ways_.begin());
        // Settings beyond the allowed memory, or with an unknown way, are no help.
        if (!search_.is_possible({way, r.buffer_bytes}) || m.entries == most) continue;
        m.found[m.entries++] = {static_cast<std::uint32_t>(r.magnitude),
                                static_cast<std::uint32_t>(way), r.buffer_bytes, r.gain};
      }
    } catch (const error& e) {
      const std::string text = e.what();
      text.copy(m.problem.data(), m.problem.size() - 1);
    }
  }
  world_.broadcast(std::as_writable_bytes(std::span(&m, 1)), 0);
  if (m.problem.front() != '\0') throw argument_error(m.problem.data());
  for (const entry& e : std::span(m.found).first(m.entries)) {
    saved_.push_back({static_cast<int>(e.magnitude), {e.way, e.buffer_bytes}, e.gain});
  }
  if (saved_.empty()) return;
  // Until the number of items is known, the tuner uses the setting found for the most items.
  wanted_ = std::ranges::max(saved_, {}, &saved_setting::magnitude).setting;
  state_ = state::saved;
}

bool tuner::ensure_built(const std::function<void()>& build) {
  if (built_ == wanted_) return false;
  while (built_ != wanted_) {
    const bool is_usual = wanted_ == search_.usual();
    built_.reset();
    const auto before = world_.now();
    try {
      build();
      built_ = used_ = wanted_;
      building_ += world_.now() - before;
    } catch (const system_error&) {
      if (is_usual) throw;
      could_not_build();
    }
  }
  return true;
}

void tuner::could_not_build() {
  if (state_ == state::searching && !was_waiting_ && wanted_ == search_.next()) {
    search_.dropped();
    wanted_ = search_.next();
    if (search_.is_over()) settle();
  } else {
    // The object built before cannot be built again.
    wanted_ = search_.usual();
    give_up("there was no memory left for other buffers");
  }
}

void tuner::session_began() {
  used_ = wanted_;
  began_ = world_.now();
}

bool tuner::is_measuring() const {
  switch (state_) {
    case state::saved:
      return true;
    case state::searching:
      return rest_ == 0;
    case state::settled:
      return !gave_up_ && !search_.ways().empty() && sessions_ % looks_each == 0;
  }
  return false;
}

void measured_session::add(const std::vector<hop_statistics>& hops) {
  for (const hop_statistics& h : hops) {
    bytes += h.packet_bytes();
    room += h.capacity_bytes;
  }
}

bool tuner::session_ended(const measured_session& session) {
  const auto took = session.ended_at - began_;
  elapsed_ += took;
  ++sessions_;
  if (!is_measuring()) {
    if (rest_ != 0) --rest_;
    return false;
  }
  learn(agree({.nanoseconds = count_of(took),
               .items = session.items,
               .bytes = session.bytes,
               .room = session.room,
               .elapsed = count_of(elapsed_),
               .building = count_of(std::exchange(building_, 0ns))}));
  return true;
}

tuner::account tuner::agree(const account& mine) {
  account all = mine;
  world_.all_reduce(std::as_writable_bytes(std::span(&all, 1)),
                    [](std::byte* into, const std::byte* next) {
                      account a;
                      account b;
                      std::memcpy(&a, into, sizeof a);
                      std::memcpy(&b, next, sizeof b);
                      a.nanoseconds = std::max(a.nanoseconds, b.nanoseconds);
                      a.items += b.items;
                      a.bytes += b.bytes;
                      a.room += b.room;
                      a.elapsed = std::max(a.elapsed, b.elapsed);
                      a.building = std::min(a.building, b.building);
                      std::memcpy(into, &a, sizeof a);
                    });
  return all;
}

void tuner::learn(const account& session) {
  spent_ += static_cast<double>(session.building);
  if (session.items == 0) return;
  const auto items = static_cast<double>(session.items);
  switch (state_) {
    case state::saved:
      if (const saved_setting* found = saved_for(items / world_.size())) {
        use_saved(*found, session);
      } else {
        wanted_ = search_.next();
        state_ = state::searching;
        begin_account();
      }
      return;
    case state::searching:
      return learn_from_search(session);
    case state::settled:
      return learn_from_look(session);
  }
}

const tuner::saved_setting* tuner::saved_for(double items) const {
  // Near a power of ten both magnitudes are right.
  constexpr double near = 1.25;
  for (const double about : {items, items * near, items / near}) {
    const auto found = std::ranges::find(saved_, magnitude_of(about), &saved_setting::magnitude);
    if (found != saved_.end()) return &*found;
  }
  return nullptr;
}

void tuner::use_saved(const saved_setting& found, const account& session) {
  wanted_ = found.setting;
  items_ = static_cast<double>(session.items);
  // The time is of the first session with a setting. The first session is slower than later
  // sessions, if anything.
  nanoseconds_per_item_ = used_ == wanted_ ? per_item(session.nanoseconds, session.items) : 0;
  state_ = state::settled;
  sessions_ = 0;
  bad_ = 0;
  found_ = "as found in an earlier run: " + text_of(wanted_) + ", then " +
           with_decimals(found.gain) + " times as fast as without tuning";
  say(found_);
}

void tuner::begin_account() {
  elapsed_ = 0ns;
  spent_ = 0;
}

void tuner::learn_from_search(const account& session) {
  const auto items = static_cast<double>(session.items);
  // (A session with a setting on trial may well be as short.)
  if (used_ == search_.usual() && session.nanoseconds < min_nanoseconds) {
    rest_ = rest_after_short;
    return;
  }
  if (items_ == 0) items_ = items;
  if (!is_within(items, items_, comparable)) {
    if (++odd_ >= most_odd) search_again(session);
    return;
  }
  odd_ = 0;
  if (!was_waiting_ && used_ == search_.next()) {
    const double took = per_item(session.nanoseconds, session.items);
    say("step " + std::to_string(search_.steps() + 1) + ": " + text_of(used_) + ": " +
        with_decimals(took) + " ns for each item of all PEs");
    search_.measured(took, session.room == 0 ? 1.0 : per_item(session.bytes, session.room));
  }
  if (search_.is_over()) return settle();
  go_on(session);
}

// Goes to the next step if the time spent so far is small enough; otherwise back to the best
// setting until the time is small enough.
void tuner::go_on(const account& session) {
  const double allowed = most_spent * static_cast<double>(session.elapsed);
  was_waiting_ = search_.next() != used_ && spent_ > allowed;
  wanted_ = was_waiting_ ? search_.best() : search_.next();
  if (!was_waiting_) return;
  const double missing = (spent_ - allowed) / most_spent;
  const double each = static_cast<double>(std::max<std::uint64_t>(session.nanoseconds, 1));
  constexpr double longest_rest = 1e6;
  rest_ = static_cast<std::uint64_t>(std::clamp(std::ceil(missing / each), 1.0, longest_rest));
}

void tuner::learn_from_look(const account& session) {
  const auto items = static_cast<double>(session.items);
  const double took = per_item(session.nanoseconds, session.items);
  if (session.nanoseconds < min_nanoseconds && is_within(items, items_, quite_other)) return;
  if (nanoseconds_per_item_ == 0) nanoseconds_per_item_ = took;
  const bool is_good =
      is_within(items, items_, quite_other) && took <= much_worse * nanoseconds_per_item_;
  bad_ = is_good ? 0 : bad_ + 1;
  if (bad_ >= most_bad) search_again(session);
}

void tuner::search_again(const account& session) {
  const auto items = static_cast<double>(session.items);
  const bool has_changed = !is_within(items, items_, comparable);
  const saved_setting* const found = has_changed ? saved_for(items / world_.size()) : nullptr;
  odd_ = bad_ = 0;
  if (++searches_ > max_searches) {
    return give_up(state_ == state::searching ? "sessions differ too much to be compared"
                                              : "sessions have changed too often");
  }
  if (found != nullptr) return use_saved(*found, session);
  say(has_changed ? "the number of items has changed: searching a setting for the new number"
                  : "sessions take longer than before: searching another setting");
  search_ = tuning_search(ways_);
  state_ = state::searching;
  items_ = items;
  rest_ = 0;
  was_waiting_ = false;
  begin_account();
  wanted_ = search_.next();
}

void tuner::give_up(const std::string& why) {
  gave_up_ = true;
  if (state_ != state::settled) wanted_ = search_.usual();
  state_ = state::settled;
  found_ = why + ": " + text_of(wanted_);
  say(found_);
}

void tuner::settle() {
  state_ = state::settled;
  wanted_ = search_.best();
  was_waiting_ = false;
  sessions_ = 0;
  bad_ = 0;
  if (search_.steps() == 0) {
    gave_up_ = true;  // nothing to look at, either
    found_ = "there is nothing to choose from";
    return say(found_);
  }
  nanoseconds_per_item_ = search_.nanoseconds_per_item();
  found_ = "settled after " + std::to_string(search_.steps()) + " steps: " + text_of(wanted_) +
           ", " +
           (wanted_ == search_.usual()
                ? std::string("as without tuning")
                : with_decimals(search_.gain()) + " times as fast as without tuning");
  say(found_);
  const int magnitude = magnitude_of(items_ / world_.size());
  std::erase_if(saved_, [&](const saved_setting& s) { return s.magnitude == magnitude; });
  saved_.push_back({magnitude, wanted_, search_.gain()});
  save({.key = key_,
        .magnitude = magnitude,
        .way = ways_[wanted_.way].name,
        .buffer_bytes = wanted_.buffer_bytes,
        .gain = search_.gain(),
        .steps = search_.steps()});
}

void tuner::save(const tuning_record& record) {
  if (file_.empty()) return;  // or this is not PE 0
  try {
    tuning_file::add(file_, record);
  } catch (const error& e) {
    std::fprintf(stderr,
                 "boxcar: %s: what tuning has found is not saved: %s (BOXCAR_TUNING names the "
                 "file)\n",
                 world_.pe_name(0).c_str(), e.what());
    file_.clear();
  }
}

std::string tuner::text_of(const tuned_setting& s) const {
  return ways_[s.way].name + ", buffers of " + std::to_string(s.buffer_bytes) + " bytes";
}

void tuner::say(const std::string& text) const {
  if (!aloud_) return;
  std::fprintf(stderr, "boxcar: tuning of a %s for items of %zu bytes: %s\n", key_.what.c_str(),
               key_.item_bytes, text.c_str());
}

std::string tuner::explain() const {
  switch (state_) {
    case state::saved:
      return "tuning: as found in an earlier run for some amount of items: " + text_of(wanted_) +
             "\n";
    case state::searching:
      return "tuning: " + std::to_string(search_.steps()) + " steps of at most " +
             std::to_string(tuning_search::max_steps) + "; next " + text_of(wanted_) +
             "; best so far " + text_of(search_.best()) + "\n";
    case state::settled:
      return "tuning: " + found_ + "\n";
  }
  return {};
}

}  // namespace boxcar::detail
