#include "conveyor/alert.hpp"

#include <cstdio>
#include <utility>

namespace boxcar::detail {
namespace {

using namespace std::chrono_literals;

constexpr auto late = 2s;
constexpr double nearly_empty = 0.1;
constexpr std::uint64_t many_buffers = 100;

}  // namespace

void alert::say(bool& said, const std::string& text) {
  if (std::exchange(said, true)) return;
  std::fprintf(stderr, "boxcar: %s: alert: %s\n", world_.pe_name(world_.rank()).c_str(),
               text.c_str());
}

void alert::check_group(const configuration& chosen) {
  if (chosen.way || chosen.hops == 1 || world_.rank() != 0) return;
  if (world_.layout().keeps_together(chosen.local_group)) return;
  for (int pe = 0; pe < world_.size(); ++pe) {
    const int first = pe / chosen.local_group * chosen.local_group;
    if (world_.node_of(pe) == world_.node_of(first)) continue;
    say(said_group_, "PEs " + std::to_string(first) + " and " + std::to_string(pe) +
                         " are in one local group of " + std::to_string(chosen.local_group) +
                         ", but on different nodes: give a local_group that divides the number of "
                         "PEs of a node");
    return;
  }
}

void alert::check_pace() {
  const auto now = world_.now();
  const auto before = std::exchange(advanced_, now);
  if (before == 0ns || now - before < late) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - before).count();
  say(said_late_, std::to_string(seconds) +
                      " seconds passed between two calls of advance: others wait for the items "
                      "and buffers held here; call advance and pull more often");
}

void alert::check_fill(const statistics& session) {
  for (std::size_t hop = 0; hop < session.hops.size(); ++hop) {
    const hop_statistics& h = session.hops[hop];
    if (h.buffers() < many_buffers || h.fill() >= nearly_empty) continue;
    say(said_empty_, std::to_string(h.buffers()) + " buffers left on hop " +
                         std::to_string(hop + 1) + " only " +
                         std::to_string(static_cast<int>(h.fill() * 100)) +
                         " % full: use smaller buffers or more hops, or push more between calls of "
                         "advance if the conveyor is steady");
  }
}

}  // namespace boxcar::detail
