// What gathering items into buffers costs and gains, as functions: the models of tram-thesis-2014,
// with the units in the names. docs/models.md explains them with examples. Pure functions; they
// check nothing but what would be no number.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boxcar/grid_sizes.hpp>

namespace boxcar::model {

// --- One PE streams to another (section 2.2) -----------------------------------------------------

// Table 2.2.
struct streaming {
  double item_bytes = 8;        // m
  double header_bytes = 0;      // e, of a message
  double send_seconds = 0;      // o_s, of the sender for a message
  double receive_seconds = 0;   // o_d, of the receiver for a message
  double gather_seconds = 0;    // o_a, to put an item into a buffer
  double latency_seconds = 0;   // alpha, of an empty message
  double seconds_per_byte = 0;  // beta, the inverse of the bandwidth
  double items_per_buffer = 1;  // g
  double produce_seconds = 0;   // c, to compute an item
  double process_seconds = 0;   // p, to work it off
  double items = 1;             // z
};

// Table 2.3: how long a stage of the pipeline of source, network and destination takes.
struct stage_time {
  double single_seconds;    // for a message of one item
  double buffer_seconds;    // for a message of a whole buffer
  double per_item_seconds;  // of a whole buffer
};
[[nodiscard]] stage_time source_stage(const streaming& s);
[[nodiscard]] stage_time network_stage(const streaming& s);
[[nodiscard]] stage_time destination_stage(const streaming& s);

enum class bottleneck { source, network, destination };

// Until all items are worked off: the slowest stage once per message, and filling and draining the
// pipeline. With the stage that is said to be the slowest, whether it is or not.
[[nodiscard]] double total_seconds_singly(const streaming& s, bottleneck slowest);
[[nodiscard]] double total_seconds_gathered(const streaming& s, bottleneck slowest);

// Condition 2.1: gathering shortens the stage of the source.
[[nodiscard]] bool gathering_shortens_source(const streaming& s);

// Both sides of conditions 2.3 (source), 2.4 (network) and 2.5 (destination): gathering makes the
// whole faster if what it costs, a longer way through the pipeline for the first or last buffer, is
// not more than what it saves.
struct balance {
  double cost_seconds;
  double saving_seconds;
  [[nodiscard]] bool pays() const { return cost_seconds <= saving_seconds; }
};
// `exposed_latency_seconds` is alpha' of condition 2.4: what remains of the latency of a message
// when those of successive messages overlap. At most the latency itself; of no matter elsewhere.
[[nodiscard]] balance gathering_balance(const streaming& s, bottleneck slowest,
                                        double exposed_latency_seconds);

// --- Whole applications (section 6.1.1) ----------------------------------------------------------

// Equation 6.1: processor time that gathering saves. The thesis prints (o_s + o_d) / g; but of g
// messages g - 1 are saved, so it must be (o_s + o_d) * (g - 1) / g, and so it is here.
[[nodiscard]] double processor_seconds_saved(const streaming& s);
// Equation 6.2: network time that gathering saves. The thesis prints beta * e / g; in the same way
// it must be beta * e * (g - 1) / g.
[[nodiscard]] double network_seconds_saved(const streaming& s);

// --- Grids (section 3.4) -------------------------------------------------------------------------

// For Table 3.1.
struct grid_traffic {
  double item_bytes = 8;                   // m
  double header_bytes = 0;                 // e
  double latency_seconds = 0;              // alpha
  double seconds_per_byte = 0;             // beta
  double items_per_buffer = 1;             // g
  double items_per_second_and_buffer = 1;  // r, that are put in
  double dimensions = 1;                   // N
  double network_links_per_message = 1;    // l
  double items = 1;                        // z
};
struct traffic_figures {
  double item_latency_seconds;
  double link_bytes;      // carried over all links of the network
  double injected_bytes;  // that PEs hand to the network
  double messages;
};
// Table 3.1: every item for itself, and the bounds between which a grid lies.
[[nodiscard]] traffic_figures sent_directly(const grid_traffic& t);
[[nodiscard]] traffic_figures over_grid_at_least(const grid_traffic& t);
[[nodiscard]] traffic_figures over_grid_at_most(const grid_traffic& t);

// Section 3.3.2: to how many others a PE of the grid sends.
[[nodiscard]] std::int64_t links_per_pe(const grid_sizes& sizes);
// Section 3.4.2: what buffers take on a PE.
[[nodiscard]] std::int64_t buffer_memory_bytes(std::int64_t links, std::int64_t buffer_bytes,
                                               int buffers_per_link = 1);

// Equation 3.3, for sizes that need not be equal: to how many PEs an item takes 0, 1, ..., N hops.
[[nodiscard]] std::vector<std::int64_t> pes_by_hops(const grid_sizes& sizes);
// Of an item from any PE to any PE, itself included.
[[nodiscard]] double average_hops(const grid_sizes& sizes);

// When every PE sends to every PE, itself included: the pairs whose items share a link along a
// dimension (equation 3.4), those whose items a PE handles along it, whether they stay or go on
// (equation 3.5), and those whose items travel on a line of PEs along it (equation 3.6).
[[nodiscard]] std::int64_t pairs_per_link(const grid_sizes& sizes, int dimension);
[[nodiscard]] std::int64_t pairs_per_pe(const grid_sizes& sizes);
[[nodiscard]] std::int64_t pairs_per_line(const grid_sizes& sizes, int dimension);

// --- Networks that send packets (section 2.3.2) --------------------------------------------------

// Blue Gene/P: packets of up to 256 bytes in chunks of 32, of which 12 are the packet's header.
struct packet_format {
  std::int64_t packet_bytes = 256;
  std::int64_t chunk_bytes = 32;
  std::int64_t header_bytes = 12;
};
struct packet_count {
  std::int64_t packets;
  std::int64_t bytes;  // of all their chunks
};
// What a message, its envelope included, becomes (Table 2.4).
[[nodiscard]] packet_count packets_of(std::int64_t message_bytes, const packet_format& format = {});

// --- A whole exchange over a grid ----------------------------------------------------------------

// What a message costs, on a link within a node or between nodes.
struct link_costs {
  double send_seconds;
  double receive_seconds;
  double latency_seconds;
  double seconds_per_byte;
  double header_bytes;
};

struct machine {
  double gather_seconds;  // to put an item into a buffer, and to take it out where it arrives
  link_costs within_node;
  link_costs between_nodes;
  double cache_bytes;         // of a core: buffers that are being filled should fit
  double cache_miss_seconds;  // for an item that is put into a buffer that is not in the cache
};
// A machine as they are today: nodes with cores of a few GHz, a network of 100 Gbit/s. The figures
// of a node are those of threads of Boxcar, rounded.
[[nodiscard]] machine ordinary_machine();

struct exchange_plan {
  grid_sizes sizes;
  int pes_per_node = 1;  // the last PEs of the grid's numbering that share a node
  double item_bytes = 8;
  double items_per_pe = 1;  // that a PE sends, to all PEs alike
  double buffer_bytes = 16384;
  int buffers_per_link = 2;
};
// How long a PE is busy: every item is put into a buffer on each dimension on which it has to go,
// and every message costs what Table 2.3 says. A buffer is sent when it is full, or at the end.
[[nodiscard]] double busy_seconds(const exchange_plan& plan, const machine& m);

}  // namespace boxcar::model
