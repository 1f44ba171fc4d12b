#include "collective/problems.hpp"

#include <cstddef>

#include "trigger/memory_ranges.hpp"

namespace boxcar::detail {
namespace {

std::string bytes(std::size_t n) {
  return std::to_string(n) + " bytes";
}

}  // namespace

std::string problem_of_root(const collective_request& call, int pes) {
  if (call.root >= 0 && call.root < pes) return {};
  return "the root is PE " + std::to_string(call.root) + "; the world has the PEs 0 to " +
         std::to_string(pes - 1);
}

std::string problem_of_options(collective_operation kind, const collective_options& o,
                               const substrate& s) {
  if (o.fan_out < 0) {
    return "collective_options::fan_out is " + std::to_string(o.fan_out) +
           "; give 0, for what is best, or more";
  }
  if (o.over == topology::k_nomial_tree && o.fan_out == 1) {
    return "collective_options::fan_out is 1, which no k-nomial tree has; give 2 or more, or "
           "topology::chain";
  }
  if (o.over == topology::shared_memory && can_go_over_shared_memory(kind)) {
    if (s.layout().nodes() == 1) return {};
    return "it cannot go over shared memory: the PEs are on " + std::to_string(s.layout().nodes()) +
           " nodes; give another topology, or automatic";
  }
  std::string possible;
  for (const topology t : topologies_for(kind)) {
    if (o.over == topology::automatic || o.over == t) return {};
    if (!possible.empty()) possible += ", ";
    possible += name_of(t);
  }
  return "it cannot go over the topology \"" + std::string(name_of(o.over)) + "\"; give one of " +
         possible + ", or automatic";
}

std::string problem_of_lengths(const collective_request& call, int pes, bool is_root) {
  const std::size_t in = call.in.size();
  const std::size_t out = call.out.size();
  switch (call.kind) {
    case collective_operation::reduce:
      if (!is_root) return {};
      [[fallthrough]];
    case collective_operation::all_reduce:
    case collective_operation::scan:
    case collective_operation::exclusive_scan:
      if (in == out) return {};
      return bytes(in) + " are given, but there is room for " + bytes(out) +
             "; give room for as many";
    case collective_operation::all_to_all: {
      const std::size_t whole = call.how.element_bytes * static_cast<std::size_t>(pes);
      if (in == out && in % whole == 0) return {};
      return bytes(in) + " are given and there is room for " + bytes(out) +
             "; both must be as many elements, and as many for each of " + std::to_string(pes) +
             " PEs; give `sizes` if these differ";
    }
    default:
      return {};
  }
}

std::string problem_of_blocks(const collective_request& call, std::size_t sum, bool is_root) {
  const bool gives = call.kind == collective_operation::scatter ||
                     call.kind == collective_operation::reduce_scatter;
  const std::size_t whole = gives ? call.in.size() : call.out.size();
  if ((has_root(call.kind) && !is_root) || whole == sum) return {};
  return gives ? bytes(whole) + " are given, but all PEs together have room for " + bytes(sum) +
                     "; give as many"
               : "there is room for " + bytes(whole) + ", but all PEs together give " + bytes(sum) +
                     "; give room for as many";
}

std::string problem_of_overlap(const collective_request& call, int pe) {
  if (!overlap(call.in, call.out)) return {};
  bool is_possible = false;
  switch (call.kind) {
    case collective_operation::gather:
    case collective_operation::all_gather:
      is_possible = call.in.data() == call.out.data() + call.start_of_block(pe);
      break;
    case collective_operation::scatter:
      is_possible = call.out.data() == call.in.data() + call.start_of_block(pe);
      break;
    case collective_operation::reduce_scatter:
    case collective_operation::neighbor_all_to_all:
      break;
    case collective_operation::all_to_all:
      is_possible = call.is_in_place() && call.sizes == call.arriving;
      break;
    default:
      is_possible = call.is_in_place();
  }
  if (is_possible) return {};
  return "what the PE gives and the room for what it gets overlap; give memory of their own, or "
         "what docs/collectives.md calls in place";
}

}  // namespace boxcar::detail
