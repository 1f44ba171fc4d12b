// The model of an exchange: the time for which a PE is busy with its items on a given route.
#include <algorithm>

#include <boxcar/model.hpp>

namespace boxcar::model {
namespace {

constexpr double destination_bytes = 4;  // with every item but on the last dimension

// Returns whether PEs that differ only in this dimension are on the same node.
bool stays_on_node(const exchange_plan& plan, std::size_t dimension) {
  std::int64_t span = 1;
  for (std::size_t d = dimension; d < plan.sizes.size(); ++d) span *= plan.sizes[d];
  return span <= plan.pes_per_node;
}

double seconds_along(const exchange_plan& plan, const machine& m, std::size_t dimension,
                     double put_seconds) {
  const double size = plan.sizes[dimension];
  const link_costs& link = stays_on_node(plan, dimension) ? m.within_node : m.between_nodes;
  const double packet_bytes = plan.item_bytes + (dimension == 0 ? 0 : destination_bytes);
  const double items_per_buffer = std::max(1.0, plan.buffer_bytes / packet_bytes);
  const double items_per_link = plan.items_per_pe / size;
  const double items = items_per_link * (size - 1);
  const double full_buffers = items_per_link / items_per_buffer;
  // The last message of a link is not full. If one message holds all items, the link has no other
  // message; with less than one item per link, not all links have a message.
  const double messages =
      (size - 1) * (full_buffers > 1 ? full_buffers + 1 : std::min(1.0, items_per_link));
  return items * (put_seconds + link.seconds_per_byte * packet_bytes) +
         messages * (link.send_seconds + link.receive_seconds +
                     link.seconds_per_byte * link.header_bytes) +
         (size > 1 ? link.latency_seconds : 0);
}

}  // namespace

machine ordinary_machine() {
  return {.gather_seconds = 3e-9,
          .within_node = {.send_seconds = 150e-9,
                          .receive_seconds = 150e-9,
                          .latency_seconds = 1e-6,
                          .seconds_per_byte = 0.1e-9,
                          .header_bytes = 0},
          .between_nodes = {.send_seconds = 500e-9,
                            .receive_seconds = 500e-9,
                            .latency_seconds = 3e-6,
                            .seconds_per_byte = 0.1e-9,
                            .header_bytes = 64},
          .cache_bytes = 1 << 20,
          .cache_miss_seconds = 15e-9};
}

double busy_seconds(const exchange_plan& plan, const machine& m) {
  const auto memory = static_cast<double>(
      buffer_memory_bytes(links_per_pe(plan.sizes), static_cast<std::int64_t>(plan.buffer_bytes),
                          plan.buffers_per_link));
  const double missing = std::max(0.0, 1 - m.cache_bytes / std::max(memory, 1.0));
  const double put_seconds = m.gather_seconds + missing * m.cache_miss_seconds;
  double seconds = 0;
  for (std::size_t d = 0; d < plan.sizes.size(); ++d) {
    seconds += seconds_along(plan, m, d, put_seconds);
  }
  return seconds;
}

}  // namespace boxcar::model
