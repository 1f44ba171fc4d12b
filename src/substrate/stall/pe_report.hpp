// The report of a stuck PE: its call, its wait condition, its items. Plain bytes, of a size
// independent of the number of PEs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "substrate/stall/pause_reason.hpp"

namespace boxcar::detail {

struct pe_report {
  static constexpr std::size_t max_worlds = 8;
  // A world of the PE. (The other PEs of the world report themselves.)
  struct membership {
    std::uint64_t world;
    std::int32_t pes;
    std::int32_t sessions;  // of the PE in the world, not over yet
    bool operator==(const membership&) const = default;
  };

  std::int32_t rank = 0;  // in the job
  needs on = needs::nobody;
  bool lists_all_worlds = true;
  bool is_refused = false;          // pushes found no room
  bool keeps_replies = false;       // replies have arrived and were not pulled
  bool is_without_advance = false;  // only pull or push, without arrivals or departures
  std::uint64_t moves = 0;          // the progress count so far
  // The place where the PE waits, equal for all PEs at the place. Object 0: a collective.
  std::uint64_t world = 0;
  std::uint64_t object = 0;
  std::uint64_t number = 0;
  std::array<char, 48> called{};  // the call of the program
  std::array<char, 64> what{};    // more about the object: "conveyor 2, session 5, endgame"
  std::uint64_t unpulled = 0;     // items that have arrived and were not pulled
  std::uint64_t held_back = 0;    // items that handlers sent and no buffer had room for
  double seconds = 0;             // since the last progress
  std::uint32_t worlds = 0;
  std::uint32_t world_pes = 0;        // of the world in which the PE waits
  std::array<char, 32> world_name{};  // of the same world: see watched_world
  std::array<membership, max_worlds> member_of{};
};

}  // namespace boxcar::detail
