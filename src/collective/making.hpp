// Constructs a collective from the requests of all PEs.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <boxcar/adapter.hpp>
#include <boxcar/collective_options.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/world.hpp>

#include "collective/collective_state.hpp"
#include "collective/request.hpp"
#include "substrate/agreement.hpp"

namespace boxcar::detail {

// Memory of the program that the collective uses in place.
struct collective_memory {
  // The collective uses memory in `parts` of windows in place. The functions in `includes` include
  // the windows in an adapter.
  std::span<const std::function<void(adapter&)>> includes = {};
  std::span<const std::span<const std::byte>> parts = {};
  // If true, the collective uses no memory in place, and each run may have other memory.
  bool is_copied = false;

  [[nodiscard]] bool is_used(const world& w, std::span<const std::byte> some) const;
};

inline constexpr std::string_view owner_of_collectives = "a collective's";

// Requires that all PEs pass equal arguments.
void agree_on(agreement& all, const collective_request& call, const type_identity& of,
              const collective_options& options);

// Collective. `call.most_given`, the maximum over all PEs, is computed. Throws argument_error on
// all PEs if a PE has an objection.
[[nodiscard]] std::unique_ptr<collective_state> make_collective(const world& w,
                                                                collective_request call,
                                                                agreement objections,
                                                                const collective_options& options,
                                                                const collective_memory& memory);

}  // namespace boxcar::detail
