#include "planner/plan_json.hpp"

#include <nlohmann/json.hpp>

namespace boxcar::planner {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const plan_request& wish, const planned_setting& s) {
  return {{"way", s.way},
          {"code", s.code},
          {"buffer_bytes", s.options.buffer_bytes},
          {"buffers_per_link", s.options.buffers_per_link},
          {"hops", s.hops},
          {"links", s.links},
          {"memory_bytes", s.memory_bytes},
          {"seconds", s.seconds},
          {"core_seconds", s.core_seconds},
          {"adapter_seconds", s.adapter_seconds},
          {"link_seconds", s.link_seconds},
          {"ending_seconds", s.ending_seconds},
          {"limit", to_text(s.limit)},
          {"fill", s.fill},
          {"items_per_second_and_pe", items_per_second(wish, s)},
          {"bytes_per_second_and_node", bytes_per_second(s)}};
}

}  // namespace

std::string json_of(const plan& p) {
  ordered_json all{{"nodes", p.wish.nodes},
                   {"pes_per_node", p.wish.pes_per_node},
                   {"item_bytes", p.wish.item_bytes},
                   {"items_per_pe", p.wish.items_per_pe},
                   {"max_bytes", p.wish.max_bytes},
                   {"network", p.network},
                   {"settings_compared", p.settings.size()},
                   {"best", json_of(p.wish, p.best())}};
  if (const std::string warning = memory_warning(p); !warning.empty()) all["warning"] = warning;
  for (const runner_up& r : p.runners_up) {
    ordered_json one = json_of(p.wish, r.setting);
    one["fits"] = r.fits;
    one["reason"] = reason_against(p.wish, r, p.best());
    all["runners_up"].push_back(std::move(one));
  }
  if (!p.tried.empty()) {
    ordered_json tried = ordered_json::array();
    for (const tried_setting& t : p.tried) {
      tried.push_back({{"way", t.setting.way},
                       {"buffer_bytes", t.setting.options.buffer_bytes},
                       {"buffers_per_link", t.setting.options.buffers_per_link},
                       {"seconds", t.setting.seconds},
                       {"simulated_seconds", t.seconds}});
    }
    all["simulated"] = std::move(tried);
    all["ruled_out"] = p.ruled_out;
  }
  return all.dump(2) + '\n';
}

}  // namespace boxcar::planner
