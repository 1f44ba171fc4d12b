// How a conveyor is to be built. All PEs must give the same values.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <optional>

#include <boxcar/allocator.hpp>
#include <boxcar/route.hpp>

namespace boxcar {

// docs/conveyors.md tells when to choose which.
enum class conveyor_kind {
  automatic,  // chosen from the world and the memory bound
  tensor,     // asynchronous; buffers move as they fill; 1, 2 or 3 hops
  simple,     // bulk-synchronous: all buffers move together; 1 hop
  twohop,     // bulk-synchronous, 2 hops
};

struct conveyor_options {
  conveyor_kind kind = conveyor_kind::automatic;

  // Of a tensor conveyor: 1, 2 or 3. 0: chosen. With more hops a PE has fewer links, so buffers
  // are fewer and fill sooner, but every item is copied once per hop.
  int hops = 0;

  // PEs that form a group within which the first hop (and of three hops the last) stays; PEs of a
  // node, preferably. Must divide the number of PEs. 0: chosen; of two hops, one that need not.
  int local_group = 0;

  // Over which stops items travel, instead of `hops` and `local_group`: any route drives any
  // asynchronous conveyor of up to 65536 PEs, and direct, matrix and tensor ones of any number. A
  // tensor conveyor of 1, 2 or 3 hops has the route direct, matrix or tensor.
  std::optional<route> way = std::nullopt;

  // Bytes of items and tags in one buffer; at least the size of an item. 0: chosen from the number
  // of links, the cache of a core, whether PEs share cores or are on several nodes, and from
  // `max_bytes`; or BOXCAR_BUFFER_BYTES if that is set. The conveyor's `explain` tells why.
  std::size_t buffer_bytes = 0;

  // Buffers per link: 1, 2 or 4. With more than one, a PE can fill one while another is on its way
  // or being read (conveyors-2019, section 4.3.3). Synchronous kinds always have 2.
  int buffers_per_link = 2;

  // What the conveyor may hold on a PE, in bytes; it decides what is chosen. 0: for the number of
  // hops a 32nd of what the machine has for each PE on it. If nothing fits, the smallest is built.
  std::size_t max_bytes = 0;

  // Never hold pushed items back: as long as every PE keeps calling advance and pull, each item is
  // delivered, also before the endgame (conveyors-2019, section 3.6).
  bool steady = false;

  // Hold buffers only during a session: allocate at begin, release at reset.
  bool dynamic_memory = false;

  // One hop only: for so many PEs that the ends of all buffers do not fit in the cache. A push then
  // prefetches its place and writes the item some pushes later (conveyors-2019, section 4.1).
  bool scatter = false;

  // Say on standard error what hurts performance: a local group that spans nodes, many buffers that
  // leave nearly empty, a PE that has not advanced for seconds.
  bool alert = false;

  // Compress the buffers that go to other nodes, by the standard codec or the one that the conveyor
  // is given later (docs/compression.md). Elastic conveyors do not compress.
  bool compress = false;

  // While the program runs, find the hops and the size of buffers with which sessions are fastest:
  // at most 25 sessions are tries, and what is found is used from then on (docs/tuning.md). What is
  // given above stays as given; at least one of `buffer_bytes` and of `hops` or `way` must be open.
  // BOXCAR_TUNING names a file in which that is kept from run to run.
  bool tune = false;

  // Where memory that only this PE uses comes from; nullptr: the heap. On all PEs or none. It must
  // live as long as the conveyor.
  allocator* memory = nullptr;
};

}  // namespace boxcar
