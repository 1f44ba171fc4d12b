#include "schedule/address_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include <boxcar/append_buffer.hpp>

#include "schedule/packing.hpp"
#include "substrate/largest.hpp"

namespace boxcar::detail {
namespace {

// The size of an address message without address and places.
constexpr std::size_t frame_bytes = 3 * sizeof(std::uint64_t);

std::vector<std::byte> packed(int from, const address_message& one) {
  packer p;
  p.number(static_cast<std::uint64_t>(from));
  p.bytes(one.address);
  p.bytes(std::as_bytes(std::span(one.places)));
  return std::move(p).all();
}

}  // namespace

std::map<int, address_message> exchange_addresses(const world& w,
                                                  const std::map<int, address_message>& to) {
  std::uint64_t longest = 0;
  for (const auto& [pe, one] : to) longest = std::max<std::uint64_t>(longest, one.address.size());
  longest = largest<1>(*w.substrate(), {longest})[0];
  // A PE gets as many places as it sends.
  std::size_t bytes = 0;
  for (const auto& [pe, one] : to) {
    bytes += frame_bytes + longest + one.places.size() * sizeof(message_place);
  }
  append_buffer<std::byte> told(w, bytes);
  for (const auto& [pe, one] : to) told.push_nbi(packed(w.rank(), one), pe);
  told.wait_messages(to.size());

  return addresses_in(told.arrived(), to);
}

std::map<int, address_message> addresses_in(std::span<const std::byte> told,
                                            const std::map<int, address_message>& to) {
  std::map<int, address_message> from;
  for (unpacker u(told); !u.is_empty();) {
    const int pe = u.small();
    const auto mine = to.find(pe);
    unpacker::require(mine != to.end() && !from.contains(pe));
    address_message& one = from[pe];
    const auto address = u.bytes();
    one.address.assign(address.begin(), address.end());
    const auto places = u.bytes();
    unpacker::require(places.size() == mine->second.places.size() * sizeof(message_place));
    one.places.resize(mine->second.places.size());
    if (!places.empty()) std::memcpy(one.places.data(), places.data(), places.size());
    for (const message_place& m : one.places) {
      unpacker::require(m.is_sent == 0 || m.is_sent == 1);
    }
  }
  return from;
}

}  // namespace boxcar::detail
