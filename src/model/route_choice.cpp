// The choice of a route and a buffer size: the cheapest by the model among those that fit in the
// memory.
#include <cstdint>
#include <optional>
#include <sstream>
#include <vector>

#include <boxcar/detail/item_count.hpp>
#include <boxcar/error.hpp>
#include <boxcar/route_choice.hpp>

#include "grid/candidate_grids.hpp"
#include "model/buffer_size.hpp"
#include "model/fitting.hpp"
#include "route/links_of_route.hpp"

namespace boxcar {
namespace {

using detail::max_links_of_route;

struct candidate {
  grid_sizes sizes;
  std::size_t buffer_bytes;
  std::size_t memory_bytes;
  double seconds;
};

void check(const route_request& wish) {
  if (wish.pes < 1 || wish.pes_per_node < 1) {
    throw argument_error("a route for " + std::to_string(wish.pes) + " PEs, " +
                         std::to_string(wish.pes_per_node) + " per node: give at least 1");
  }
  if (wish.item_bytes == 0) throw argument_error("a route for items of 0 bytes: give their size");
  if (wish.buffers_per_link < 1) {
    throw argument_error("a route with " + std::to_string(wish.buffers_per_link) +
                         " buffers per link: give at least 1");
  }
}

// Returns sizes up to the default size for `links` links.
std::vector<std::size_t> buffer_sizes(const route_request& wish, std::int64_t links) {
  if (wish.buffer_bytes != 0) return {wish.buffer_bytes};
  std::vector<std::size_t> sizes;
  constexpr std::size_t least = 1024;
  const std::size_t most =
      detail::choose_buffer_size(static_cast<std::size_t>(links) + 1, wish.item_bytes,
                                 detail::usual_place(wish.pes_per_node < wish.pes))
          .bytes;
  for (std::size_t bytes = least; bytes <= most; bytes *= 2) {
    if (bytes >= wish.item_bytes) sizes.push_back(bytes);
  }
  if (sizes.empty()) sizes.push_back(wish.item_bytes);
  return sizes;
}

candidate evaluate(const route_request& wish, const model::machine& machine,
                   const grid_sizes& sizes, std::size_t buffer_bytes) {
  const double items = detail::item_count(wish.items_per_pe);
  const model::exchange_plan plan{.sizes = sizes,
                                  .pes_per_node = wish.pes_per_node,
                                  .item_bytes = static_cast<double>(wish.item_bytes),
                                  .items_per_pe = items,
                                  .buffer_bytes = static_cast<double>(buffer_bytes),
                                  .buffers_per_link = wish.buffers_per_link};
  const auto memory = model::buffer_memory_bytes(
      model::links_per_pe(sizes), static_cast<std::int64_t>(buffer_bytes), wish.buffers_per_link);
  return {sizes, buffer_bytes, static_cast<std::size_t>(memory), busy_seconds(plan, machine)};
}

// Larger buffers keep items waiting for longer. The model does not count this time, so larger
// buffers must save a fiftieth of the time.
constexpr double worth_larger_buffers = 0.98;

// Returns true if `a` fits under the bound and `b` does not, or if `a` needs less than `share` of
// the time of `b`; if neither fits, the candidate with less memory is better.
bool is_better(const candidate& a, const candidate& b, std::size_t max_bytes, double share = 1) {
  const bool a_fits = a.memory_bytes <= max_bytes;
  const bool b_fits = b.memory_bytes <= max_bytes;
  if (a_fits != b_fits) return a_fits;
  if (!a_fits) return a.memory_bytes < b.memory_bytes;
  return a.seconds < share * b.seconds;
}

std::string line_about(const candidate& c) {
  std::ostringstream line;
  line.precision(3);
  line << "  " << to_text(c.sizes) << ": " << model::links_per_pe(c.sizes) << " links, "
       << model::average_hops(c.sizes) << " hops, best with buffers of " << c.buffer_bytes
       << " bytes (" << c.memory_bytes << " in all), " << c.seconds * 1e6 << " us\n";
  return line.str();
}

// A PE has a link to itself beside those of the grid.
bool has_too_many_links(const grid_sizes& sizes) {
  return model::links_per_pe(sizes) >= static_cast<std::int64_t>(max_links_of_route);
}

std::string line_about_refused(const grid_sizes& sizes) {
  return "  " + to_text(sizes) + ": " + std::to_string(model::links_per_pe(sizes)) +
         " links, more than a route can have\n";
}

// The bound is equal on all PEs, whatever memory their machines have.
std::size_t max_bytes_of(const route_request& wish) {
  if (wish.max_bytes != 0) return wish.max_bytes;
  return detail::memory_bound::of(0, detail::usual_place(wish.pes_per_node < wish.pes)).bytes;
}

std::string introduction(const route_request& wish, std::size_t max_bytes) {
  std::string text = "for " + std::to_string(wish.pes) + " PEs, " +
                     std::to_string(wish.pes_per_node) + " per node, items of " +
                     std::to_string(wish.item_bytes) + " bytes, ";
  text += wish.items_per_pe == 0 ? std::string("very many") : std::to_string(wish.items_per_pe);
  text += " from each PE to all others, ";
  text += "at most " + std::to_string(max_bytes) + " bytes of buffers";
  if (wish.max_bytes == 0) text += " as no bound is given";
  return text + ", a PE is busy by the model for:\n";
}

}  // namespace

route_choice choose_route(const route_request& wish, const model::machine& machine) {
  check(wish);
  const std::size_t max_bytes = max_bytes_of(wish);
  std::string reasons = introduction(wish, max_bytes);
  std::optional<candidate> best;
  for (const grid_sizes& sizes : detail::candidate_grids(wish.pes, wish.pes_per_node)) {
    if (has_too_many_links(sizes)) {
      reasons += line_about_refused(sizes);
      continue;
    }
    std::optional<candidate> of_grid;
    for (const std::size_t bytes : buffer_sizes(wish, model::links_per_pe(sizes))) {
      const candidate c = evaluate(wish, machine, sizes, bytes);
      if (!of_grid || is_better(c, *of_grid, max_bytes, worth_larger_buffers)) of_grid = c;
    }
    reasons += line_about(*of_grid);
    if (!best || is_better(*of_grid, *best, max_bytes)) best = of_grid;
  }
  reasons += "chosen: " + to_text(best->sizes) + " with buffers of " +
             std::to_string(best->buffer_bytes) + " bytes";
  reasons += best->memory_bytes > max_bytes
                 ? ", the least memory, for nothing fits under the bound\n"
                 : ", the shortest time\n";
  grid_sizes sizes = best->sizes;
  if (sizes.size() == 1) return {route::direct(wish.pes), best->buffer_bytes, reasons};
  sizes[0] = 0;  // its last slab may be incomplete
  return {route::grid(wish.pes, sizes), best->buffer_bytes, reasons};
}

}  // namespace boxcar
