#include "collective/making.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "collective/choice.hpp"
#include "collective/scheduled_collective.hpp"
#include "collective/shared_collective.hpp"
#include "collective/ways_of_machine.hpp"
#include "one_sided/rpc_engine.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"
#include "trigger/memory_ranges.hpp"

namespace boxcar::detail {
namespace {

std::string_view text_of(std::span<const std::byte> raw) {
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

}  // namespace

bool collective_memory::is_used(const world& w, std::span<const std::byte> some) const {
  if (is_copied) return false;
  return some.empty() || w.substrate()->is_one_process() ||
         std::ranges::any_of(parts, [some](const auto& all) { return is_within(some, all); });
}

void agree_on(agreement& all, const collective_request& call, const type_identity& of,
              const collective_options& options) {
  all.on("root", call.root);
  all.on("type", of.name);
  all.on("size of elements", call.how.element_bytes);
  all.on("combination", !call.how.numbers
                            ? std::string("a function")
                            : "number " + std::to_string(static_cast<int>(call.how.numbers->how)));
  const std::string_view first = call.compares_first ? text_of(call.first) : "";
  all.on("first", std::hash<std::string_view>()(first));
  all.on("topology", name_of(options.over));
  all.on("fan_out", options.fan_out);
  all.on("segment_bytes", options.segment_bytes);
  all.on("by_node", options.by_node ? 1 : 0);
  all.on("reproducible", options.reproducible ? 1 : 0);
  all.on("carrier", static_cast<int>(options.carrier));
}

std::unique_ptr<collective_state> make_collective(const world& w, collective_request call,
                                                  agreement objections,
                                                  const collective_options& options,
                                                  const collective_memory& memory) {
  substrate& s = *w.substrate();
  // (The fibers of a simulated machine take their time from a model.)
  const bool is_on_machine = s.layout().nodes() == 1 && !progress::is_fiber();
  const std::uint64_t mark = is_on_machine ? ways_of_machine::here().mark : 0;
  std::array<std::uint64_t, 3> most{call.in.size(), mark, ~mark};
  if (is_on_machine && !ways_of_machine::here().problem.empty()) {
    objections.object(ways_of_machine::here().problem);
  }
  rpc_engine::of(s).agree(objections, name_of(call.kind), owner_of_collectives, most);
  call.most_given = most[0];
  // (The file may have changed between the starts of two PEs.)
  const bool is_calibrated = mark != 0 && most[1] == ~most[2];
  std::vector<int> nodes;
  for (int pe = 0; pe < s.size(); ++pe) nodes.push_back(s.node_of(pe));
  const way_table& measured = is_calibrated ? ways_of_machine::here().table : way_table::built_in();
  collective_way way = choose_way(call, options, nodes, measured);
  const std::string_view name = name_of(call.kind);
  std::unique_ptr<collective_state> made;
  if (way.over == topology::shared_memory) {
    made = std::make_unique<shared_collective>(w, std::move(call), std::move(way));
  } else {
    made = std::make_unique<scheduled_collective>(w, call, way, nodes, memory, options.carrier);
  }
  if (s.log() != nullptr) made->runs.record_to(s.log(), name.data(), made->explain());
  return made;
}

}  // namespace boxcar::detail
