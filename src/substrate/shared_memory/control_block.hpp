// The control block is the shared memory in which PEs of a machine find, gather and wake each
// other.
//
// A zeroed control block is valid. `job_block` exists once per program, `team_block` once per world
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
#include "substrate/liveness/presence_word.hpp"
#include "substrate/stall/report_slot.hpp"

namespace boxcar::detail {

inline constexpr std::size_t cache_line = 64;

// A short text published by a PE. A reader may find the beginning of one text and the end of
// another text.
class shown_text {
 public:
  void show(const collective_call::name& text) {
    static_assert(sizeof text <= words * sizeof(std::uint64_t));
    show(std::string_view(text.data(), sizeof text));
  }
  // Truncates a text that is too long.
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
  // The presence is written by the PE, and read by waiting PEs, and by the launcher after the end.
  presence_word presence;
  // The process of the PE, where PEs are processes (processes/pe_claim.hpp). A process that takes
  // the place of another process acquires the writes of the other before its release of the place.
  std::atomic<pid_t> process;
  shown_text waiting_in;       // the collective, for the launcher's report
  shown_text waiting_in_part;  // the subworld of the collective; see watched_world
  report_slot report;          // if the PE cannot go on
};

struct job_block {
  static constexpr std::uint32_t expected_magic = 0xb0c5ca15;
  static constexpr std::size_t text_bytes = failure_text_bytes;

  std::uint32_t magic;
  std::uint32_t pes;
  std::uint32_t nodes;
  std::uint64_t identity;  // unique among the jobs of a PE
  // 0: no failure; 1: the members below are being written; 2: they can be read (release / acquire).
  std::atomic<std::uint32_t> failed;
  int failed_rank;
  char failure_text[text_bytes];
  // Not 0: a PE of another host has failed, and a PE of this host has been notified. Set before a
  // PE of this host can fail because of the failure.
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

// The contribution of a PE to a collective, in rounds of `payload_bytes`.
struct alignas(cache_line) collective_slot {
  static constexpr std::size_t payload_bytes = 440;

  collective_call call;
  // The number of rounds of the PE, in the low 16 bits, and the fingerprint of its call. The store
  // by the PE and the loads by other PEs order everything before a collective before everything
  // after the collective. Small payloads share its cache line.
  alignas(cache_line) std::atomic<std::uint64_t> arrived;
  std::byte payload[payload_bytes];

  static constexpr std::uint64_t rounds(std::uint64_t arrived) { return arrived & 0xffff; }
};

struct team_block {
  // The number of waiting PEs that may have blocked.
  alignas(cache_line) std::atomic<std::uint32_t> sleepers;

  // Two slots per PE, used in turn: a PE ahead by one collective does not touch a slot still read
  // by other PEs, and no PE can be two collectives ahead.
  [[nodiscard]] collective_slot& slot(int rank, std::uint32_t turn) {
    auto* slots =
        reinterpret_cast<collective_slot*>(reinterpret_cast<std::byte*>(this) + sizeof(team_block));
    return slots[2 * static_cast<std::size_t>(rank) + (turn & 1)];
  }
  // Returns the number of rounds of a PE by its slots, including an earlier world in the same
  // memory: the next world continues the count.
  [[nodiscard]] std::uint32_t rounds_of(int rank) {
    const auto even = rounds_in(rank, 0);
    const auto odd = rounds_in(rank, 1);
    return odd == ((even + 1) & 0xffff) ? odd : even;
  }
  // Returns the number of the last world of the job up to which a PE has left the worlds in this
  // memory.
  [[nodiscard]] std::atomic<std::uint32_t>& left(int pes, int rank) {
    auto* all = reinterpret_cast<std::atomic<std::uint32_t>*>(reinterpret_cast<std::byte*>(this) +
                                                              end_of_slots(pes));
    return all[rank];
  }
  // Returns the head of a PE's list of ready objects (substrate::first_ready).
  [[nodiscard]] std::atomic<std::uint64_t>& first_ready(int pes, int rank) {
    return reinterpret_cast<std::atomic<std::uint64_t>*>(reinterpret_cast<std::byte*>(this) +
                                                         end_of_left(pes))[rank];
  }
  static constexpr std::size_t bytes(int pes) {
    return end_of_left(pes) + static_cast<std::size_t>(pes) * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::size_t end_of_left(int pes) {
    const std::size_t words = (static_cast<std::size_t>(pes) + 1) / 2;  // of two PEs
    return end_of_slots(pes) + words * sizeof(std::uint64_t);
  }
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
