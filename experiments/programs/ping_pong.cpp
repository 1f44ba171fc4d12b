// Measures half a round trip between a PE of one node and a PE of another: counting-puts-2014. The
// data and the notification of the other PE:
//
//   bytes=N   of the data
//   way=counting   a put that counts after the arrival of its data
//   way=flag       a put, a fence, and a put of a flag behind it
//   way=flush      a put, a wait for its end, and a put of a flag
//
// Prints `seconds` of half a round trip.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "arguments.hpp"
#include "report.hpp"

namespace {

constexpr int rounds = 200;

double by_counter(boxcar::world& w, const std::vector<std::byte>& data, int other) {
  boxcar::window<std::byte> there(w, data.size());
  boxcar::counter arrived(w);
  return experiments::seconds_of(w, [&] {
    for (int i = 1; i <= rounds; ++i) {
      if (w.rank() == 0) there.put(data, other, 0, arrived);
      arrived.wait(static_cast<std::uint64_t>(i));
      if (w.rank() != 0) there.put(data, other, 0, arrived);
    }
  });
}

double by_flag(boxcar::world& w, const std::vector<std::byte>& data, int other, bool waits) {
  boxcar::window<std::byte> there(w, data.size());
  boxcar::window<long> flag(w, 1);
  const auto put = [&](long i) {
    there.put(data, other, 0);
    if (waits) {
      there.flush();
    } else {
      there.fence();
    }
    flag.put(i, other, 0);
  };
  return experiments::seconds_of(w, [&] {
    for (long i = 1; i <= rounds; ++i) {
      if (w.rank() == 0) put(i);
      flag.wait_until(0, [i](long seen) { return seen >= i; });
      if (w.rank() != 0) put(i);
    }
  });
}

}  // namespace

int main(int count, char** words) {
  const experiments::arguments a(count, words);
  return boxcar::run([&](boxcar::world& w) {
    if (w.size() != 2) throw std::invalid_argument("ping_pong: run it with 2 PEs");
    const std::vector<std::byte> data(static_cast<std::size_t>(a.number("bytes", 8)));
    const std::string way = a.text("way", "counting");
    if (way != "counting" && way != "flag" && way != "flush") {
      throw std::invalid_argument("way=" + way + ": counting, flag or flush");
    }
    const double seconds = way == "counting" ? by_counter(w, data, 1 - w.rank())
                                             : by_flag(w, data, 1 - w.rank(), way == "flush");
    experiments::report(w, "seconds", seconds / (2.0 * rounds));
  });
}
