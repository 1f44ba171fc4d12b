// The exchange of keys of one-sided-append-2014 (section 4): every PE sends every other PE a
// message of `bytes`, without knowing its place at the destination.
//
//   way=fetch_add   a fetch-add reserves the place, a put sends the data (Listing 4)
//   way=push        pushes to an append buffer that wait for nothing (Listing 5)
//
// Prints `seconds` of an exchange.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "arguments.hpp"
#include "report.hpp"

namespace {

constexpr int rounds = 10;  // no waiting for one another in between

double by_fetch_add(boxcar::world& w, const std::vector<std::byte>& message) {
  const auto most = static_cast<std::size_t>(w.size()) * message.size() * rounds;
  boxcar::window<std::byte> keys(w, most);
  boxcar::window<long> end(w, 1);
  return experiments::seconds_of(w, [&] {
    for (int i = 0; i < rounds * w.size(); ++i) {
      const int pe = (w.rank() + i) % w.size();
      const long at = end.fetch_add(static_cast<long>(message.size()), pe, 0);
      keys.put(message, pe, static_cast<std::size_t>(at));
    }
    keys.flush();
    w.barrier();
  });
}

double by_push(boxcar::world& w, const std::vector<std::byte>& message) {
  const auto most = static_cast<std::size_t>(w.size()) * message.size() * rounds;
  boxcar::append_buffer<std::byte> keys(w, most);
  return experiments::seconds_of(w, [&] {
    for (int i = 0; i < rounds * w.size(); ++i) keys.push_nbi(message, (w.rank() + i) % w.size());
    keys.wait(most);
    w.barrier();
  });
}

}  // namespace

int main(int count, char** words) {
  const experiments::arguments a(count, words);
  return boxcar::run([&](boxcar::world& w) {
    const std::vector<std::byte> message(static_cast<std::size_t>(a.number("bytes", 8)));
    const std::string way = a.text("way", "push");
    if (way != "push" && way != "fetch_add") throw std::invalid_argument("way=" + way);
    const double seconds = way == "push" ? by_push(w, message) : by_fetch_add(w, message);
    experiments::report(w, "seconds", seconds / rounds);
  });
}
