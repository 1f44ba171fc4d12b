#include "ofi/pretending_addresses.hpp"

#include <array>

namespace boxcar::test::pretending {
namespace {

// An address of a device: a mark, the length of the real address, and the real address reversed.
constexpr std::size_t adapter_address_bytes = 96;
constexpr char address_mark = 'P';
constexpr char address_turn = 0x5a;
// The pretended handles from fi_av_insert.
constexpr fi_addr_t handle_mark = 0x00c0de0000000000;
constexpr fi_addr_t handle_step = 0x140;

}  // namespace

int insert_addresses(fid_av* av, const void* shown, std::size_t count, fi_addr_t* handles,
                     std::uint64_t flags, void* context) {
  const locked lock(here().guard);
  address_object& a = of<address_object>(&av->fid);
  if (!a.of->how.has_adapter) {
    return really(
        [&] { return a.functions.real->insert(av, shown, count, handles, flags, context); });
  }
  if (count != 1) return -FI_ENOSYS;
  const auto* text = static_cast<const char*>(shown);
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(text[1]));
  if (text[0] != address_mark || length + 2 > adapter_address_bytes) {
    violation("an address is not as it was shown");
    return -FI_EINVAL;
  }
  std::string real(text + 2, length);
  for (char& c : real) c = static_cast<char>(c ^ address_turn);
  const int inserted =
      really([&] { return a.functions.real->insert(av, real.data(), 1, handles, flags, context); });
  if (inserted == 1) *handles = handle_mark | (*handles + 1) * handle_step;
  return inserted;
}

bool find_address(const domain_object& d, fi_addr_t& handle) {
  if (!d.how.has_adapter || handle == FI_ADDR_UNSPEC) return true;
  const fi_addr_t number = handle ^ handle_mark;
  if (number == 0 || number % handle_step != 0) {
    violation("a handle of an address is none that fi_av_insert gave");
    return false;
  }
  handle = number / handle_step - 1;
  return true;
}

int show_address(fid* f, void* into, std::size_t* bytes) {
  const locked lock(here().guard);
  endpoint_object& e = of<endpoint_object>(f);
  if (!e.of->how.has_adapter) return e.names.real->getname(f, into, bytes);
  if (*bytes < adapter_address_bytes) {
    *bytes = adapter_address_bytes;
    return -FI_ETOOSMALL;
  }
  std::array<char, adapter_address_bytes> text{};
  std::size_t length = text.size() - 2;
  const int code = really([&] { return e.names.real->getname(f, text.data() + 2, &length); });
  if (code != 0) return code;
  for (std::size_t i = 0; i < length; ++i) {
    text[i + 2] = static_cast<char>(text[i + 2] ^ address_turn);
  }
  text[0] = address_mark;
  text[1] = static_cast<char>(length);
  std::memcpy(into, text.data(), text.size());
  *bytes = text.size();
  return 0;
}

}  // namespace boxcar::test::pretending
