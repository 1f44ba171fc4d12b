// Finds the bits that are equal in all packets of a buffer, and their values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/words.hpp"

namespace boxcar::detail {

// Packets are processed in units: the fewest packets, 1, 2, 4 or 8, that fill whole words. Constant
// bits are constant in all packets, at any position in a unit.
class pattern {
 public:
  static constexpr std::size_t max_packet = 1024;

  // Precondition: 1 <= packet_bytes <= max_packet.
  explicit pattern(std::size_t packet_bytes);

  [[nodiscard]] std::size_t packets_per_unit() const { return unit_bytes_ / packet_bytes_; }
  [[nodiscard]] std::size_t unit_bytes() const { return unit_bytes_; }
  [[nodiscard]] std::size_t words() const { return unit_bytes_ / word_bytes; }

  // Adds `count` more units to the statistics. Varying bits remain varying.
  void look_at(const std::byte* units, std::size_t count);

  // Return, for the i-th word of a unit, the varying bits, and the values of the constant bits (0
  // for varying bits).
  [[nodiscard]] std::uint64_t varying(std::size_t i) const { return word(varying_, i); }
  [[nodiscard]] std::uint64_t constant(std::size_t i) const { return word(constant_, i); }

  // The wire format of the pattern: the varying bits of a packet, then the bytes that have constant
  // bits.
  [[nodiscard]] std::size_t bytes() const;
  std::byte* write(std::byte* into) const;
  const std::byte* read(const std::byte* from);

 private:
  // The bytes of a unit.
  using unit = std::array<std::byte, 8 * max_packet>;

  static std::uint64_t word(const unit& u, std::size_t i) {
    return load_word64(u.data() + i * word_bytes);
  }
  template <std::size_t Words>
  void look_at_words(std::size_t place, const std::byte* units, std::size_t count);
  void derive();
  void repeat_first_packet(unit& u) const;

  std::size_t packet_bytes_;
  std::size_t unit_bytes_;
  unit any_;  // the bits that are 1 in at least one unit
  unit all_;  // the bits that are 1 in every unit
  unit varying_;
  unit constant_;
};

}  // namespace boxcar::detail
