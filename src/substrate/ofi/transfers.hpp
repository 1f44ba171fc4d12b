// What one PE puts into memory of others and gets from there, by libfabric's remote access to
// memory: without the doing of the PEs that have it, but for the provider's own part of the work.
//
// Every transfer goes by room of its own here, as what the program gives may be gone when a
// transfer ends late, and as some providers want such room to be registered. Two that touch the
// same bytes, unless both only get them, are under way one after the other: no order of the
// provider's is relied on for that.
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
  // `wait` is called while something is under way that must end first; it lets the endpoint get on,
  // and may throw.
  transfers(endpoint& at, counted_puts& counted, std::function<void()> wait);
  transfers(const transfers&) = delete;
  transfers& operator=(const transfers&) = delete;
  ~transfers();

  // These throw system_error if a transfer, this one or one before, has failed.
  //
  // To byte `at` of this memory of the PE `to`. The data may be overwritten when this returns.
  void put(int to, const remote_memory& there, std::size_t at, std::span<const std::byte> data);
  // The same, and a counter there counts it (counted_puts.hpp): one of this number.
  void put_counted(int to, const remote_memory& there, std::size_t at,
                   std::span<const std::byte> data, std::uint64_t number);
  // The data are here after finish_gets.
  void get(int from, const remote_memory& there, std::size_t at, std::span<std::byte> into);
  void finish_gets();
  // What was put before is there before whatever is sent to the same PE from now on; what was to be
  // got is here.
  void fence();
  // What was put before is there, and counted, before whatever is put or sent from now on.
  void order_puts();
  // All that was put is there, all that was to be got is here.
  void complete();

 private:
  // So many transfers are under way at most: little ones, and large ones, which others go by in
  // pieces.
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
    std::byte* into = nullptr;  // a get, unless nobody wants it any more
    bool is_get = false;
    bool is_counted = false;
  };

  [[nodiscard]] bool is_in_the_way(const transfer& of) const;
  [[nodiscard]] std::size_t find_free(std::size_t bytes) const;
  [[nodiscard]] std::span<std::byte> room(std::size_t number) const;
  void make_large_rooms();
  // Begins the transfer, of at most large_bytes, as soon as that can be.
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
  std::unique_ptr<std::byte[]> large_rooms_;  // once there is a large one
  registered large_memory_;
  std::size_t puts_ = 0;               // under way
  std::size_t counted_under_way_ = 0;  // of these
  std::size_t gets_ = 0;
  std::string problem_;
};

}  // namespace boxcar::detail::ofi
