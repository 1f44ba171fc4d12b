// The conveyor options define how a conveyor is built. All PEs must give the same values.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <optional>

#include <boxcar/allocator.hpp>
#include <boxcar/route.hpp>

namespace boxcar {

// The kind of a conveyor. docs/conveyors.md explains when to choose each kind.
enum class conveyor_kind {
  automatic,  // chosen from the world and the memory bound
  tensor,     // asynchronous; buffers move as they fill; 1, 2 or 3 hops
  simple,     // bulk-synchronous: all buffers move together; 1 hop
  twohop,     // bulk-synchronous, 2 hops
};

struct conveyor_options {
  conveyor_kind kind = conveyor_kind::automatic;

  // The number of hops of a tensor conveyor: 1, 2 or 3. 0: chosen. With more hops a PE has fewer
  // links: there are fewer buffers, which fill sooner, but every item is copied once per hop.
  int hops = 0;

  // The number of PEs of a group, preferably the PEs of a node; the first hop stays within a group,
  // and the last of three hops as well. Must divide the number of PEs. 0: chosen; with two hops,
  // the chosen number need not divide the number of PEs.
  int local_group = 0;

  // The route of the items, instead of `hops` and `local_group`: any route drives any asynchronous
  // conveyor of up to 65536 PEs; direct, matrix and tensor routes drive conveyors of any number of
  // PEs. A tensor conveyor of 1, 2 or 3 hops has the route direct, matrix or tensor.
  std::optional<route> way = std::nullopt;

  // Bytes of items and tags in one buffer; at least the size of an item. 0: BOXCAR_BUFFER_BYTES if
  // the variable is set; otherwise chosen from the number of links, the cache of a core, whether
  // PEs share cores or are on several nodes, and `max_bytes`. The conveyor's `explain` gives the
  // reasons.
  std::size_t buffer_bytes = 0;

  // Buffers per link: 1, 2 or 4. With more than one buffer, a PE can fill a buffer while another
  // buffer is in flight or being read (conveyors-2019, section 4.3.3). Synchronous kinds always
  // have 2.
  int buffers_per_link = 2;

  // The bound on the conveyor's memory on a PE, in bytes; the choice of the other options depends
  // on the bound. 0: for the number of hops, a 32nd of the machine's memory per PE. If nothing
  // fits, the smallest conveyor is built.
  std::size_t max_bytes = 0;

  // Never hold pushed items back: as long as every PE keeps calling advance and pull, each item is
  // delivered, also before the endgame (conveyors-2019, section 3.6).
  bool steady = false;

  // Hold buffers only during a session: allocate at begin, release at reset.
  bool dynamic_memory = false;

  // One hop only. For numbers of PEs at which the ends of all buffers do not fit in the cache: a
  // push prefetches the item's place in the buffer, and writes the item some pushes later
  // (conveyors-2019, section 4.1).
  bool scatter = false;

  // Print on standard error whatever hurts performance: a local group that spans nodes, many
  // buffers sent nearly empty, a PE that has not advanced for seconds.
  bool alert = false;

  // Compress the buffers that go to other nodes, by the standard codec or the codec that
  // `set_codec` gives the conveyor later (docs/compression.md). Elastic conveyors do not compress.
  bool compress = false;

  // While the program runs, find the hops and the size of buffers with which sessions are fastest:
  // at most 25 sessions are tries, and later sessions use the result (docs/tuning.md). Options with
  // a given value keep the value; `buffer_bytes`, or both `hops` and `way`, must be open.
  // BOXCAR_TUNING names a file that keeps the results from run to run.
  bool tune = false;

  // The allocator of memory that only the PE itself uses; nullptr: the heap. Given on all PEs or on
  // none. The allocator must live as long as the conveyor.
  allocator* memory = nullptr;
};

}  // namespace boxcar
