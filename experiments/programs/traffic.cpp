// Every PE sends items by one conveyor: to PEs drawn at random, or to every PE in turn, in an order
// of its own, as in the streaming all-to-all of tram-thesis-2014 (section 4.6).
//
//   items=N         that a PE sends (pattern=random), or sends to each PE (pattern=all)
//   item_bytes=N    8, 16, 32, 64, 128, 512 or 2048
//   pattern=random|all
//   kind=tensor|simple|twohop, hops=N, group=N, grid=8x8x16, teams=8x8x16, specialised=8x8x16
//   buffer=N        bytes
//   buffers=N       per link
//   sessions=N      of which the shortest counts
//
// Prints `seconds` of the session, `items` that have arrived, and `memory`, the bytes of the
// conveyor on PE 0.

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "arguments.hpp"
#include "report.hpp"
#include "support/random_stream.hpp"

namespace {

boxcar::grid_sizes sizes_in(const std::string& text) {
  boxcar::grid_sizes sizes;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    sizes.push_back(std::stoi(text.substr(at), &length));
    at += length + 1;
  }
  return sizes;
}

boxcar::conveyor_options options_of(const experiments::arguments& a, int pes) {
  boxcar::conveyor_options o;
  const std::string kind = a.text("kind", "tensor");
  if (kind == "simple") {
    o.kind = boxcar::conveyor_kind::simple;
  } else if (kind == "twohop") {
    o.kind = boxcar::conveyor_kind::twohop;
  } else if (kind != "tensor") {
    throw std::invalid_argument("kind=" + kind + ": tensor, simple or twohop");
  }
  o.hops = static_cast<int>(a.number("hops", 0));
  o.local_group = static_cast<int>(a.number("group", 0));
  o.buffer_bytes = static_cast<std::size_t>(a.number("buffer", 0));
  o.buffers_per_link = static_cast<int>(a.number("buffers", 2));
  if (const std::string s = a.text("grid", ""); !s.empty()) {
    o.way = boxcar::route::grid(pes, sizes_in(s));
  }
  if (const std::string s = a.text("teams", ""); !s.empty()) {
    o.way = boxcar::route::teams(pes, sizes_in(s));
  }
  if (const std::string s = a.text("specialised", ""); !s.empty()) {
    o.way = boxcar::route::specialised_teams(pes, sizes_in(s));
  }
  return o;
}

// The destinations of a PE.
class destinations {
 public:
  destinations(const boxcar::world& w, const experiments::arguments& a)
      : pes_(w.size()), random_(a.seed(), w.rank()), left_(a.number("items", 1000)) {
    const std::string pattern = a.text("pattern", "random");
    if (pattern == "random") return;
    if (pattern != "all") throw std::invalid_argument("pattern=" + pattern + ": random or all");
    left_ *= pes_;
    order_.resize(static_cast<std::size_t>(pes_));
    std::iota(order_.begin(), order_.end(), 0);
    for (int i = pes_ - 1; i > 0; --i) {
      std::swap(order_[static_cast<std::size_t>(i)],
                order_[static_cast<std::size_t>(random_.below(i + 1))]);
    }
  }
  [[nodiscard]] bool is_empty() const { return left_ == 0; }
  [[nodiscard]] int next() {
    --left_;
    return order_.empty() ? random_.below(pes_) : order_[static_cast<std::size_t>(left_ % pes_)];
  }

 private:
  int pes_;
  examples::random_stream random_;
  long left_;
  std::vector<int> order_;
};

template <std::size_t Bytes>
void send(boxcar::world& w, const experiments::arguments& a) {
  using item = std::array<std::byte, Bytes>;
  boxcar::conveyor<item> c(w, options_of(a, w.size()));
  long taken = 0;
  std::vector<double> seconds;
  for (long i = 0; i < a.number("sessions", 1); ++i) {
    destinations to(w, a);
    taken = 0;
    seconds.push_back(experiments::seconds_of(w, [&] {
      const boxcar::session s = c.begin();
      std::optional<int> next;  // the destination of an item without room
      while (c.advance(to.is_empty() && !next) != boxcar::advance_result::done) {
        while (next || !to.is_empty()) {
          if (!next) next = to.next();
          if (!c.push(item{}, *next)) break;
          next.reset();
        }
        c.pull_all([&](const item&) { ++taken; });
      }
      c.reset();
    }));
  }
  experiments::report(w, "seconds", std::ranges::min(seconds));
  experiments::report(w, "items", static_cast<double>(w.reduce(taken)));
  experiments::report(w, "memory", static_cast<double>(c.session_statistics().memory_bytes));
}

}  // namespace

int main(int count, char** words) {
  const experiments::arguments a(count, words);
  return boxcar::run([&](boxcar::world& w) {
    switch (const long bytes = a.number("item_bytes", 8)) {
      case 8:
        return send<8>(w, a);
      case 16:
        return send<16>(w, a);
      case 32:
        return send<32>(w, a);
      case 64:
        return send<64>(w, a);
      case 128:
        return send<128>(w, a);
      case 512:
        return send<512>(w, a);
      case 2048:
        return send<2048>(w, a);
      default:
        throw std::invalid_argument("item_bytes=" + std::to_string(bytes));
    }
  });
}
