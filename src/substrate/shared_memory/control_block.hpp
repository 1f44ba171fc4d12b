// What the PEs of one machine keep in shared memory to find, gather and wake one another.
//
// All of it is valid when zeroed. `job_block` exists once per program, `team_block` once per world
// (a sub-world has its own). Sizes depend on the number of PEs, hence the offsets by hand.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "substrate/collective_call.hpp"
#include "substrate/failure_text.hpp"
#include "substrate/shared_memory/presence_word.hpp"
#include "substrate/stall/report_slot.hpp"

namespace boxcar::detail {

inline constexpr std::size_t cache_line = 64;

// A short text that one PE shows. Whoever reads it may find the beginning of one and the end of
// another.
class shown_text {
 public:
  void show(const collective_call::name& text) {
    static_assert(sizeof text <= words * sizeof(std::uint64_t));
    show(std::string_view(text.data(), sizeof text));
  }
  // What there is no room for is left out.
  void show(std::string_view text) {
    std::array<std::uint64_t, words> raw{};
    std::memcpy(raw.data(), text.data(), std::min(text.size(), sizeof raw - 1));
    for (std::size_t i = 0; i < words; ++i) raw_[i].store(raw[i], std::memory_order_relaxed);
  }
  void clear() { raw_[0].store(0, std::memory_order_relaxed); }
  [[nodiscard]] bool is_empty() const { return raw_[0].load(std::memory_order_relaxed) == 0; }
  [[nodiscard]] std::string text() const {
    std::array<char, words * sizeof(std::uint64_t) + 1> raw{};
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint64_t word = raw_[i].load(std::memory_order_relaxed);
      std::memcpy(raw.data() + i * sizeof word, &word, sizeof word);
    }
    return raw.data();
  }

 private:
  static constexpr std::size_t words = 6;
  std::array<std::atomic<std::uint64_t>, words> raw_;
};

struct alignas(cache_line) pe_block {
  static constexpr pid_t no_process = 0;

  // A PE that blocks first sets `asleep`, then waits for `bell` to change (see waiting.hpp).
  std::atomic<std::uint32_t> bell;
  std::atomic<std::uint32_t> asleep;
  // Written by the PE; read by PEs that wait for it, and by the launcher when all is over.
  presence_word presence;
  // Which process is the PE, where PEs are processes (processes/pe_claim.hpp). The process that
  // takes the place of another one acquires what that did before it released the place.
  std::atomic<pid_t> process;
  shown_text waiting_in;       // the collective, for the launcher's report
  shown_text waiting_in_part;  // and the part of the world that it is one of; see watched_world
  report_slot report;          // if it cannot go on
};

struct job_block {
  static constexpr std::uint32_t expected_magic = 0xb0c5ca15;
  static constexpr std::size_t text_bytes = failure_text_bytes;

  std::uint32_t magic;
  std::uint32_t pes;
  std::uint32_t nodes;
  std::uint64_t identity;  // different from that of other jobs which a PE may belong to
  // 0: all is well; 1: somebody writes what follows; 2: it can be read (release / acquire).
  std::atomic<std::uint32_t> failed;
  int failed_rank;
  char failure_text[text_bytes];
  // Not 0: a PE of another host has failed, and one of these has been told of it. Set before any of
  // them can fail because of that.
  std::atomic<std::uint32_t> failed_elsewhere;

  [[nodiscard]] pe_block& pe(int rank) {
    return reinterpret_cast<pe_block*>(reinterpret_cast<std::byte*>(this) + offset_of_pes())[rank];
  }
  static constexpr std::size_t offset_of_pes() {
    return (sizeof(job_block) + cache_line - 1) / cache_line * cache_line;
  }
  static constexpr std::size_t bytes(int pes) {
    return offset_of_pes() + static_cast<std::size_t>(pes) * sizeof(pe_block);
  }
};

// What a PE contributes to a collective, in rounds of `payload_bytes`.
struct alignas(cache_line) collective_slot {
  static constexpr std::size_t payload_bytes = 440;

  collective_call call;
  // How many rounds the PE has come to, in the low 16 bits, and the fingerprint of what it called.
  // The store here and the loads of the others order everything before a collective before
  // everything after it. With little data they come with it.
  alignas(cache_line) std::atomic<std::uint64_t> arrived;
  std::byte payload[payload_bytes];

  static constexpr std::uint64_t rounds(std::uint64_t arrived) { return arrived & 0xffff; }
};

struct team_block {
  // PEs that wait for others and may have blocked.
  alignas(cache_line) std::atomic<std::uint32_t> sleepers;

  // Two slots per PE, used in turn: a PE that is one collective ahead does not touch what others
  // still read, and it cannot be two ahead.
  [[nodiscard]] collective_slot& slot(int rank, std::uint32_t turn) {
    auto* slots =
        reinterpret_cast<collective_slot*>(reinterpret_cast<std::byte*>(this) + sizeof(team_block));
    return slots[2 * static_cast<std::size_t>(rank) + (turn & 1)];
  }
  // How many rounds a PE has come to, as its slots count: also in an earlier world of the same
  // memory, which the next one goes on from.
  [[nodiscard]] std::uint32_t rounds_of(int rank) {
    const auto even = rounds_in(rank, 0);
    const auto odd = rounds_in(rank, 1);
    return odd == ((even + 1) & 0xffff) ? odd : even;
  }
  // Up to which world of its job a PE has left the worlds of this memory.
  [[nodiscard]] std::atomic<std::uint32_t>& left(int pes, int rank) {
    auto* all = reinterpret_cast<std::atomic<std::uint32_t>*>(reinterpret_cast<std::byte*>(this) +
                                                              end_of_slots(pes));
    return all[rank];
  }
  static constexpr std::size_t bytes(int pes) {
    return end_of_slots(pes) + static_cast<std::size_t>(pes) * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] std::uint32_t rounds_in(int rank, std::uint32_t turn) {
    const std::uint64_t arrived = slot(rank, turn).arrived.load(std::memory_order_relaxed);
    return static_cast<std::uint32_t>(collective_slot::rounds(arrived));
  }
  static constexpr std::size_t end_of_slots(int pes) {
    return sizeof(team_block) + 2 * static_cast<std::size_t>(pes) * sizeof(collective_slot);
  }
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(sizeof(collective_call) <= 2 * cache_line);

}  // namespace boxcar::detail
