#include "substrate/stall/pe_watch.hpp"

#include <algorithm>

#include "substrate/collective_call.hpp"

namespace boxcar::detail {

pe_report pe_watch::report(const pause_reason& why) {
  pe_report r;
  r.on = needed_for(why);
  r.moves = moves_;
  r.world = why.world;
  r.number = why.number;
  const char* otherwise = "a collective";
  if (why.session != nullptr) {
    otherwise = "a session";
    r.world = why.session->world_identity();
    why.session->describe(r);
  }
  // The session names the call if the program is in no function of Boxcar.
  if (call.name != nullptr || r.called[0] == '\0') {
    write_name(call, otherwise, r.called.data(), r.called.size());
  }
  for (const watched_session* s : sessions_) r.unpulled += s->unpulled_items();

  std::erase_if(worlds_, [](const auto& w) { return w.expired(); });
  for (const auto& each : worlds_) {
    const auto w = each.lock();
    if (w->identity == r.world) {
      r.world_pes = static_cast<std::uint32_t>(w->pes);
      w->name.copy(r.world_name.data(), r.world_name.size() - 1);
    }
    if (r.worlds == pe_report::max_worlds) {
      r.lists_all_worlds = false;
      continue;
    }
    const auto sessions =
        std::ranges::count(sessions_, w->identity, &watched_session::world_identity);
    r.member_of[r.worlds++] = {w->identity, w->pes, static_cast<std::int32_t>(sessions)};
  }
  return r;
}

trace_log::place pe_watch::place_of(const pause_reason& why) const {
  trace_log::place here = why.session == nullptr ? trace_log::place{} : why.session->place();
  if (call.name != nullptr) here.name = call.name;
  here.within = call.within;
  return here;
}

std::string pe_watch::doing(const pause_reason& why) {
  return detail::doing(report(why));
}

}  // namespace boxcar::detail
