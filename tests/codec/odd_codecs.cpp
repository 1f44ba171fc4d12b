#include "codec/odd_codecs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace boxcar::test {
namespace {

constexpr std::byte rubbish{0xdb};

class refusing final : public codec {
 public:
  [[nodiscard]] std::string_view name() const override { return "refusing"; }
  [[nodiscard]] std::optional<codec_layout> plan(const cargo&) override { return {}; }
  [[nodiscard]] std::unique_ptr<codec_link> link(const cargo&, direction) override {
    ADD_FAILURE() << "a codec that has refused was asked for a link";
    return nullptr;
  }
  [[nodiscard]] std::size_t compress(const cargo&, codec_link*, std::size_t, std::byte*,
                                     std::size_t, std::byte*) override {
    ADD_FAILURE() << "a codec that has refused was asked to compress";
    return 0;
  }
  void decompress(const cargo&, codec_link*, std::size_t, std::size_t, std::byte*,
                  std::byte*) override {
    ADD_FAILURE() << "a codec that has refused was asked to decompress";
  }
};

class expanding final : public codec {
 public:
  [[nodiscard]] std::string_view name() const override { return "expanding"; }
  [[nodiscard]] std::optional<codec_layout> plan(const cargo& what) override {
    return codec_layout{.stride = what.packet_bytes};
  }
  // Each byte twice; as far as there is room.
  [[nodiscard]] std::size_t compress(const cargo& what, codec_link* link, std::size_t n,
                                     std::byte* packets, std::size_t limit,
                                     std::byte* into) override {
    EXPECT_EQ(link, nullptr);
    EXPECT_LT(limit, n * what.packet_bytes);
    const std::size_t wanted = 2 * n * what.packet_bytes;
    for (std::size_t i = 0; i < std::min(limit, wanted); ++i) into[i] = packets[i / 2];
    return wanted;
  }
  void decompress(const cargo&, codec_link*, std::size_t, std::size_t, std::byte*,
                  std::byte*) override {
    ADD_FAILURE() << "asked to decompress what cannot have been compressed";
  }
};

class idle final : public codec {
 public:
  explicit idle(const codec_layout& plan) : plan_(plan) {}
  [[nodiscard]] std::string_view name() const override { return "idle"; }
  [[nodiscard]] std::optional<codec_layout> plan(const cargo&) override { return plan_; }
  [[nodiscard]] std::size_t compress(const cargo&, codec_link*, std::size_t, std::byte*,
                                     std::size_t, std::byte*) override {
    return 0;
  }
  void decompress(const cargo&, codec_link*, std::size_t, std::size_t, std::byte*,
                  std::byte*) override {
    ADD_FAILURE() << "asked to decompress what was not compressed";
  }

 private:
  codec_layout plan_;
};

// --- Packets with differences from a model in their first bytes only -----------------------------

struct packet_array {
  std::byte* first;
  std::size_t n;
  std::size_t stride;
  std::size_t bytes;  // of each packet

  [[nodiscard]] std::byte* at(std::size_t i) const { return first + i * stride; }
};

void subtract(const packet_array& packets, const std::byte* model) {
  for (std::size_t i = 0; i < packets.n; ++i) {
    for (std::size_t b = 0; b < packets.bytes; ++b) packets.at(i)[b] ^= model[b];
  }
}

// The number of bytes needed of each packet, so that all other bytes are 0.
std::uint16_t bytes_needed(const packet_array& packets) {
  std::size_t needed = 0;
  for (std::size_t i = 0; i < packets.n; ++i) {
    for (std::size_t b = packets.bytes; b > needed; --b) {
      if (packets.at(i)[b - 1] != std::byte{0}) needed = b;
    }
  }
  return static_cast<std::uint16_t>(needed);
}

std::byte* write_first_bytes(const packet_array& packets, std::uint16_t bytes, std::byte* into) {
  std::memcpy(into, &bytes, sizeof bytes);
  into += sizeof bytes;
  for (std::size_t i = 0; i < packets.n; ++i) into = std::copy_n(packets.at(i), bytes, into);
  return into;
}

const std::byte* read_first_bytes(const std::byte* from, const packet_array& packets) {
  std::uint16_t bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  from += sizeof bytes;
  for (std::size_t i = 0; i < packets.n; ++i) {
    std::copy_n(from, bytes, packets.at(i));
    std::fill_n(packets.at(i) + bytes, packets.bytes - bytes, std::byte{0});
    from += bytes;
  }
  return from;
}

class roomy final : public codec {
 public:
  [[nodiscard]] std::string_view name() const override { return "roomy"; }

  [[nodiscard]] std::optional<codec_layout> plan(const cargo& what) override {
    EXPECT_EQ(what.packet_bytes, what.tag_bytes + what.item_bytes);
    EXPECT_GE(what.max_items, 1U);
    return codec_layout{.align = align,
                        .stride = stride(what),
                        .slack = slack,
                        .offset = offset,
                        .overrun = overrun,
                        .modifies_packets = true};
  }

  [[nodiscard]] std::size_t compress(const cargo& what, codec_link*, std::size_t n,
                                     std::byte* packets, std::size_t limit,
                                     std::byte* into) override {
    expect_aligned(packets, into);
    EXPECT_LE(n, what.max_items);
    const packet_array all{packets, n, stride(what), what.packet_bytes};
    spoil_surroundings(all);
    const std::vector<std::byte> model(packets, packets + what.packet_bytes);
    subtract(all, model.data());
    const std::uint16_t needed = bytes_needed(all);
    if (model.size() + sizeof needed + n * needed > limit) return 0;
    std::byte* const end =
        write_first_bytes(all, needed, std::copy(model.begin(), model.end(), into));
    std::fill_n(end, overrun, rubbish);
    return static_cast<std::size_t>(end - into);
  }

  void decompress(const cargo& what, codec_link*, std::size_t n, std::size_t bytes, std::byte* data,
                  std::byte* packets) override {
    expect_aligned(packets, data);
    const packet_array all{packets, n, stride(what), what.packet_bytes};
    spoil_surroundings(all);
    const std::vector<std::byte> model(data, data + what.packet_bytes);
    const std::byte* const end = read_first_bytes(data + what.packet_bytes, all);
    EXPECT_EQ(static_cast<std::size_t>(end - data), bytes);
    subtract(all, model.data());
    std::fill_n(data, bytes + overrun, rubbish);
  }

 private:
  static constexpr std::size_t align = 32;
  static constexpr std::size_t slack = 3;
  static constexpr std::size_t offset = 56;  // as good as 24
  static constexpr std::size_t overrun = 40;

  static std::size_t stride(const cargo& what) { return what.packet_bytes / 8 * 8 + 24; }

  static void expect_aligned(const std::byte* packets, const std::byte* data) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(packets) % align, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % align, offset % align);
  }
  static void spoil_surroundings(const packet_array& packets) {
    for (std::size_t i = 0; i < packets.n; ++i) {
      std::fill_n(packets.at(i) + packets.bytes, packets.stride - packets.bytes, rubbish);
    }
    std::fill_n(packets.at(packets.n), slack * packets.stride, rubbish);
  }
};

std::atomic<int> links_remembered{0};

class memory_of_link final : public codec_link {
 public:
  memory_of_link(codec::direction the_way, std::size_t packet_bytes)
      : way(the_way), model(packet_bytes) {
    ++links_remembered;
  }
  ~memory_of_link() override { --links_remembered; }

  const codec::direction way;
  int buffers = 0;
  std::uint64_t compressed = 0;
  std::vector<std::byte> model;
};

class remembering final : public codec {
 public:
  [[nodiscard]] std::string_view name() const override { return "remembering"; }

  [[nodiscard]] std::optional<codec_layout> plan(const cargo& what) override {
    return codec_layout{.stride = what.packet_bytes, .modifies_packets = true};
  }

  [[nodiscard]] std::unique_ptr<codec_link> link(const cargo& what, direction way) override {
    return std::make_unique<memory_of_link>(way, what.packet_bytes);
  }

  [[nodiscard]] std::size_t compress(const cargo& what, codec_link* link, std::size_t n,
                                     std::byte* packets, std::size_t limit,
                                     std::byte* into) override {
    memory_of_link& memory = remembered(link, direction::compress);
    if (++memory.buffers % 3 == 0) return 0;
    const packet_array all{packets, n, what.packet_bytes, what.packet_bytes};
    const std::byte* const last_packet = all.at(n - 1);
    const std::vector<std::byte> last(last_packet, last_packet + what.packet_bytes);
    // At first the other end has no model.
    const bool first = memory.compressed == 0;
    subtract(all, first ? last.data() : memory.model.data());
    const std::uint16_t needed = bytes_needed(all);
    const std::size_t heading = sizeof memory.compressed + (first ? last.size() : 0);
    if (heading + sizeof needed + n * needed > limit) return 0;

    std::memcpy(into, &memory.compressed, sizeof memory.compressed);
    if (first) std::copy(last.begin(), last.end(), into + sizeof memory.compressed);
    const std::byte* const end = write_first_bytes(all, needed, into + heading);
    ++memory.compressed;
    memory.model = last;
    return static_cast<std::size_t>(end - into);
  }

  void decompress(const cargo& what, codec_link* link, std::size_t n, std::size_t bytes,
                  std::byte* data, std::byte* packets) override {
    memory_of_link& memory = remembered(link, direction::decompress);
    std::uint64_t number;
    std::memcpy(&number, data, sizeof number);
    EXPECT_EQ(number, memory.compressed++) << "out of order";
    const std::byte* from = data + sizeof number;
    if (number == 0) {
      std::copy_n(from, what.packet_bytes, memory.model.data());
      from += what.packet_bytes;
    }
    const packet_array all{packets, n, what.packet_bytes, what.packet_bytes};
    from = read_first_bytes(from, all);
    EXPECT_EQ(static_cast<std::size_t>(from - data), bytes);
    subtract(all, memory.model.data());
    std::copy_n(all.at(n - 1), what.packet_bytes, memory.model.data());
  }

 private:
  static memory_of_link& remembered(codec_link* link, direction way) {
    auto& memory = dynamic_cast<memory_of_link&>(*link);
    EXPECT_EQ(memory.way, way);
    return memory;
  }
};

}  // namespace

std::shared_ptr<codec> refusing_codec() {
  return std::make_shared<refusing>();
}

std::shared_ptr<codec> expanding_codec() {
  return std::make_shared<expanding>();
}

std::shared_ptr<codec> roomy_codec() {
  return std::make_shared<roomy>();
}

std::shared_ptr<codec> remembering_codec() {
  return std::make_shared<remembering>();
}

int remembered_links() {
  return links_remembered;
}

std::shared_ptr<codec> idle_codec(const codec_layout& plan) {
  return std::make_shared<idle>(plan);
}

}  // namespace boxcar::test
