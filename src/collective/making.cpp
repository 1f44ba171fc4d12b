#include "collective/making.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "basis/hexadecimal.hpp"
#include "collective/choice.hpp"
#include "collective/scheduled_collective.hpp"
#include "collective/shared_collective.hpp"
#include "collective/ways_of_machine.hpp"
#include "one_sided/rpc_engine.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"
#include "trigger/memory_ranges.hpp"
#include "trigger/numbers.hpp"

namespace boxcar::detail {
namespace {

const char* name_of(arithmetic how) {
  switch (how) {
    case arithmetic::sum:
      return "the sum";
    case arithmetic::product:
      return "the product";
    case arithmetic::minimum:
      return "the minimum";
    case arithmetic::maximum:
      return "the maximum";
    case arithmetic::bit_and:
      return "the bitwise and";
    case arithmetic::bit_or:
      return "the bitwise or";
    case arithmetic::bit_xor:
      return "the bitwise exclusive or";
    case arithmetic::logical_and:
      return "the logical and";
    case arithmetic::logical_or:
      return "the logical or";
    case arithmetic::logical_xor:
      return "the logical exclusive or";
  }
  return "a combination of numbers";
}

std::string text_of_bytes(std::span<const std::byte> raw) {
  std::string text = "the bytes";
  for (const std::byte b : raw)
    text += ' ' + to_hexadecimal(std::string(1, std::to_integer<char>(b)));
  return text;
}

// Returns `first` of an exclusive scan for messages: a number if the elements are integers.
std::string text_of_first(const collective_request& call) {
  if (!call.compares_first || call.first.empty()) return {};
  if (!call.how.numbers || !is_integer(call.how.numbers->type)) return text_of_bytes(call.first);
  std::string text;
  call_with_number(call.how.numbers->type, [&](auto number) {
    std::memcpy(&number, call.first.data(), sizeof number);
    text = std::to_string(number);
  });
  return text;
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
  all.on("combination", std::string_view(call.how.numbers ? name_of(call.how.numbers->how)
                                                          : "a function of the program"));
  all.on("first", text_of_first(call));
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
