#include "codec/pattern.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace boxcar::detail {

pattern::pattern(std::size_t packet_bytes)
    : packet_bytes_(packet_bytes), unit_bytes_(std::lcm(packet_bytes, word_bytes)) {
  std::fill_n(any_.data(), unit_bytes_, std::byte{0});
  std::fill_n(all_.data(), unit_bytes_, std::byte{0xff});
}

// Processes a few words at a time, as many as fit in registers.
template <std::size_t Words>
void pattern::look_at_words(std::size_t place, const std::byte* units, std::size_t count) {
  std::array<std::uint64_t, Words> any;
  std::array<std::uint64_t, Words> all;
  std::memcpy(any.data(), any_.data() + place, sizeof any);
  std::memcpy(all.data(), all_.data() + place, sizeof all);
  const std::byte* from = units + place;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < Words; ++k) {
      const std::uint64_t here = load_word64(from + k * word_bytes);
      any[k] |= here;
      all[k] &= here;
    }
    from += unit_bytes_;
  }
  std::memcpy(any_.data() + place, any.data(), sizeof any);
  std::memcpy(all_.data() + place, all.data(), sizeof all);
}

void pattern::look_at(const std::byte* units, std::size_t count) {
  constexpr std::size_t together = 4;
  std::size_t place = 0;
  for (; place + together * word_bytes <= unit_bytes_; place += together * word_bytes) {
    look_at_words<together>(place, units, count);
  }
  for (; place < unit_bytes_; place += word_bytes) look_at_words<1>(place, units, count);
  derive();
}

void pattern::derive() {
  std::copy_n(any_.data(), packet_bytes_, varying_.data());
  std::copy_n(all_.data(), packet_bytes_, constant_.data());
  for (std::size_t packet = packet_bytes_; packet < unit_bytes_; packet += packet_bytes_) {
    for (std::size_t b = 0; b < packet_bytes_; ++b) {
      varying_[b] |= any_[packet + b];
      constant_[b] &= all_[packet + b];
    }
  }
  for (std::size_t b = 0; b < packet_bytes_; ++b) varying_[b] &= ~constant_[b];
  repeat_first_packet(varying_);
  repeat_first_packet(constant_);
}

void pattern::repeat_first_packet(unit& u) const {
  for (std::size_t packet = packet_bytes_; packet < unit_bytes_; packet += packet_bytes_) {
    std::memcpy(u.data() + packet, u.data(), packet_bytes_);
  }
}

std::size_t pattern::bytes() const {
  const auto entirely =
      std::count(varying_.data(), varying_.data() + packet_bytes_, std::byte{0xff});
  return 2 * packet_bytes_ - static_cast<std::size_t>(entirely);
}

std::byte* pattern::write(std::byte* into) const {
  into = std::copy_n(varying_.data(), packet_bytes_, into);
  for (std::size_t b = 0; b < packet_bytes_; ++b) {
    if (varying_[b] != std::byte{0xff}) *into++ = constant_[b];
  }
  return into;
}

const std::byte* pattern::read(const std::byte* from) {
  std::copy_n(from, packet_bytes_, varying_.data());
  from += packet_bytes_;
  for (std::size_t b = 0; b < packet_bytes_; ++b) {
    constant_[b] = varying_[b] != std::byte{0xff} ? *from++ : std::byte{0};
  }
  repeat_first_packet(varying_);
  repeat_first_packet(constant_);
  return from;
}

}  // namespace boxcar::detail
