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
  made->say_why(std::move(why_not));
  return made;
}

}  // namespace boxcar::detail
