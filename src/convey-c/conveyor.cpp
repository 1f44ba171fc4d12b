#include "convey-c/conveyor.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <boxcar/statistics.hpp>

#include "convey-c/refusal.hpp"

using boxcar::conveyor_state;
using boxcar::convey_c::refusal;

namespace {

std::size_t usable_alignment(std::size_t item_bytes, std::size_t align) {
  constexpr std::size_t most = CONVEY_MAX_ALIGN;
  if (std::has_single_bit(align) && align <= most && item_bytes % align == 0) return align;
  return std::min(most, std::size_t{1} << std::countr_zero(item_bytes));
}

std::int64_t count_of(const boxcar::statistics& s, int which) {
  std::uint64_t buffers = 0;
  std::uint64_t bytes = 0;
  for (const boxcar::hop_statistics& hop : s.hops) {
    buffers += hop.buffers();
    bytes += hop.bytes();
  }
  const auto count = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  switch (which) {
    case convey_BEGINS:
      return count(s.begins);
    case convey_PUSHES:
      return count(s.pushes);
    case convey_PULLS:
      return count(s.pulls);
    case convey_UNPULLS:
      return count(s.unpulls);
    case convey_ADVANCES:
      return count(s.advances);
    case convey_COMMS:
      return count(buffers);
    case convey_SYNCS:
      return count(s.syncs);
    case convey_BYTES:
      return count(bytes);
    default:
      return -1;
  }
}

}  // namespace

convey::convey(boxcar::world& w, std::uint64_t options, std::uint64_t features)
    : world_(w),
      rank_(w.rank()),
      features_(features | ((options & convey_opt_PROGRESS) != 0 ? convey_STEADY : 0)),
      complaints_((options & convey_opt_QUIET) != 0) {}

void convey::begin(std::size_t item_bytes, std::size_t align) {
  // A session that is on refuses another without asking the other PEs.
  if (base().state() != conveyor_state::dormant) return begin_session();
  agree_on(item_bytes);
  item_bytes_ = item_bytes;
  alignment_ = usable_alignment(item_bytes, align);
  begin_session();
}

// Collective.
void convey::agree_on(std::size_t item_bytes) {
  struct sizes {
    std::uint64_t least;
    std::uint64_t most;
  };
  const sizes all = world_.reduce(sizes{item_bytes, item_bytes}, [](sizes a, sizes b) {
    return sizes{std::min(a.least, b.least), std::max(a.most, b.most)};
  });
  if (all.least != all.most) {
    throw refusal(convey_error_SIZE,
                  "the PEs begin a session with items of different sizes, between " +
                      std::to_string(all.least) + " and " + std::to_string(all.most) +
                      " bytes: give the same on all PEs",
                  true);
  }
  if (item_bytes == 0) {
    throw refusal(convey_error_SIZE, "item_bytes is 0: give the size of an item", true);
  }
  if (item_bytes > item_bound()) {
    throw refusal(convey_error_SIZE,
                  "item_bytes is " + std::to_string(item_bytes) +
                      ", but the conveyor was made for items of at most " +
                      std::to_string(item_bound()) + " bytes: raise that bound",
                  true);
  }
}

void convey::refuse_pe(std::int64_t pe) const {
  if (base().state() != conveyor_state::working) {
    throw refusal(convey_error_STATE, std::string("push is illegal while the conveyor is ") +
                                          boxcar::name_of(base().state()));
  }
  throw refusal(convey_error_RANGE, "push to PE " + std::to_string(pe) + ": the world has " +
                                        std::to_string(world_.size()) + " PEs, numbered from 0");
}

int convey::advance(bool done) {
  const boxcar::advance_result result = base().advance(done);
  if (result == boxcar::advance_result::done) return convey_DONE;
  return result == boxcar::advance_result::near ? convey_NEAR : convey_OK;
}

void convey::reset() {
  base().reset();
}

void convey::prepare_to_free() {
  base().reset();
}

bool convey::set_codec(const convey_codec_t*, void*) {
  return false;
}

std::size_t convey::item_bytes() const {
  return base().state() == conveyor_state::dormant ? 0 : item_bytes_;
}

std::int64_t convey::statistic(int which) const {
  if (which < 0) return -1;
  if (which < convey_CUMULATIVE) return count_of(base().session_statistics(), which);
  return count_of(base().total_statistics(), which - convey_CUMULATIVE);
}
