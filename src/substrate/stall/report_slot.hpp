// A report_slot is shared memory in which a PE shows the other PEs of its node that the PE cannot
// go on. Valid when zeroed.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "substrate/stall/pe_report.hpp"

namespace boxcar::detail {

class report_slot {
 public:
  // Called by the PE itself.
  void show(const pe_report& r) {
    std::array<std::uint64_t, words> raw{};
    std::memcpy(raw.data(), &r, sizeof r);
    const std::uint32_t before = version_.load(std::memory_order_relaxed);
    version_.store(before + 1, std::memory_order_relaxed);
    // Each word releases the store of the odd version: a reader that acquires a new word finds the
    // version changed.
    for (std::size_t i = 0; i < words; ++i) raw_[i].store(raw[i], std::memory_order_release);
    version_.store(before + 2, std::memory_order_release);  // pairs with the load in `read`
    if (rounds_.load(std::memory_order_relaxed) == 0) polled_again();
  }
  void withdraw() { rounds_.store(0, std::memory_order_release); }
  // Counts another poll without success. Pairs with the load in `rounds`.
  void polled_again() { rounds_.fetch_add(1, std::memory_order_release); }

  // Called by other PEs. Returns how often the PE has polled since the PE shows a report; 0: no
  // report.
  [[nodiscard]] std::uint64_t rounds() const { return rounds_.load(std::memory_order_acquire); }
  // Returns false if the report is just being changed, or not shown.
  bool read(pe_report& r) const {
    const std::uint32_t before = version_.load(std::memory_order_acquire);
    std::array<std::uint64_t, words> raw;
    for (std::size_t i = 0; i < words; ++i) raw[i] = raw_[i].load(std::memory_order_acquire);
    if (before % 2 != 0 || version_.load(std::memory_order_relaxed) != before) return false;
    std::memcpy(static_cast<void*>(&r), raw.data(), sizeof r);
    return rounds() != 0;
  }

 private:
  static constexpr std::size_t words =
      (sizeof(pe_report) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);

  std::atomic<std::uint32_t> version_;
  std::atomic<std::uint64_t> rounds_;
  std::array<std::atomic<std::uint64_t>, words> raw_;
};

}  // namespace boxcar::detail
