#include "codec/column.hpp"

#include "codec/bit_selection.hpp"

namespace boxcar::detail {
namespace {

// Calls `function` with the fastest selection of the bits.
template <typename Function>
auto with_selection(std::uint64_t mask, const Function& function) {
  return adjacent_bits::describes(mask) ? function(adjacent_bits(mask))
                                        : function(scattered_bits(mask));
}

template <typename Selection>
std::byte* write_bytes(const column& c, const Selection& select, std::size_t bytes,
                       const std::byte* word, std::byte* into) {
  for (std::size_t i = 0; i < c.words; ++i) {
    store_word64(into, select.gather(load_word64(word)));
    word += c.stride;
    into += bytes;
  }
  return into;
}

template <typename Selection>
const std::byte* read_bytes(const column& c, const Selection& select, std::size_t bytes,
                            const std::byte* from, std::uint64_t constant, std::byte* word) {
  for (std::size_t i = 0; i < c.words; ++i) {
    store_word64(word, select.scatter(load_word64(from)) | constant);
    word += c.stride;
    from += bytes;
  }
  return from;
}

// Appends numbers of at most 56 bits to one another.
class bit_writer {
 public:
  explicit bit_writer(std::byte* into) : into_(into) {}

  void append(std::uint64_t number, unsigned bits) {
    pending_ |= number << count_;
    store_word64(into_, pending_);
    count_ += bits;
    into_ += count_ / 8;
    pending_ >>= count_ / 8 * 8;
    count_ %= 8;
  }
  // Returns the end of the last byte, which may be partly filled.
  [[nodiscard]] std::byte* end() const { return count_ == 0 ? into_ : into_ + 1; }

 private:
  std::byte* into_;
  std::uint64_t pending_ = 0;  // bits that do not fill a byte yet, but have been written
  unsigned count_ = 0;         // of pending bits: 0 to 7
};

template <typename Selection>
std::byte* write_bits(const column& c, const Selection& select, unsigned bits,
                      const std::byte* word, std::byte* into) {
  const auto next = [&] {
    const std::uint64_t taken = select.gather(load_word64(word));
    word += c.stride;
    return taken;
  };
  // Words are appended in groups of up to 56 bits.
  const unsigned together = 56 / bits;
  bit_writer out(into);
  std::size_t left = c.words;
  for (; left >= together; left -= together) {
    std::uint64_t number = 0;
    for (unsigned at = 0; at < together * bits; at += bits) number |= next() << at;
    out.append(number, together * bits);
  }
  for (; left > 0; --left) out.append(next(), bits);
  return out.end();
}

template <typename Selection>
const std::byte* read_bits(const column& c, const Selection& select, unsigned bits,
                           const std::byte* from, std::uint64_t constant, std::byte* word) {
  std::size_t at = 0;  // in bits
  for (std::size_t i = 0; i < c.words; ++i) {
    const std::uint64_t taken = load_word64(from + at / 8) >> (at % 8);
    store_word64(word, select.scatter(taken) | constant);
    word += c.stride;
    at += bits;
  }
  return from + (at + 7) / 8;
}

}  // namespace

std::byte* write_column(const column& c, const std::byte* first, std::byte* into) {
  if (c.sent == 0) return into;
  const auto bits = static_cast<unsigned>(std::popcount(c.sent));
  return with_selection(c.sent, [&](const auto& select) {
    return c.sent == whole_bytes(c.sent) ? write_bytes(c, select, bits / 8, first, into)
                                         : write_bits(c, select, bits, first, into);
  });
}

const std::byte* read_column(const column& c, const std::byte* from, std::uint64_t constant,
                             std::byte* first) {
  if (c.sent == 0) {
    for (std::size_t i = 0; i < c.words; ++i) store_word64(first + i * c.stride, constant);
    return from;
  }
  const auto bits = static_cast<unsigned>(std::popcount(c.sent));
  return with_selection(c.sent, [&](const auto& select) {
    return c.sent == whole_bytes(c.sent) ? read_bytes(c, select, bits / 8, from, constant, first)
                                         : read_bits(c, select, bits, from, constant, first);
  });
}

}  // namespace boxcar::detail
