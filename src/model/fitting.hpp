// The choice of the way that items take, and of the size of its buffers: unless the user names a
// way, the way with the fewest hops whose buffers fit in the available memory. Conveyors and
// streams share the choice.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/buffer_size.hpp"

namespace boxcar::detail {

// The memory that a way needs, on the PE that needs most.
struct way_cost {
  int hops = 1;
  std::size_t links = 0;
  // The buffers of all links; a link to another node has an additional buffer, the buffer being
  // filled.
  std::size_t buffers = 0;
  std::size_t other_bytes = 0;      // independent of the size of buffers
  std::size_t compressed_hops = 0;  // have room for compression

  [[nodiscard]] std::size_t bytes_with(std::size_t buffer_bytes) const;
};

// The upper bound of the memory of a PE.
struct memory_bound {
  std::size_t bytes = 0;  // 0: no bound
  bool by_client = false;

  // Returns the bound given by the client, or, if the client gives none, a share of the machine's
  // memory: a 32nd of the memory per PE.
  static memory_bound of(std::size_t max_bytes, const buffer_place& place);
  [[nodiscard]] std::string text() const;
};

// The request for a size of buffers.
struct buffer_wish {
  std::size_t item_bytes = 0;  // of an item, or the least that a buffer must hold
  std::size_t given = 0;       // by the client; 0: chosen
  std::size_t preferred = 0;   // by the environment; 0: chosen
  buffer_place place;
};

// The reasons why a way is better than others, in order: a later reason applies only if no way
// meets the earlier reason.
enum class fit_objective { fewest_hops, largest_buffers, least_memory };

struct fitting {
  std::size_t buffer_bytes = 0;
  std::size_t open_bytes = 0;  // the size before halving
  std::size_t all_bytes = 0;   // of the way with these buffers
  fit_objective objective = fit_objective::fewest_hops;
};

// Halves open sizes until all buffers fit; not below the fair size, unless the client gives the
// bound.
fitting fit(const way_cost& way, const buffer_wish& wish, const memory_bound& bound);

// Returns whether `next`, a way with more hops, is better.
bool is_better(const fitting& next, const fitting& best);

// Returns the reason for the size of the buffers, as a text that follows the size.
std::string reason_for_size(const fitting& found, const way_cost& way, const buffer_wish& wish,
                            const memory_bound& bound);
// Returns the reason for the choice: "the fewest whose buffers fit in ...", for instance.
std::string reason_for(const fitting& best, const memory_bound& bound);

}  // namespace boxcar::detail
