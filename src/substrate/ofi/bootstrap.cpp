#include "substrate/ofi/bootstrap.hpp"

#include <algorithm>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi {

// PE 0 looks up the values of all PEs, and publishes the result: so the number of requests to the
// launcher grows with the number of PEs, and not with its square.
void bootstrap::reduce(std::span<std::byte> value,
                       const std::function<void(std::byte*, const std::byte*)>& combine) {
  const auto require_size = [this, &value](int pe, const std::string& published) {
    if (published.size() == value.size()) return;
    throw system_error("PE " + std::to_string(pe) + " has shown " +
                       std::to_string(published.size()) + " bytes by " + name() + " where PE " +
                       std::to_string(rank()) + " expects " + std::to_string(value.size()) +
                       ": install the same version of Boxcar for all of them");
  };
  std::string of_all(reinterpret_cast<const char*>(value.data()), value.size());
  const int first_turn = fence_count();
  publish(of_all);
  const int second_turn = fence_count();
  if (rank() != 0) {
    publish({});
    of_all = lookup(0, second_turn);
    require_size(0, of_all);
  } else {
    try {
      for (int pe = 1; pe < size(); ++pe) {
        const std::string next = lookup(pe, first_turn);
        require_size(pe, next);
        combine(reinterpret_cast<std::byte*>(of_all.data()),
                reinterpret_cast<const std::byte*>(next.data()));
      }
    } catch (...) {
      publish({});  // the other PEs wait
      throw;
    }
    publish(of_all);
  }
  std::ranges::copy(std::as_bytes(std::span(of_all)), value.begin());
}

}  // namespace boxcar::detail::ofi
