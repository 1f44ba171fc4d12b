// Packs numbers and bytes contiguously into a message between PEs, and unpacks the message. A
// message that cannot be what a PE has packed is refused by a world_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

namespace boxcar::detail {

class packer {
 public:
  void number(std::uint64_t n) { add(std::as_bytes(std::span(&n, 1))); }
  // The number of bytes precedes the bytes.
  void bytes(std::span<const std::byte> some) {
    number(some.size());
    add(some);
  }
  [[nodiscard]] std::vector<std::byte> all() && { return std::move(all_); }

 private:
  void add(std::span<const std::byte> some) { all_.insert(all_.end(), some.begin(), some.end()); }

  std::vector<std::byte> all_;
};

class unpacker {
 public:
  explicit unpacker(std::span<const std::byte> all) : left_(all) {}
  [[nodiscard]] bool is_empty() const { return left_.empty(); }
  std::uint64_t number() {
    std::uint64_t n = 0;
    std::memcpy(&n, take(sizeof n).data(), sizeof n);
    return n;
  }
  int small() { return static_cast<int>(number()); }
  std::span<const std::byte> bytes() { return take(number()); }
  // Returns a number of elements that follow, each of at least `bytes_of_one` bytes.
  std::size_t count(std::size_t bytes_of_one) {
    const std::uint64_t n = number();
    require(n <= left_.size() / bytes_of_one);
    return n;
  }
  static void require(bool is_possible) {
    if (is_possible) return;
    throw world_error(
        "a message about a schedule has come that no PE has packed. This is a fault of "
        "Boxcar or of the network: please report it");
  }

 private:
  std::span<const std::byte> take(std::size_t bytes) {
    require(bytes <= left_.size());
    const std::span<const std::byte> first = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return first;
  }

  std::span<const std::byte> left_;
};

}  // namespace boxcar::detail
