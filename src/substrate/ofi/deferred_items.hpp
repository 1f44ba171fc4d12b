// Deferred work (substrate/deferred_work.hpp) by libfabric: each item stays here, as the provider
// wants it to, and is queued once more for each run.
#pragma once

#include <cstddef>
#include <memory>

#include "substrate/deferred_work.hpp"
#include "substrate/ofi/deferring_endpoint.hpp"

namespace boxcar::detail::ofi {

// What is longer than this, or than the provider's messages, is put in pieces.
inline constexpr std::size_t longest_piece = std::size_t{256} << 20;

[[nodiscard]] std::unique_ptr<deferred_work> make_deferred_items(
    std::shared_ptr<deferring_endpoint> at, std::size_t piece_bytes = longest_piece);

}  // namespace boxcar::detail::ofi
