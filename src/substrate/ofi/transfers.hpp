// Puts and gets by libfabric's remote memory access (FI_RMA). The target PE has no part in a
// transfer, except for the provider's own work.
//
// Every transfer goes by an internal bounce buffer: the program's buffer may be gone when a
// transfer ends late, and some providers want registered buffers. Two transfers with common bytes,
// unless both are gets, run one after the other: the order of the provider is not relied on.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "substrate/ofi/counted_puts.hpp"
#include "substrate/ofi/endpoint.hpp"

namespace boxcar::detail::ofi {

class transfers final : operation_owner {
 public:
  // `wait` is called while a transfer must end first. `wait` lets the endpoint make progress, and
  // may throw.
  transfers(endpoint& at, counted_puts& counted, std::function<void()> wait);
  transfers(const transfers&) = delete;
  transfers& operator=(const transfers&) = delete;
  ~transfers();

  // The functions below throw system_error if the current or an earlier transfer has failed.
  //
  // Puts `data` to byte `at` of the memory `there` of the PE `to`. The data may be overwritten when
  // `put` returns.
  void put(int to, const remote_memory& there, std::size_t at, std::span<const std::byte> data);
  // Puts as `put` does, and the counter `number` of the PE `to` counts the put (counted_puts.hpp).
  void put_counted(int to, const remote_memory& there, std::size_t at,
                   std::span<const std::byte> data, std::uint64_t number);
  // The data have arrived after finish_gets.
  void get(int from, const remote_memory& there, std::size_t at, std::span<std::byte> into);
  void finish_gets();
  // Earlier puts arrive before later messages to the same PE; earlier gets are complete.
  void fence();
  // Earlier puts arrive, and are counted, before later puts and messages.
  void order_puts();
  // All puts have arrived, and all gets are complete, when `complete` returns.
  void complete();

 private:
  // The limits of transfers in flight, little and large. Longer transfers go in large pieces.
  static constexpr std::size_t little_ones = 24;
  static constexpr std::size_t large_ones = 8;
  static constexpr std::size_t all = little_ones + large_ones;
  static constexpr std::size_t little_bytes = 256;
  static constexpr std::size_t large_bytes = std::size_t{32} << 10;

  struct transfer {
    int pe = 0;
    std::size_t at = 0;
    std::size_t bytes = 0;
    std::uint64_t key = 0;
    std::byte* into = nullptr;  // of a get; nullptr if the result is no longer wanted
    bool is_get = false;
    bool is_counted = false;
  };

  [[nodiscard]] bool is_in_the_way(const transfer& of) const;
  [[nodiscard]] std::size_t find_free(std::size_t bytes) const;
  [[nodiscard]] std::span<std::byte> room(std::size_t number) const;
  void make_large_rooms();
  // Puts the data in pieces of at most large_bytes, each as soon as possible.
  void put(int to, const remote_memory& there, std::size_t at, std::span<const std::byte> data,
           std::optional<std::uint64_t> word);
  template <typename Attempt>
  void begin(const transfer& t, const Attempt& attempt);
  template <typename Condition>
  void wait_while(const Condition& is_to_come);
  void require_success() const;
  void received(operation& /*op*/, std::size_t /*bytes*/, std::uint64_t /*tag*/) override {}
  void refused(operation& /*op*/) override {}
  void sent(operation& op) override;
  void failed(operation& op, const std::string& reason) override;

  endpoint& at_;
  counted_puts& counted_;
  std::function<void()> wait_;
  std::unique_ptr<std::array<operation, all>> operations_;
  std::array<transfer, all> transfers_;
  std::unique_ptr<std::byte[]> little_rooms_;
  registered little_memory_;
  std::unique_ptr<std::byte[]> large_rooms_;  // after the first large transfer
  registered large_memory_;
  std::size_t puts_ = 0;               // under way
  std::size_t counted_under_way_ = 0;  // counted puts
  std::size_t gets_ = 0;
  std::string problem_;
};

}  // namespace boxcar::detail::ofi
