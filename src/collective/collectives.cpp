#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "collective/plan.hpp"
#include "collective/request.hpp"
#include "collective/scheduled_collective.hpp"
#include "collective/shared_collective.hpp"
#include "substrate/agreement.hpp"
#include "trigger/memory_ranges.hpp"

namespace boxcar {
namespace detail {
namespace {

constexpr std::string_view owner = "a collective's";

std::string_view text_of(std::span<const std::byte> raw) {
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

std::string bytes(std::size_t n) {
  return std::to_string(n) + " bytes";
}

// Whose blocks are as long as a span of each PE.
bool has_blocks(collective_operation kind) {
  return kind == collective_operation::scatter || kind == collective_operation::gather ||
         kind == collective_operation::all_gather || kind == collective_operation::reduce_scatter;
}
bool has_root(collective_operation kind) {
  return kind == collective_operation::broadcast || kind == collective_operation::reduce ||
         kind == collective_operation::scatter || kind == collective_operation::gather;
}

// What only the root gives or gets is nothing elsewhere.
void drop_what_does_not_count(collective_request& call, bool is_root) {
  if (is_root) return;
  if (call.kind == collective_operation::broadcast || call.kind == collective_operation::scatter) {
    call.in = {};
  } else if (call.kind == collective_operation::reduce ||
             call.kind == collective_operation::gather) {
    call.out = {};
  }
}

// --- What can never work -------------------------------------------------------------------------

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
  if (o.over == topology::shared_memory) {
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

// Of lengths that this PE alone knows to be wrong.
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

// The blocks of all PEs together are what one has, or has room for.
std::string problem_of_blocks(const collective_request& call, bool is_root) {
  const std::size_t sum = sum_of(call.sizes);
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

// --- What all PEs find out together --------------------------------------------------------------

void object_if_any(agreement& all, const std::string& problem) {
  if (!problem.empty()) all.object(problem);
}

std::vector<std::size_t> all_gathered(substrate& s, std::size_t mine) {
  std::vector<std::size_t> all(static_cast<std::size_t>(s.size()));
  s.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)).data(),
               {});
  return all;
}

}  // namespace

collective collective_maker::make(collective_operation kind, int root,
                                  std::span<const std::byte> in, std::span<std::byte> out,
                                  const type_identity& of, combination_of_elements how,
                                  const collective_options& options,
                                  std::span<const std::byte> first) const {
  const called_scope scope("making a collective");
  substrate& s = *world_->substrate();
  s.require_own_thread("making a collective");
  const bool is_root = s.rank() == root;
  collective_request call{.kind = kind, .root = root, .in = in, .out = out, .how = std::move(how)};
  call.first.assign(first.begin(), first.end());
  agreement all;
  all.on("kind", name_of(kind));
  if (root < 0 || root >= s.size()) {
    all.object("the root is PE " + std::to_string(root) + "; the world has the PEs 0 to " +
               std::to_string(s.size() - 1));
  }
  object_if_any(all, problem_of_options(kind, options, s));
  object_if_any(all, problem_of_lengths(call, s.size(), is_root));
  all.on("root", root);
  all.on("type", of.name);
  all.on("size of elements", call.how.element_bytes);
  all.on("combination", !call.how.numbers
                            ? std::string("a function")
                            : "number " + std::to_string(static_cast<int>(call.how.numbers->how)));
  all.on("first", std::hash<std::string_view>()(text_of(first)));
  all.on("topology", name_of(options.over));
  all.on("fan_out", options.fan_out);
  all.on("segment_bytes", options.segment_bytes);
  all.on("by_node", options.by_node ? 1 : 0);
  all.on("windows", includes_.size());
  if (kind == collective_operation::broadcast) {
    all.on("bytes", out.size());
  } else if (!has_blocks(kind)) {
    all.on("bytes", in.size());
  }
  all.require(s, name_of(kind), owner);
  drop_what_does_not_count(call, is_root);

  agreement of_blocks;
  if (has_blocks(kind)) {
    const bool gets =
        kind == collective_operation::scatter || kind == collective_operation::reduce_scatter;
    call.sizes = all_gathered(s, gets ? out.size() : in.size());
    object_if_any(of_blocks, problem_of_blocks(call, is_root));
  } else if (kind == collective_operation::all_to_all) {
    const auto pes = static_cast<std::size_t>(s.size());
    call.sizes.assign(pes, in.size() / pes);
    call.arriving = call.sizes;
    call.places.assign(pes, static_cast<std::size_t>(s.rank()) * (in.size() / pes));
  }
  return finish(std::move(call), std::move(of_blocks), options);
}

collective collective_maker::finish(collective_request call, agreement all,
                                    const collective_options& options) const {
  substrate& s = *world_->substrate();
  object_if_any(all, problem_of_overlap(call, s.rank()));
  std::uint64_t most = call.in.size();
  all.require(s, name_of(call.kind), owner, {&most, 1});
  call.most_given = most;
  std::vector<int> nodes;
  for (int pe = 0; pe < s.size(); ++pe) nodes.push_back(s.node_of(pe));
  collective_way way = choose_way(call, options, nodes);
  if (way.over == topology::shared_memory) {
    return collective(
        std::make_unique<shared_collective>(*world_, std::move(call), std::move(way)));
  }
  return collective(
      std::make_unique<scheduled_collective>(*world_, call, way, nodes, includes_, parts_));
}

collective collective_maker::make_all_to_all(std::span<const std::byte> in,
                                             std::span<std::byte> out,
                                             const std::vector<std::size_t>& sizes,
                                             const type_identity& of, std::size_t element_bytes,
                                             const collective_options& options) const {
  constexpr auto kind = collective_operation::all_to_all;
  const called_scope scope("making a collective");
  substrate& s = *world_->substrate();
  s.require_own_thread("making a collective");
  collective_request call{
      .kind = kind, .in = in, .out = out, .how = {.element_bytes = element_bytes}};
  agreement all;
  object_if_any(all, problem_of_options(kind, options, s));
  if (sizes.size() != static_cast<std::size_t>(s.size())) {
    all.object(std::to_string(sizes.size()) + " sizes are given; give one for each of " +
               std::to_string(s.size()) + " PEs");
  }
  std::size_t left = in.size() / element_bytes;
  for (const std::size_t n : sizes) {
    if (n > left) all.object("the sizes say more than the " + bytes(in.size()) + " that are given");
    left -= std::min(n, left);
    call.sizes.push_back(n * element_bytes);
  }
  if (sum_of(call.sizes) != in.size()) {
    all.object(bytes(in.size()) + " are given, but the sizes say " + bytes(sum_of(call.sizes)) +
               "; give as many");
  }
  all.on("kind", "all_to_all with sizes");
  all.on("type", of.name);
  all.on("size of elements", element_bytes);
  all.on("topology", name_of(options.over));
  all.on("windows", includes_.size());
  all.require(s, name_of(kind), owner);

  // What the others have for this PE, and where.
  const collective_maker plain(*world_);
  const auto exchanged = [&plain](const std::vector<std::size_t>& mine) {
    std::vector<std::size_t> theirs(mine.size());
    collective exchange = plain.make(
        kind, 0, std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(theirs)),
        identity_of<std::size_t>, {.element_bytes = sizeof(std::size_t)}, {});
    exchange.start();
    exchange.wait();
    return theirs;
  };
  std::vector<std::size_t> places(call.sizes.size());
  std::exclusive_scan(call.sizes.begin(), call.sizes.end(), places.begin(), std::size_t{0});
  call.arriving = exchanged(call.sizes);
  call.places = exchanged(places);
  agreement of_blocks;
  if (sum_of(call.arriving) != out.size()) {
    of_blocks.object("there is room for " + bytes(out.size()) + ", but the others give " +
                     bytes(sum_of(call.arriving)) + "; give room for as many");
  }
  return finish(std::move(call), std::move(of_blocks), options);
}

}  // namespace detail

collective::collective(std::unique_ptr<detail::collective_state> state)
    : state_(std::move(state)) {}
collective::collective(collective&&) noexcept = default;
collective& collective::operator=(collective&&) noexcept = default;
collective::~collective() = default;

detail::collective_state& collective::state(const char* operation) const {
  if (state_ != nullptr) return *state_;
  throw contract_error(std::string(operation) +
                       ": the collective has been moved from; use the one it was moved to");
}

void collective::start() {
  state("start").start();
}
bool collective::test() {
  return state("test").test();
}
void collective::wait() {
  const detail::called_scope scope("wait for a collective");
  state("wait").wait();
}
std::string collective::explain() const {
  return state("explain").explain();
}
std::string collective::text() const {
  return state("text").text();
}
std::string collective::graphviz() const {
  return state("graphviz").graphviz();
}

}  // namespace boxcar
