// Which of the ways that items could take is taken, and how large its buffers are: where nobody
// asks for one, the one of the fewest hops that fits in the memory there is. The same for conveyors
// and streams.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/buffer_size.hpp"

namespace boxcar::detail {

// What a way makes a PE hold, that which holds most.
struct way_cost {
  int hops = 1;
  std::size_t links = 0;
  // Of all links; one that leads to another node is filled in one more.
  std::size_t buffers = 0;
  std::size_t other_bytes = 0;      // whatever the size of buffers
  std::size_t compressed_hops = 0;  // have room for compressing

  [[nodiscard]] std::size_t bytes_with(std::size_t buffer_bytes) const;
};

// What a PE may hold.
struct memory_bound {
  std::size_t bytes = 0;  // 0: no bound
  bool by_client = false;

  // As the client says, or, where it says nothing, a share of the machine's memory: a 32nd of what
  // there is for each PE.
  static memory_bound of(std::size_t max_bytes, const buffer_place& place);
  [[nodiscard]] std::string text() const;
};

// How large buffers are to be.
struct buffer_wish {
  std::size_t item_bytes = 0;  // of an item, or the least that a buffer must hold
  std::size_t given = 0;       // by the client; 0: chosen
  std::size_t preferred = 0;   // by the environment; 0: chosen
  buffer_place place;
};

// Why a way is better than others. The reasons come one after the other: the later only if no way
// meets the earlier.
enum class merit { fewest_hops, largest_buffers, least_memory };

struct fitting {
  std::size_t buffer_bytes = 0;
  std::size_t open_bytes = 0;  // the same before it was halved
  std::size_t all_bytes = 0;   // that the way holds with them
  merit best_by = merit::fewest_hops;
};

// Open sizes are halved until all fit; not below what is fair, unless the client gives the bound.
fitting fit(const way_cost& way, const buffer_wish& wish, const memory_bound& bound);

// `next`, which has more hops, is better.
bool is_better(const fitting& next, const fitting& best);

// Why buffers have the size that they have, to stand behind it.
std::string reason_for_size(const fitting& found, const way_cost& way, const buffer_wish& wish,
                            const memory_bound& bound);
// "the fewest whose buffers fit in ...", for instance.
std::string reason_for(const fitting& best, const memory_bound& bound);

}  // namespace boxcar::detail
