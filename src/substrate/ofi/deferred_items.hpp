// Deferred work (substrate/deferred_work.hpp) by libfabric. Each item stays in place, as the
// provider requires, and is queued again for each run.
#pragma once

#include <cstddef>
#include <memory>

#include "substrate/deferred_work.hpp"
#include "substrate/ofi/deferring_endpoint.hpp"

namespace boxcar::detail::ofi {

// The maximum size of a put: longer puts, or puts longer than the provider's messages, are made in
// pieces.
inline constexpr std::size_t max_piece = std::size_t{256} << 20;

[[nodiscard]] std::unique_ptr<deferred_work> make_deferred_items(
    std::shared_ptr<deferring_endpoint> at, std::size_t piece_bytes = max_piece);

}  // namespace boxcar::detail::ofi
