// A conveyor's options with everything chosen that was left open, the same on all PEs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/route.hpp>

#include "conveyor/buffer_size.hpp"
#include "route/route_function.hpp"
#include "route/tagged_route.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

inline constexpr std::size_t largest_item = 65536;

struct configuration {
  bool synchronous = false;
  std::optional<route> way;  // as asked for; then the next two say nothing
  int hops = 1;
  int local_group = 1;
  std::size_t buffer_bytes = 0;
  std::size_t wished_buffer_bytes = 0;  // by BOXCAR_BUFFER_BYTES, where that counts; 0: none
  int buffers_per_link = 2;
  bool steady = false;
  bool dynamic_memory = false;
  bool scatter = false;
  bool alert = false;
  bool compress = false;
  allocator* memory = nullptr;
  // What the size of buffers follows from.
  std::size_t item_bytes = 0;  // of an item, or the least that a buffer must hold
  buffer_place place;          // of the smallest cache; cores are shared if those of any PE are

  [[nodiscard]] tagged_route path(int pes) const {
    return way ? way->function().tagged() : tagged_route::with_hops(hops, pes, local_group);
  }
};

// What a conveyor is to carry.
struct freight {
  std::size_t item_bytes;  // the size of the items, or the least that a buffer must hold
  bool elastic = false;
  std::size_t largest_elastic_item = 0;
  std::size_t conveyors = 1;  // that work together, like the two of a biconveyor
  type_identity type = {};    // of the items, as far as it is known
};

// Collective. Chooses what is open and checks that it can work and that all PEs ask for the same;
// otherwise throws the same argument_error on all PEs.
configuration configure(substrate& world, const conveyor_options& options, const freight& what);

// What a conveyor holds on a PE at most, in bytes: links times buffers per link times buffer size,
// and what accompanies them.
std::size_t memory_needed(substrate& world, const configuration& c);

// Why the configuration is as it is, in a few lines.
std::string explain(substrate& world, const conveyor_options& options, const configuration& chosen);

}  // namespace boxcar::detail
