#include "conveyor/option_check.hpp"

#include <algorithm>

#include <boxcar/error.hpp>

#include "model/buffer_size.hpp"
#include "route/route_function.hpp"
#include "route/tagged_route.hpp"
#include "substrate/environment.hpp"

namespace boxcar::detail {
namespace {

// Returns a text about the minimum size of a buffer, for messages.
std::string need_of(const item_format& what) {
  return (what.elastic ? "the ticket of a large item has " : "an item has ") +
         std::to_string(what.item_bytes) + " bytes";
}

std::string check(const conveyor_options& o, const item_format& what, int pes) {
  const auto text = [](auto n) { return std::to_string(n); };
  const std::size_t item_bytes = what.item_bytes;
  if (item_bytes == 0 || item_bytes > largest_item) {
    return "an item of " + text(item_bytes) + " bytes cannot be sent: 1 to " + text(largest_item) +
           " bytes; send larger ones in pieces, or through an elastic conveyor";
  }
  if (o.kind < conveyor_kind::automatic || o.kind > conveyor_kind::twohop) {
    return "kind is " + text(static_cast<int>(o.kind)) +
           ", which is no conveyor_kind: give one of its values, such as automatic";
  }
  if (o.buffers_per_link != 1 && o.buffers_per_link != 2 && o.buffers_per_link != 4) {
    return "buffers_per_link is " + text(o.buffers_per_link) + ": give 1, 2 or 4";
  }
  if (o.buffer_bytes != 0 && o.buffer_bytes < item_bytes) {
    return "buffer_bytes is " + text(o.buffer_bytes) + ", but " + need_of(what) +
           ": give at least that, or 0 to have a size chosen";
  }
  if (o.buffer_bytes > largest_buffer) {
    return "buffer_bytes is " + text(o.buffer_bytes) + ": give at most " + text(largest_buffer);
  }
  if (o.way && o.way->pes() != pes) {
    return "the route is for " + text(o.way->pes()) + " PEs (" + o.way->describe() +
           "), but the world has " + text(pes) + ": make it for as many";
  }
  if (o.way && (o.hops != 0 || o.local_group != 0)) {
    return "a route is given (" + o.way->describe() +
           "), and a route determines the hops: leave `hops` and `local_group` 0";
  }
  if (o.hops < 0 || o.hops > 3) {
    return "hops is " + text(o.hops) + ": give 1, 2 or 3, or 0 to have it chosen";
  }
  const std::size_t wished = wished_buffer(o);
  if (wished != 0 && wished < item_bytes) {
    return "BOXCAR_BUFFER_BYTES is " + text(wished) + ", but " + need_of(what) +
           ": set it to at least that, or unset it";
  }
  if (wished > largest_buffer) {
    return "BOXCAR_BUFFER_BYTES is " + text(wished) + ": set it to at most " +
           text(largest_buffer) + ", or unset it";
  }
  const int kind_hops = o.kind == conveyor_kind::simple   ? 1
                        : o.kind == conveyor_kind::twohop ? 2
                                                          : 0;
  if (kind_hops != 0 && o.hops != 0 && o.hops != kind_hops) {
    return "hops is " + text(o.hops) + ", but this kind of conveyor has " + text(kind_hops) +
           ": leave it 0";
  }
  if (o.way && kind_hops != 0) {
    return "a route is given (" + o.way->describe() +
           "), and routes drive asynchronous conveyors: leave `kind` automatic or tensor";
  }
  if (what.elastic && kind_hops != 0) {
    return "elastic conveyors are asynchronous: leave `kind` automatic or tensor";
  }
  if (what.elastic && o.scatter) {
    return "elastic conveyors do not prefetch: leave `scatter` out";
  }
  const int hops_of_way = o.way ? o.way->function().tagged().hops() : 0;  // throws, if too long
  if (o.scatter && (o.hops > 1 || kind_hops == 2 || hops_of_way > 1)) {
    return "scatter is for conveyors of one hop: with more, buffers are few and stay in the cache";
  }
  if (o.tune && o.buffer_bytes != 0 && (o.way || o.hops != 0 || kind_hops != 0 || o.scatter)) {
    return "tune is true, but nothing is open: leave buffer_bytes (now " + text(o.buffer_bytes) +
           ") 0, or the way of items (now given by `way`, `hops`, `kind` or `scatter`), or `tune` "
           "out";
  }
  if (o.local_group < 0)
    return "local_group is " + text(o.local_group) + ": give a divisor of " + text(pes);
  if (o.local_group > 0)
    tagged_route::with_hops(std::max({o.hops, kind_hops, 2}), pes, o.local_group);
  return {};
}

}  // namespace

std::size_t wished_buffer(const conveyor_options& options) {
  return options.buffer_bytes != 0 ? 0 : buffer_bytes_from_environment().value_or(0);
}

std::string find_problem(const conveyor_options& o, const item_format& what, int pes) {
  try {
    return check(o, what, pes);
  } catch (const argument_error& e) {
    return e.what();
  }
}

}  // namespace boxcar::detail
