// The models give the costs and gains of aggregating items in buffers as functions: the models of
// tram-thesis-2014, with the units in the names. docs/models.md explains the models with examples.
// Pure functions; the functions check nothing but values that are not numbers.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boxcar/grid_sizes.hpp>

namespace boxcar::model {

// --- One PE streams to another (section 2.2) -----------------------------------------------------

// The parameters of Table 2.2.
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
  double process_seconds = 0;   // p, to process an item
  double items = 1;             // z
};

// Table 2.3: the time of a stage of the pipeline of source, network and destination.
struct stage_time {
  double single_seconds;    // for a message of one item
  double buffer_seconds;    // for a message of a whole buffer
  double per_item_seconds;  // of a whole buffer
};
[[nodiscard]] stage_time source_stage(const streaming& s);
[[nodiscard]] stage_time network_stage(const streaming& s);
[[nodiscard]] stage_time destination_stage(const streaming& s);

enum class bottleneck { source, network, destination };

// Return the time until all items are processed: the slowest stage once per message, and filling
// and draining the pipeline. `slowest` is taken as the slowest stage, whether it is or not.
[[nodiscard]] double total_seconds_singly(const streaming& s, bottleneck slowest);
[[nodiscard]] double total_seconds_gathered(const streaming& s, bottleneck slowest);

// Condition 2.1: returns whether gathering shortens the stage of the source.
[[nodiscard]] bool gathering_shortens_source(const streaming& s);

// The two sides of conditions 2.3 (source), 2.4 (network) and 2.5 (destination): gathering makes
// the whole faster if the cost, a longer path through the pipeline for the first or last buffer, is
// not more than the saving.
struct balance {
  double cost_seconds;
  double saving_seconds;
  [[nodiscard]] bool pays() const { return cost_seconds <= saving_seconds; }
};
// Returns the two sides for the stage `slowest`. `exposed_latency_seconds` is alpha' of condition
// 2.4: the remaining latency of a message when the latencies of successive messages overlap. At
// most the latency itself; ignored for the other stages.
[[nodiscard]] balance gathering_balance(const streaming& s, bottleneck slowest,
                                        double exposed_latency_seconds);

// --- Whole applications (section 6.1.1) ----------------------------------------------------------

// Equation 6.1: returns the processor time that gathering saves. The thesis prints (o_s + o_d) / g;
// but of g messages g - 1 are saved, and so the function computes (o_s + o_d) * (g - 1) / g.
[[nodiscard]] double processor_seconds_saved(const streaming& s);
// Equation 6.2: returns the network time that gathering saves. The thesis prints beta * e / g; for
// the same reason the function computes beta * e * (g - 1) / g.
[[nodiscard]] double network_seconds_saved(const streaming& s);

// --- Grids (section 3.4) -------------------------------------------------------------------------

// The parameters of Table 3.1.
struct grid_traffic {
  double item_bytes = 8;                   // m
  double header_bytes = 0;                 // e
  double latency_seconds = 0;              // alpha
  double seconds_per_byte = 0;             // beta
  double items_per_buffer = 1;             // g
  double items_per_second_and_buffer = 1;  // r, put into a buffer
  double dimensions = 1;                   // N
  double network_links_per_message = 1;    // l
  double items = 1;                        // z
};
struct traffic_figures {
  double item_latency_seconds;
  double link_bytes;      // carried over all links of the network
  double injected_bytes;  // from the PEs into the network
  double messages;
};
// Table 3.1: the figures of items sent one by one, and the lower and upper bounds of a grid.
[[nodiscard]] traffic_figures sent_directly(const grid_traffic& t);
[[nodiscard]] traffic_figures over_grid_at_least(const grid_traffic& t);
[[nodiscard]] traffic_figures over_grid_at_most(const grid_traffic& t);

// Section 3.3.2: returns the number of other PEs that a PE of the grid sends to.
[[nodiscard]] std::int64_t links_per_pe(const grid_sizes& sizes);
// Section 3.4.2: returns the memory of the buffers of a PE.
[[nodiscard]] std::int64_t buffer_memory_bytes(std::int64_t links, std::int64_t buffer_bytes,
                                               int buffers_per_link = 1);

// Equation 3.3, for sizes that need not be equal: returns the numbers of PEs that an item reaches
// in 0, 1, ..., N hops.
[[nodiscard]] std::vector<std::int64_t> pes_by_hops(const grid_sizes& sizes);
// Returns the average number of hops of an item from any PE to any PE, itself included.
[[nodiscard]] double average_hops(const grid_sizes& sizes);

// When every PE sends to every PE, itself included: return the number of pairs whose items share a
// link along a dimension (equation 3.4), of pairs whose items a PE handles, delivered or forwarded
// (equation 3.5), and of pairs whose items travel on a line of PEs along a dimension (equation
// 3.6).
[[nodiscard]] std::int64_t pairs_per_link(const grid_sizes& sizes, int dimension);
[[nodiscard]] std::int64_t pairs_per_pe(const grid_sizes& sizes);
[[nodiscard]] std::int64_t pairs_per_line(const grid_sizes& sizes, int dimension);

// --- Networks that send packets (section 2.3.2) --------------------------------------------------

// The packets of Blue Gene/P: up to 256 bytes in chunks of 32, including 12 bytes of packet header.
struct packet_format {
  std::int64_t packet_bytes = 256;
  std::int64_t chunk_bytes = 32;
  std::int64_t header_bytes = 12;
};
struct packet_count {
  std::int64_t packets;
  std::int64_t bytes;  // of all their chunks
};
// Returns the packets of a message; `message_bytes` includes the envelope (Table 2.4).
[[nodiscard]] packet_count packets_of(std::int64_t message_bytes, const packet_format& format = {});

// --- A whole exchange over a grid ----------------------------------------------------------------

// The costs of a message, on a link within a node or between nodes.
struct link_costs {
  double send_seconds;
  double receive_seconds;
  double latency_seconds;
  double seconds_per_byte;
  double header_bytes;
};

struct machine {
  double gather_seconds;  // to put an item into a buffer, and to take the item out at the
                          // destination
  link_costs within_node;
  link_costs between_nodes;
  double cache_bytes;         // of a core: open buffers should fit
  double cache_miss_seconds;  // for an item that is put into a buffer outside of the cache
};
// Returns a machine as usual today: nodes with cores of a few GHz, a network of 100 Gbit/s. The
// figures of a node are measured with threads of Boxcar, rounded.
[[nodiscard]] machine ordinary_machine();

struct exchange_plan {
  grid_sizes sizes;
  int pes_per_node = 1;  // consecutive PEs of the grid's numbering that share a node
  double item_bytes = 8;
  double items_per_pe = 1;  // sent by a PE, to all PEs alike
  double buffer_bytes = 16384;
  int buffers_per_link = 2;
};
// Returns how long a PE is busy: every item is put into a buffer on each dimension that the item
// has to travel, and every message has the costs of Table 2.3. A buffer is sent when full, or at
// the end.
[[nodiscard]] double busy_seconds(const exchange_plan& plan, const machine& m);

}  // namespace boxcar::model
