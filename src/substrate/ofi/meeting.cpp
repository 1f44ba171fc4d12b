#include "substrate/ofi/meeting.hpp"

#include <algorithm>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi {

// PE 0 looks up the values of all PEs, and publishes the result: so the number of requests to the
// launcher grows with the number of PEs, and not with its square.
void meeting::reduce(std::span<std::byte> value,
                     const std::function<void(std::byte*, const std::byte*)>& combine) {
  const auto require_size = [this, &value](int pe, const std::string& shown) {
    if (shown.size() == value.size()) return;
    throw system_error("PE " + std::to_string(pe) + " has shown " + std::to_string(shown.size()) +
                       " bytes by " + name() + " where PE " + std::to_string(rank()) + " expects " +
                       std::to_string(value.size()) +
                       ": install the same version of Boxcar for all of them");
  };
  std::string of_all(reinterpret_cast<const char*>(value.data()), value.size());
  const int first_turn = turns();
  show(of_all);
  const int second_turn = turns();
  if (rank() != 0) {
    show({});
    of_all = shown_by(0, second_turn);
    require_size(0, of_all);
  } else {
    try {
      for (int pe = 1; pe < size(); ++pe) {
        const std::string next = shown_by(pe, first_turn);
        require_size(pe, next);
        combine(reinterpret_cast<std::byte*>(of_all.data()),
                reinterpret_cast<const std::byte*>(next.data()));
      }
    } catch (...) {
      show({});  // the other PEs wait
      throw;
    }
    show(of_all);
  }
  std::ranges::copy(std::as_bytes(std::span(of_all)), value.begin());
}

}  // namespace boxcar::detail::ofi
