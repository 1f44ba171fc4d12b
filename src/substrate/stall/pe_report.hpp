// What a PE tells of itself that cannot go on: what it is in, what it waits for, what it holds.
// Plain bytes, of the same size whatever the number of PEs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "substrate/stall/pause_reason.hpp"

namespace boxcar::detail {

struct pe_report {
  static constexpr std::size_t most_worlds = 8;
  // A world that the PE belongs to. (Who its other PEs are need not be told: they tell it.)
  struct membership {
    std::uint64_t world;
    std::int32_t pes;
    std::int32_t sessions;  // of this PE there, that are not over
    bool operator==(const membership&) const = default;
  };

  std::int32_t rank = 0;  // in the job
  needs on = needs::nobody;
  bool lists_all_worlds = true;
  bool is_refused = false;          // pushes found no room
  bool keeps_replies = false;       // replies have arrived that were not pulled
  bool is_without_advance = false;  // it only pulls or pushes, by which nothing arrives or leaves
  std::uint64_t moves = 0;          // how often it has got on so far
  // Where it waits: a place that is the same for all PEs that come to it. Object 0: a collective.
  std::uint64_t world = 0;
  std::uint64_t object = 0;
  std::uint64_t number = 0;
  std::array<char, 48> called{};  // what its program has called
  std::array<char, 64> what{};    // more about the object: "conveyor 2, session 5, endgame"
  std::uint64_t unpulled = 0;     // items that have arrived and were not pulled
  std::uint64_t held_back = 0;    // items that handlers sent and no buffer had room for
  double seconds = 0;             // since it got on
  std::uint32_t worlds = 0;
  std::uint32_t world_pes = 0;        // of the world that it waits in
  std::array<char, 32> world_name{};  // of that: see watched_world
  std::array<membership, most_worlds> member_of{};
};

}  // namespace boxcar::detail
