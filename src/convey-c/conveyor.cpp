#include "convey-c/conveyor.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <boxcar/statistics.hpp>

#include "convey-c/client_codec.hpp"
#include "convey-c/refusal.hpp"
#include "convey-c/status.hpp"

namespace boxcar::convey_c {
namespace {

std::size_t usable_alignment(std::size_t item_bytes, std::size_t align) {
  constexpr std::size_t most = CONVEY_MAX_ALIGN;
  if (std::has_single_bit(align) && align <= most && item_bytes % align == 0) return align;
  return std::min(most, std::size_t{1} << std::countr_zero(item_bytes));
}

std::int64_t count_of(const statistics& s, int which) {
  std::uint64_t buffers = 0;
  std::uint64_t bytes = 0;
  for (const hop_statistics& hop : s.hops) {
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

conveyor::conveyor(const arguments& given, std::uint64_t features)
    : convey{},
      world_(given.where()),
      rank_(world_.rank()),
      features_(features | (given.has(convey_opt_PROGRESS) ? convey_STEADY : 0)),
      complaints_(given.has(convey_opt_QUIET)),
      allocator_(given.alloc()) {
  close_direct_access();
}

conveyor_options conveyor::options(const arguments& given) {
  conveyor_options all = given.result();
  all.memory = allocator_.or_null();
  return all;
}

void conveyor::close_direct_access() {
  static convey_inl_cursor nothing = nullptr;
  pes = 0;
  lanes = read = &nothing;
  read_limit = &nothing;
  source = nullptr;
}

void conveyor::begin(std::size_t bytes, std::size_t align) {
  // During a session, the core refuses another session without a collective.
  if (base().state() != conveyor_state::dormant) return begin_session();
  agree_on_size(bytes);
  item_bytes_ = bytes;
  alignment_ = usable_alignment(bytes, align);
  begin_session();
}

// Collective.
void conveyor::agree_on_size(std::size_t bytes) {
  struct sizes {
    std::uint64_t least;
    std::uint64_t most;
  };
  const auto refuse = [](const std::string& why) { throw refusal(convey_error_SIZE, why, true); };
  const sizes all = world_.reduce(sizes{bytes, bytes}, [](sizes a, sizes b) {
    return sizes{std::min(a.least, b.least), std::max(a.most, b.most)};
  });
  if (all.least != all.most) {
    refuse("the PEs begin a session with items of different sizes, between " +
           std::to_string(all.least) + " and " + std::to_string(all.most) +
           " bytes: give the same on all PEs");
  }
  if (bytes == 0) refuse("item_bytes is 0: give the size of an item");
  if (bytes > item_bound()) {
    refuse("item_bytes is " + std::to_string(bytes) +
           ", but the conveyor was made for items of at most " + std::to_string(item_bound()) +
           ": raise that bound");
  }
}

int conveyor::advance(bool done) {
  done = done || has_declared_the_end(base().state());
  if (done) pes = 0;  // every further push is refused
  return status_of(base().advance(done));
}

void conveyor::reset() {
  const detail::called_scope scope(name_of(call::convey_reset));
  base().reset();
  close_direct_access();
}

void conveyor::prepare_to_free() {
  if (complaints_.world_has_failed()) return;
  base().require_free();
  reset();
}

bool conveyor::set_codec(const convey_codec_t* codec, void* arg) {
  if (base().state() != conveyor_state::dormant) {
    throw refusal(convey_error_STATE,
                  std::string("the codec cannot be changed while the conveyor is ") +
                      name_of(base().state()) + ": reset the conveyor first");
  }
  if ((features_ & convey_THRIFTY) == 0) return false;
  const bool complete = codec == nullptr || (codec->plan != nullptr && codec->compress != nullptr &&
                                             codec->decompress != nullptr);
  if (world_.reduce(complete ? 0 : 1) != 0) {
    throw refusal(convey_error_NULL,
                  "the codec lacks a function: give it plan, compress and decompress", true);
  }
  base().set_codec(codec == nullptr ? nullptr : client_codec(*codec, arg));
  return true;
}

std::size_t conveyor::item_size() const {
  return base().state() == conveyor_state::dormant ? 0 : item_bytes_;
}

std::int64_t conveyor::statistic(int which) const {
  if (which < 0) return -1;
  if (which < convey_CUMULATIVE) return count_of(base().session_statistics(), which);
  return count_of(base().total_statistics(), which - convey_CUMULATIVE);
}

}  // namespace boxcar::convey_c
