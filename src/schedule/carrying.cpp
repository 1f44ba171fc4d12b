#include "schedule/carrying.hpp"

#include <string>
#include <utility>

#include "schedule/network_schedule.hpp"
#include "schedule/schedule_state.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

std::unique_ptr<compiled_schedule> make_carried(const world& w, matched_schedule what,
                                                const including& includes,
                                                const carrying_request& asked) {
  std::string why_not;
  if (auto made = make_network_schedule(w, what, includes, asked, why_not)) return made;
  auto made = std::make_unique<schedule_state>(w, std::move(what), includes);
  made->prepare(*w.substrate(), asked.operation, asked.owner);
  // Of a single node nobody expects it unless they have asked for it.
  const bool is_expected =
      asked.carrier != schedule_carrier::automatic || w.substrate()->layout().nodes() > 1;
  if (is_expected) made->say_why(std::move(why_not));
  return made;
}

std::string by_the_pe(const substrate& world) {
  return world.wants_helper() ? "by the PE, or its progress thread while it computes"
                              : "by the PE in functions of Boxcar that wait";
}

}  // namespace boxcar::detail
