// The model of grids: traffic, hops, and numbers of links and of PE pairs per link.
#include <numeric>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/model.hpp>

namespace boxcar::model {
namespace {

std::int64_t places(const grid_sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t size_of(const grid_sizes& sizes, int dimension) {
  if (dimension < 0 || static_cast<std::size_t>(dimension) >= sizes.size()) {
    throw argument_error("a grid of " + to_text(sizes) + " has no dimension " +
                         std::to_string(dimension) + ": they are numbered from 0");
  }
  return sizes[static_cast<std::size_t>(dimension)];
}

double bytes_of_buffer(const grid_traffic& t) {
  return t.items_per_buffer * t.item_bytes + t.header_bytes;
}

}  // namespace

traffic_figures sent_directly(const grid_traffic& t) {
  const double bytes = t.item_bytes + t.header_bytes;
  return {t.latency_seconds + t.seconds_per_byte * bytes,
          t.network_links_per_message * t.items * bytes, t.items * bytes, t.items};
}

traffic_figures over_grid_at_least(const grid_traffic& t) {
  const double bytes_per_item = t.item_bytes + t.header_bytes / t.items_per_buffer;
  return {t.latency_seconds + t.seconds_per_byte * bytes_of_buffer(t),
          t.network_links_per_message * t.items * bytes_per_item, t.items * bytes_per_item,
          t.items / t.items_per_buffer};
}

traffic_figures over_grid_at_most(const grid_traffic& t) {
  const traffic_figures one_hop = over_grid_at_least(t);
  const double filling_seconds = t.items_per_buffer / t.items_per_second_and_buffer;
  // The network carries every byte over the same number of links, wherever PEs forward the byte.
  return {t.dimensions * (one_hop.item_latency_seconds + filling_seconds), one_hop.link_bytes,
          t.dimensions * one_hop.injected_bytes, t.dimensions * one_hop.messages};
}

std::int64_t links_per_pe(const grid_sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0},
                         [](std::int64_t sum, int size) { return sum + size - 1; });
}

std::int64_t buffer_memory_bytes(std::int64_t links, std::int64_t buffer_bytes,
                                 int buffers_per_link) {
  return links * buffer_bytes * buffers_per_link;
}

// Returns the coefficients of the product of (1 + (s_d - 1) x) over all dimensions.
std::vector<std::int64_t> pes_by_hops(const grid_sizes& sizes) {
  std::vector<std::int64_t> count{1};
  for (const int size : sizes) {
    count.push_back(0);
    for (std::size_t hops = count.size() - 1; hops > 0; --hops) {
      count[hops] += count[hops - 1] * (size - 1);
    }
  }
  return count;
}

double average_hops(const grid_sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0.0,
                         [](double sum, int size) { return sum + (size - 1.0) / size; });
}

std::int64_t pairs_per_link(const grid_sizes& sizes, int dimension) {
  return places(sizes) / size_of(sizes, dimension);
}

std::int64_t pairs_per_pe(const grid_sizes& sizes) {
  return places(sizes);
}

std::int64_t pairs_per_line(const grid_sizes& sizes, int dimension) {
  return (size_of(sizes, dimension) - 1) * places(sizes);
}

}  // namespace boxcar::model
