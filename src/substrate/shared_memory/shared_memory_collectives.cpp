// The collectives of a world in shared memory: PEs leave their contributions where all see them, a
// round of slots at a time.
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "substrate/shared_memory/shared_memory_substrate.hpp"

namespace boxcar::detail {

shared_memory_substrate::widening::widening(shared_memory_substrate& world,
                                            const collective_call& call, std::size_t bytes)
    : world_(world) {
  if (bytes < wide_slots::worth_it) return;
  world.round(call, {});  // from here on, all PEs are known to make the same call
  const std::size_t slot_bytes = wide_slots::slot_bytes(bytes, world.size());
  auto memory = world.share_among(0, wide_slots::bytes(slot_bytes, world.size()));
  world.wide_.emplace(std::move(memory), slot_bytes);
}

void shared_memory_substrate::barrier(std::size_t bytes, int root) {
  finish_pending_starts();
  round({collective_kind::barrier, bytes, root}, {});
}

void shared_memory_substrate::broadcast(std::span<std::byte> data, int root,
                                        const type_identity& of) {
  finish_pending_starts();
  const collective_call call(collective_kind::broadcast, data.size(), root, of);
  const widening wide(*this, call, data.size());
  do {
    const std::size_t now = std::min(data.size(), part_bytes());
    round(call, rank_ == root ? data.first(now) : std::span<std::byte>());
    if (rank_ != root && now != 0) std::memcpy(data.data(), theirs(root), now);
    data = data.subspan(now);
  } while (!data.empty());
}

void shared_memory_substrate::all_gather(std::span<const std::byte> mine, std::byte* all,
                                         const type_identity& of) {
  finish_pending_starts();
  const std::size_t bytes = mine.size();
  const collective_call call(collective_kind::all_gather, bytes, 0, of);
  const widening wide(*this, call, bytes);
  std::size_t done = 0;
  do {
    const std::size_t now = std::min(bytes - done, part_bytes());
    round(call, mine.subspan(done, now));
    for (int pe = 0; pe < size() && now != 0; ++pe) {
      std::memcpy(all + static_cast<std::size_t>(pe) * bytes + done, theirs(pe), now);
    }
    done += now;
  } while (done < bytes);
}

void shared_memory_substrate::gather(std::span<const std::byte> mine, int root,
                                     const gathering_room& room, const type_identity& of) {
  finish_pending_starts();
  struct contribution {
    std::byte* place;
    std::size_t bytes;
  };
  const collective_call call = call_of_gather(root, of);
  const std::uint64_t my_bytes = mine.size();
  round(call, std::as_bytes(std::span(&my_bytes, 1)));
  std::vector<contribution> all;  // empty on PEs that receive nothing
  std::size_t most = 0;
  for (int pe = 0; pe < size(); ++pe) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, theirs(pe), sizeof bytes);
    most = std::max<std::size_t>(most, bytes);
    if (root == rank_ || root == every_pe) all.push_back({room(pe, bytes), bytes});
  }
  const widening wide(*this, call, most);
  const std::size_t part = part_bytes();
  for (std::size_t done = 0; done < most; done += part) {
    const std::size_t from = std::min(done, mine.size());
    round(call, mine.subspan(from, std::min(mine.size() - from, part)));
    for (std::size_t pe = 0; pe < all.size(); ++pe) {
      if (all[pe].bytes <= done) continue;
      std::memcpy(all[pe].place + done, theirs(static_cast<int>(pe)),
                  std::min(all[pe].bytes - done, part));
    }
  }
}

void shared_memory_substrate::in_rounds(
    const collective_call& call, std::span<std::byte> values, std::size_t element_bytes,
    const std::function<void(std::span<std::byte> part, std::size_t elements)>& fold) {
  const std::size_t most = part_bytes() / element_bytes * element_bytes;
  do {
    const auto part = values.first(std::min(values.size(), most));
    round(call, part);
    fold(part, part.size() / element_bytes);
    values = values.subspan(part.size());
  } while (!values.empty());
}

void shared_memory_substrate::all_reduce(std::span<std::byte> values, const combination& how,
                                         const type_identity& of) {
  finish_pending_starts();
  const collective_call call(collective_kind::all_reduce, values.size(), 0, of);
  const widening wide(*this, call, values.size());
  if (how.element_bytes > part_bytes()) {
    return fold_large(call, values, how, size());
  }
  in_rounds(call, values, how.element_bytes, [&](std::span<std::byte> part, std::size_t elements) {
    if (elements == 0) return;
    std::memcpy(part.data(), theirs(0), part.size());
    for (int pe = 1; pe < size(); ++pe) how.combine(part.data(), theirs(pe), elements);
  });
}

bool shared_memory_substrate::scan(std::span<std::byte> values, const combination& how,
                                   const type_identity& of) {
  finish_pending_starts();
  const collective_call call(collective_kind::scan, values.size(), 0, of);
  const widening wide(*this, call, values.size());
  if (how.element_bytes > part_bytes()) {
    fold_large(call, values, how, rank_);
  } else {
    in_rounds(call, values, how.element_bytes,
              [&](std::span<std::byte> part, std::size_t elements) {
                if (elements == 0 || rank_ == 0) return;
                std::memcpy(part.data(), theirs(0), part.size());
                for (int pe = 1; pe < rank_; ++pe) how.combine(part.data(), theirs(pe), elements);
              });
  }
  return rank_ != 0;
}

// Elements can only be combined as a whole: the pieces of an element are put together first, for a
// number of PEs at a time.
void shared_memory_substrate::fold_large(const collective_call& call, std::span<std::byte> values,
                                         const combination& how, int pes) {
  constexpr std::size_t most_held = std::size_t{1} << 20;
  const std::size_t bytes = how.element_bytes;
  const int at_a_time = static_cast<int>(
      std::clamp<std::size_t>(most_held / bytes, 1, static_cast<std::size_t>(size())));
  std::vector<std::byte> held(static_cast<std::size_t>(at_a_time) * bytes);
  std::vector<std::byte> result(bytes);
  if (values.empty()) round(call, {});
  for (; !values.empty(); values = values.subspan(bytes)) {
    const auto mine = values.first(bytes);
    for (int first = 0; first < size(); first += at_a_time) {
      const int end = std::min(first + at_a_time, size());
      for (std::size_t done = 0; done < bytes; done += part_bytes()) {
        const std::size_t now = std::min(bytes - done, part_bytes());
        round(call, mine.subspan(done, now));
        for (int pe = first; pe < end; ++pe) {
          std::memcpy(held.data() + static_cast<std::size_t>(pe - first) * bytes + done, theirs(pe),
                      now);
        }
      }
      for (int pe = first; pe < std::min(end, pes); ++pe) {
        const std::byte* const one = held.data() + static_cast<std::size_t>(pe - first) * bytes;
        if (pe == 0) {
          std::memcpy(result.data(), one, bytes);
        } else {
          how.combine(result.data(), one, 1);
        }
      }
    }
    if (pes != 0) std::ranges::copy(result, mine.begin());
  }
}

}  // namespace boxcar::detail
