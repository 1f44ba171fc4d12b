// The standard codec sends of each packet only the bits that vary among the packets of the buffer
// (conveyors-2019, section 3.6, "Compression").
//
// A buffer is an array of units, see pattern.hpp, of a few words each. Words at the same place in
// all units form a column, and columns are compressed one by one: then the inner loops know which
// bits they deal with. Compressed data are
//   the pattern | the columns in the order of their places | the packets behind the last whole unit
#include <cstring>

#include <boxcar/codec.hpp>

#include "codec/column.hpp"
#include "codec/pattern.hpp"

namespace boxcar {
namespace detail {
namespace {

// The division of a buffer of `n` packets into units and a rest, and the columns of the units.
struct division {
  division(const pattern& p, std::size_t n)
      : units(n / p.packets_per_unit()),
        unit_bytes(p.unit_bytes()),
        whole_bytes(units * unit_bytes),
        rest_bytes(n * (unit_bytes / p.packets_per_unit()) - whole_bytes) {}

  [[nodiscard]] column at(const pattern& p, std::size_t i) const {
    return {units, unit_bytes, bits_to_send(p.varying(i))};
  }

  std::size_t units;
  std::size_t unit_bytes;
  std::size_t whole_bytes;  // of all units
  std::size_t rest_bytes;   // of the packets behind the units
};

std::size_t compressed_bytes(const pattern& p, const division& d) {
  std::size_t bytes = p.bytes() + d.rest_bytes;
  for (std::size_t i = 0; i < p.words(); ++i) bytes += d.at(p, i).bytes();
  return bytes;
}

class standard final : public codec {
 public:
  [[nodiscard]] std::string_view name() const override { return "standard"; }

  [[nodiscard]] std::optional<codec_layout> plan(const cargo& what) override {
    if (what.packet_bytes > pattern::max_packet || what.max_items < fewest_items) return {};
    return codec_layout{.stride = what.packet_bytes, .overrun = word_bytes};
  }

  [[nodiscard]] std::size_t compress(const cargo& what, codec_link*, std::size_t n,
                                     std::byte* packets, std::size_t limit,
                                     std::byte* into) override {
    pattern p(what.packet_bytes);
    const division d(p, n);
    const std::size_t worth_while = n * what.packet_bytes / 10 * 9;
    const std::size_t most = limit < worth_while ? limit : worth_while;
    // A look at the first few units is enough to recognize incompressible data.
    const std::size_t few = d.units < 32 ? d.units : 32;
    p.look_at(packets, few);
    if (compressed_bytes(p, d) > most) return 0;
    p.look_at(packets + few * d.unit_bytes, d.units - few);
    if (compressed_bytes(p, d) > most) return 0;

    std::byte* end = p.write(into);
    for (std::size_t i = 0; i < p.words(); ++i) {
      end = write_column(d.at(p, i), packets + i * word_bytes, end);
    }
    std::memcpy(end, packets + d.whole_bytes, d.rest_bytes);
    return static_cast<std::size_t>(end - into) + d.rest_bytes;
  }

  void decompress(const cargo& what, codec_link*, std::size_t n, std::size_t, std::byte* data,
                  std::byte* packets) override {
    pattern p(what.packet_bytes);
    const division d(p, n);
    const std::byte* from = p.read(data);
    for (std::size_t i = 0; i < p.words(); ++i) {
      from = read_column(d.at(p, i), from, p.constant(i), packets + i * word_bytes);
    }
    std::memcpy(packets + d.whole_bytes, from, d.rest_bytes);
  }

 private:
  // With fewer items the pattern is too large a part of the sent bytes.
  static constexpr std::size_t fewest_items = 16;
};

}  // namespace
}  // namespace detail

std::shared_ptr<codec> standard_codec() {
  // Never destroyed: conveyors may have static storage.
  static const auto& shared = *new std::shared_ptr<codec>(std::make_shared<detail::standard>());
  return shared;
}

}  // namespace boxcar
