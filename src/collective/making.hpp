// How a collective comes into being once it is known what each PE wants of it.
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

// Which of the program's memory is used where it lies.
struct collective_memory {
  // What lies in these parts of windows, which are given to adapters like this;
  std::span<const std::function<void(adapter&)>> includes = {};
  std::span<const std::span<const std::byte>> parts = {};
  // or nothing at all, and each run may use other memory.
  bool is_copied = false;

  [[nodiscard]] bool is_used(const world& w, std::span<const std::byte> some) const;
};

inline constexpr std::string_view owner_of_collectives = "a collective's";

// That all PEs give these alike.
void agree_on(agreement& all, const collective_request& call, const type_identity& of,
              const collective_options& options);

// Collective. `call` lacks what is the most that any PE gives. Throws argument_error on all PEs if
// one objects.
[[nodiscard]] std::unique_ptr<collective_state> make_collective(const world& w,
                                                                collective_request call,
                                                                const agreement& objections,
                                                                const collective_options& options,
                                                                const collective_memory& memory);

}  // namespace boxcar::detail
