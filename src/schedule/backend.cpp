#include "schedule/backend.hpp"

#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "one_sided/rpc_engine.hpp"
#include "schedule/network_schedule.hpp"
#include "schedule/schedule_state.hpp"
#include "substrate/agreement.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

std::unique_ptr<compiled_schedule> select_backend(const world& w, matched_schedule what,
                                                  const include_functions& includes,
                                                  const backend_request& asked) {
  std::string why_not;
  if (auto made = make_network_schedule(w, what, includes, asked, why_not)) return made;
  std::unique_ptr<schedule_state> made;
  agreement ready;
  try {
    made = std::make_unique<schedule_state>(w, std::move(what), includes);
  } catch (const error& e) {
    ready.object(e.what());
  }
  rpc_engine::of(*w.substrate()).open(ready, asked.operation, asked.owner);
  made->find_rendezvous();
  // A world of one node is not expected to use a network, unless the program has chosen a carrier.
  const bool is_expected =
      asked.carrier != schedule_carrier::automatic || w.substrate()->layout().nodes() > 1;
  if (is_expected) made->say_why(std::move(why_not));
  return made;
}

std::string pe_executor_text(const substrate& world) {
  return world.wants_progress_thread() ? "by the PE, or its progress thread while it computes"
                                       : "by the PE in functions of Boxcar that wait";
}

}  // namespace boxcar::detail
