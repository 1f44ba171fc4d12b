#include "schedule/introductions.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include <boxcar/append_buffer.hpp>

#include "substrate/largest.hpp"

namespace boxcar::detail {
namespace {

struct heading {
  std::uint64_t address_bytes = 0;
  std::uint64_t places = 0;
  std::int64_t from = 0;
};

std::vector<std::byte> packed(int from, const introduction& one) {
  const heading h{one.address.size(), one.places.size(), from};
  std::vector<std::byte> all;
  for (const std::span<const std::byte> bytes :
       {std::as_bytes(std::span(&h, 1)), std::span(one.address),
        std::as_bytes(std::span(one.places))}) {
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

// Takes so many bytes away from those that are left.
std::span<const std::byte> taken(std::span<const std::byte>& left, std::size_t bytes) {
  const std::span<const std::byte> first = left.first(bytes);
  left = left.subspan(bytes);
  return first;
}

}  // namespace

std::map<int, introduction> exchange_introductions(const world& w,
                                                   const std::map<int, introduction>& to) {
  std::uint64_t longest = 0;
  for (const auto& [pe, one] : to) longest = std::max<std::uint64_t>(longest, one.address.size());
  longest = largest<1>(*w.substrate(), {longest})[0];
  // It is told as many places as it tells.
  std::size_t bytes = 0;
  for (const auto& [pe, one] : to) {
    bytes += sizeof(heading) + longest + one.places.size() * sizeof(message_place);
  }
  append_buffer<std::byte> told(w, bytes);
  for (const auto& [pe, one] : to) told.push_nbi(packed(w.rank(), one), pe);
  told.wait_messages(to.size());

  std::map<int, introduction> from;
  std::span<const std::byte> left = told.arrived();
  while (!left.empty()) {
    heading h;
    std::memcpy(&h, taken(left, sizeof h).data(), sizeof h);
    introduction& one = from[static_cast<int>(h.from)];
    const auto address = taken(left, h.address_bytes);
    one.address.assign(address.begin(), address.end());
    one.places.resize(h.places);
    const auto places = taken(left, h.places * sizeof(message_place));
    std::memcpy(one.places.data(), places.data(), places.size());
  }
  return from;
}

}  // namespace boxcar::detail
