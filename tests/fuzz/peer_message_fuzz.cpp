// Fuzz test of messages between PEs of different nodes: collectives, requests, the envelopes of
// messages, waves of stall detection, and requests for large items. A PE refuses the bytes, or uses
// the bytes without an access beyond the end. The first byte selects the kind of message, and the
// PE that hears waves.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <boxcar/error.hpp>

#include "one_sided/request.hpp"
#include "substrate/cluster/stall_waves.hpp"
#include "substrate/cluster/tree_collectives.hpp"
#include "substrate/cluster/wire_message.hpp"
#include "substrate/ofi/item_request.hpp"
#include "substrate/ofi/seal.hpp"

namespace {

using namespace boxcar::detail;
using bytes = std::vector<std::byte>;

constexpr int pes = 4;
constexpr unsigned kinds = 5;  // of messages

class reader {
 public:
  explicit reader(std::span<const std::byte> data) : rest_(data) {}
  [[nodiscard]] bool is_empty() const { return rest_.empty(); }
  unsigned byte() {
    if (rest_.empty()) return 0;
    const unsigned b = std::to_integer<unsigned>(rest_.front());
    rest_ = rest_.subspan(1);
    return b;
  }
  // Returns a copy, so a read behind the end is detected.
  bytes take(std::size_t n) {
    const auto some = rest_.first(std::min(n, rest_.size()));
    rest_ = rest_.subspan(some.size());
    return {some.begin(), some.end()};
  }
  bytes rest() { return take(rest_.size()); }

 private:
  std::span<const std::byte> rest_;
};

// The links of PE 0 deliver the bytes of the fuzzer in buffers. The bytes of a buffer: the number
// of the link, the length in two bytes, and the contents.
class links_of_fuzzer final : public link_set {
 public:
  explicit links_of_fuzzer(reader& from) : from_(from) {}

  std::byte* open(int /*link*/) override { return room_.data(); }
  void send(int /*link*/, std::size_t /*bytes*/, bool /*last*/) override {}
  bool poll_returned(int /*link*/) override { return true; }
  void poll(arrival_queue& arrived) override {
    if (from_.is_empty()) return;
    const unsigned head = from_.byte();
    const std::size_t length = from_.byte() | from_.byte() << 8;
    held_ = from_.take(length % 1025);
    arrived.push({.data = held_.data(),
                  .bytes = static_cast<std::uint32_t>(held_.size()),
                  .link = head % 2,
                  .last = head >= 250});
  }
  void give_back(const arrival& /*a*/) override {}
  void start_session() override {}
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }

 private:
  reader& from_;
  bytes held_;
  std::array<std::byte, 2048> room_{};
};

void read_collective(reader& from) {
  const unsigned which = from.byte() % 4;
  const auto wait = [&from](int /*pe*/, bool left) {
    if (left || from.is_empty()) throw boxcar::world_error("nothing more comes");
  };
  const auto own_name = [](int pe) { return pe; };
  tree_collectives tree(0, pes, own_name, std::make_unique<links_of_fuzzer>(from), wait,
                        [](int pe) { return "PE " + std::to_string(pe); });
  stall_waves waves(0, pes, pes, [](int, stall_waves::message) {});
  tree.listen(
      [&waves](int pe, const bytes& m) { waves.hear(pe, m, stall_waves::clock::time_point()); });
  const auto append = [](bytes& into, const bytes& next) {
    into.insert(into.end(), next.begin(), next.end());
  };
  const bytes mine(8);
  try {
    const collective_call call(collective_kind::all_gather, 8);
    if (which == 0) static_cast<void>(tree.sweep(call, mine, append));
    if (which == 1) static_cast<void>(tree.scan(call, mine, append));
    if (which == 2) {
      tree.gather(mine, 0, [](const tree_collectives::contribution& c) {
        if (c.pe < 0 || c.pe >= pes || c.offset + c.part.size() > c.bytes) std::abort();
      });
    }
    while (!from.is_empty()) tree.poll();
  } catch (const boxcar::error&) {
    // The world fails.
  }
}

void read_waves(int rank, reader& from) {
  stall_waves waves(rank, pes, pes, [](int, stall_waves::message) {});
  stall_waves::clock::time_point now{};
  const auto step = std::chrono::seconds(1);
  std::uint64_t rounds = 100;
  for (int i = 0; i < 4; ++i) {
    const bytes m = from.take(from.byte() | from.byte() << 8);
    now += step;
    const stall_waves::own_state mine{nullptr, rounds += 10, 1, std::chrono::seconds(2)};
    static_cast<void>(waves.look(now, mine));
    waves.hear(rank == 0 ? 1 + i % 2 : 0, m, now);
  }
  for (int i = 0; i < 8; ++i) {
    now += step;
    static_cast<void>(waves.look(now, {nullptr, rounds += 10, 1, std::chrono::seconds(2)}));
  }
}

void read_request(reader& from) {
  const bytes m = from.rest();
  std::span<const std::byte> data(m);
  request r;
  if (!written_request::take(data, r)) return;
  if (data.size() > m.size()) std::abort();
  // The engine refuses other places.
  if (r.place < data_by_ticket || r.place >= reply_by_ticket + reply_places) return;
  // A written request is read back unchanged.
  const written_request again(r);
  bytes copy(again.bytes().begin(), again.bytes().end());
  std::span<const std::byte> rest(copy);
  request same;
  if (!written_request::take(rest, same) || !rest.empty() || same.object != r.object ||
      same.at != r.at || same.elements != r.elements || same.place != r.place) {
    std::abort();
  }
}

void read_wire_message(reader& from) {
  const bytes m = from.rest();
  wire_message l{};
  if (m.size() > sizeof l) return;
  if (!m.empty()) std::memcpy(&l, m.data(), m.size());
  if (!is_valid(l, m.size(), pes)) return;
  const auto text = text_of(l);
  if (text.size() != m.size() - sizeof l.by || l.by.from >= pes) std::abort();
  static_cast<void>(std::accumulate(text.begin(), text.end(), 0u, [](unsigned sum, std::byte b) {
    return sum + std::to_integer<unsigned>(b);
  }));
}

void read_item_request(reader& from) {
  constexpr std::size_t pieces = 60;
  std::size_t sent = 0;
  while (!from.is_empty()) {
    const bytes m = from.take(sizeof(ofi::item_request));
    static_cast<void>(ofi::is_sealed(m, 7));
    const auto r = ofi::item_request_in(m);
    if (!r || !ofi::names_next_pieces(*r, pieces, sent)) continue;
    if (r->first != sent || r->pieces > pieces - sent) std::abort();
    sent += r->pieces;
  }
  if (sent > pieces) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reader from(std::as_bytes(std::span(data, size)));
  const unsigned selector = from.byte();
  switch (selector % kinds) {
    case 0:
      read_collective(from);
      break;
    case 1:
      read_waves(static_cast<int>(selector / kinds % pes), from);
      break;
    case 2:
      read_request(from);
      break;
    case 3:
      read_wire_message(from);
      break;
    default:
      read_item_request(from);
  }
  return 0;
}
