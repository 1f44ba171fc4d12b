#include "substrate/stall/stall_watch.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::detail {
namespace {

// A waiting PE polls at least fewest_rounds times between two looks; otherwise a look does not
// count the PE as waiting. A looking PE polls more often in between: for some PE, all other PEs
// have then polled often enough.
constexpr std::uint64_t fewest_rounds = 4;
constexpr std::uint64_t rounds_between_looks = 2 * fewest_rounds;

}  // namespace

stall_watch::stall_watch(job_block& job, int slot, int rank, int pes,
                         std::chrono::nanoseconds allowed)
    : job_(job), slot_(slot), rank_(rank), pes_(pes), allowed_(allowed) {}

std::optional<std::string> stall_watch::look(clock::time_point now, pe_watch& watch,
                                             const pause_reason& why) {
  if (!is_on()) return std::nullopt;
  if (watch.needed_for(why) == needs::nobody || watch.moves() != moves_seen_) {
    begin_again(now, watch);
    return std::nullopt;
  }
  blocked_ += std::min<std::chrono::nanoseconds>(now - last_, allowed_ / 16);
  last_ = now;
  ++rounds_;
  note_place(why);
  if (blocked_ < allowed_ / 2) return std::nullopt;
  report_slot& mine = job_.pe(slot_).report;
  if (is_shown_) {
    mine.polled_again();
  } else {
    mine.show(report(watch, why));
    is_shown_ = true;
  }
  if (blocked_ < allowed_ || now < next_look_ || rounds_ < next_look_round_) return std::nullopt;
  next_look_ = now + allowed_ / 8;
  next_look_round_ = rounds_ + rounds_between_looks;
  if (!overdue_) {
    overdue_ = report(watch, why);
    mine.show(*overdue_);
  }
  return look_around();
}

void stall_watch::begin_again(clock::time_point now, const pe_watch& watch) {
  moves_seen_ = watch.moves();
  blocked_ = {};
  last_ = now;
  place_.reset();
  waits_in_several_ = false;
  withdraw();
}

void stall_watch::note_place(const pause_reason& why) {
  if (!place_) place_ = why;
  waits_in_several_ =
      waits_in_several_ || place_->session != why.session || place_->world != why.world;
}

pe_report stall_watch::report(pe_watch& watch, const pause_reason& why) const {
  pe_report r = watch.report(why);
  r.rank = rank_;
  // Any event that ends one of the waits lets the PE go on.
  if (waits_in_several_) r.on = needs::any;
  r.seconds = std::chrono::duration<double>(blocked_).count();
  return r;
}

void stall_watch::withdraw() {
  if (!is_shown_) return;
  job_.pe(slot_).report.withdraw();
  is_shown_ = false;
  overdue_.reset();
}

std::optional<std::string> stall_watch::look_around() {
  before_.resize(job_.pes);
  std::vector<pe_group> groups;
  for (std::size_t pe = 0; pe < before_.size(); ++pe) {
    const report_slot& theirs = job_.pe(static_cast<int>(pe)).report;
    looked_at now{.rounds = theirs.rounds()};
    pe_report r;
    if (now.rounds == 0 || !theirs.read(r)) {
      before_[pe] = {};
      continue;
    }
    now.moves = r.moves;
    const looked_at before = before_[pe];
    const bool has_stayed = before.moves == now.moves && before.rounds <= now.rounds;
    const bool has_polled = now.rounds >= before.rounds + fewest_rounds;
    if (has_stayed && has_polled) add(groups, group_of(r));
    if (!has_stayed || has_polled) before_[pe] = now;
  }
  const finding found = find(groups, pes_);
  const bool is_certain = found == found_before_;
  found_before_ = found;
  if (!is_certain) return std::nullopt;
  return describe(found, pes_);
}

}  // namespace boxcar::detail
