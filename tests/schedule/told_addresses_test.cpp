// Messages of the address exchange that no peer sends are refused, and read only as far as they go.
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <vector>

#include <boxcar/error.hpp>

#include "schedule/address_exchange.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::told_addresses_test {
namespace {

using detail::address_message;

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// The bytes of a message, as exchange_addresses packs them: numbers, and lengths ahead of bytes.
class told_bytes {
 public:
  told_bytes& number(std::uint64_t n) { return add(&n, sizeof n); }
  told_bytes& places(const std::vector<detail::message_place>& all) {
    const std::size_t bytes = all.size() * sizeof(detail::message_place);
    return number(bytes).add(all.data(), bytes);
  }
  [[nodiscard]] const std::vector<std::byte>& all() const { return all_; }

 private:
  told_bytes& add(const void* data, std::size_t bytes) {
    const auto* const first = static_cast<const std::byte*>(data);
    all_.insert(all_.end(), first, first + bytes);
    return *this;
  }
  std::vector<std::byte> all_;
};

TEST(told_addresses, that_no_peer_sends_are_refused) {
  const std::map<int, address_message> to{{3, {{}, std::vector<detail::message_place>(2)}}};
  const auto read = [&to](const told_bytes& told) { return detail::addresses_in(told.all(), to); };
  const auto is_refused = [&read](const told_bytes& told) {
    expect_mentions(thrown_by<world_error>([&] { static_cast<void>(read(told)); }),
                    {"no PE has packed"});
  };
  std::vector<detail::message_place> places(2);
  EXPECT_EQ(read(told_bytes().number(3).number(0).places(places)).size(), 1u);
  is_refused(told_bytes().number(4).number(0).places(places));       // of no peer
  is_refused(told_bytes().number(3).number(most).places(places));    // a length beyond the end
  is_refused(told_bytes().number(3).number(0).number(most));         // as well
  is_refused(told_bytes().number(3).number(0).places({places[0]}));  // too few places
  is_refused(told_bytes().number(3).number(0).number(7).number(0));  // parts of places
  is_refused(told_bytes().number(3).number(0));                      // cut
  is_refused(told_bytes()
                 .number(3)
                 .number(0)
                 .places(places)
                 .number(3)  // twice
                 .number(0)
                 .places(places));
  places[1].is_sent = 2;
  is_refused(told_bytes().number(3).number(0).places(places));
}

}  // namespace
}  // namespace boxcar::test::told_addresses_test
