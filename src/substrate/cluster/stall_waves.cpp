#include "substrate/cluster/stall_waves.hpp"

#include <cstring>
#include <utility>

namespace boxcar::detail {
namespace {

// The minimum number of polls between two waves for a PE to count as waiting.
constexpr std::uint64_t fewest_rounds = 4;

struct head {
  std::uint64_t wave = 0;
  std::int64_t patience = 0;  // nanoseconds; the time limit of the answer
  std::uint64_t groups = 0;   // in an answer; the groups follow
};

stall_waves::message make_message(const head& h, std::span<const pe_group> groups = {}) {
  const auto body = std::as_bytes(groups);
  stall_waves::message m(sizeof h + body.size());
  std::memcpy(m.data(), &h, sizeof h);
  if (!body.empty()) std::memcpy(m.data() + sizeof h, body.data(), body.size());
  return m;
}

}  // namespace

stall_waves::stall_waves(int rank, int size, int pes, std::function<void(int, message)> tell)
    : pes_(pes), place_(place_in_tree(rank, size)), tell_(std::move(tell)) {}

void stall_waves::hear(int from, std::span<const std::byte> m, clock::time_point now) {
  // Invalid messages are dropped, as no PE waits for a message.
  head h;
  if (m.size() < sizeof h) return;
  std::memcpy(&h, m.data(), sizeof h);
  if (h.groups > max_groups || h.groups != (m.size() - sizeof h) / sizeof(pe_group) ||
      (m.size() - sizeof h) % sizeof(pe_group) != 0) {
    return;
  }
  if (from == place_.parent) {
    const std::chrono::nanoseconds patience(h.patience);
    if (patience < patience.zero() || patience > clock::time_point::max() - now) return;
    return begin_wave(h.wave, patience, now);
  }
  if (!in_wave_ || h.wave != wave_ || awaited_ == 0) return;  // the answer comes too late
  for (std::uint64_t i = 0; i < h.groups; ++i) {
    const auto bytes = m.subspan(sizeof h + i * sizeof(pe_group)).first<sizeof(pe_group)>();
    if (const auto group = group_in(bytes, pes_)) add(groups_, *group);
  }
  --awaited_;
}

void stall_waves::begin_wave(std::uint64_t number, std::chrono::nanoseconds patience,
                             clock::time_point now) {
  wave_ = number;
  in_wave_ = true;
  awaited_ = place_.children.size();
  deadline_ = now + patience;
  groups_.clear();
  // The children must answer before this PE must answer.
  const head h{wave_, (patience / 4 * 3).count(), 0};
  for (const int child : place_.children) tell_(child, make_message(h));
}

std::optional<std::string> stall_waves::look(clock::time_point now, const own_state& mine) {
  if (place_.parent < 0 && !in_wave_) {
    if (std::exchange(moves_seen_, mine.moves) != mine.moves) quiet_since_ = now;
    if (now < quiet_since_ + mine.allowed / 2 || now < next_wave_) return std::nullopt;
    next_wave_ = now + mine.allowed / 8;
    begin_wave(wave_ + 1, mine.allowed / 4, now);
  }
  if (!in_wave_) return std::nullopt;
  const bool has_polled = mine.rounds >= rounds_before_ + fewest_rounds;
  if ((awaited_ != 0 || !has_polled) && now < deadline_) return std::nullopt;
  in_wave_ = false;
  add_own(mine);
  if (place_.parent < 0) return judge();
  tell_(place_.parent, make_message({wave_, 0, groups_.size()}, groups_));
  return std::nullopt;
}

void stall_waves::add_own(const own_state& mine) {
  if (mine.rounds < rounds_before_ + fewest_rounds) return;
  rounds_before_ = mine.rounds;
  if (mine.overdue != nullptr) add(groups_, group_of(*mine.overdue));
}

std::optional<std::string> stall_waves::judge() {
  const finding found = find(groups_, pes_);
  const bool is_certain = found == found_before_;
  found_before_ = found;
  if (!is_certain) return std::nullopt;
  return describe(found, pes_);
}

}  // namespace boxcar::detail
