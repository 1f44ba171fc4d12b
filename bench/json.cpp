#include "json.hpp"

#include <nlohmann/json.hpp>

#include "build.hpp"
#include "machine.hpp"
#include "overlap_figures.hpp"

namespace boxcar::bench {
namespace {

using nlohmann::ordered_json;

constexpr int format = 2;

template <typename Value>
ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json json_of(const setting& s) {
  return {{"substrate", s.substrate},
          {"pes", s.pes},
          {"nodes", s.nodes},
          {"kind", name_of(s.kind)},
          {"hops", s.hops},
          {"group", s.group},
          {"item_bytes", s.item_bytes},
          {"buffer_bytes", s.buffer_bytes},
          {"buffers", s.buffers},
          {"items", s.items},
          {"table_bytes", s.table_bytes},
          {"file", s.file},
          {"class", s.problem_class},
          {"columns", s.columns},
          {"scaling", s.scaling},
          {"variants", s.variants},
          {"message_bytes", s.message_bytes},
          {"round_items", s.round_items}};
}

setting setting_of(const ordered_json& j) {
  const std::vector<std::string> kinds = carrier_names();
  const auto kind = std::ranges::find(kinds, j.at("kind").get<std::string>());
  return {.substrate = j.at("substrate"),
          .pes = j.at("pes"),
          .nodes = j.at("nodes"),
          .kind = static_cast<carrier>(kind - kinds.begin()),
          .hops = j.at("hops"),
          .group = j.at("group"),
          .item_bytes = j.at("item_bytes"),
          .buffer_bytes = j.at("buffer_bytes"),
          .buffers = j.at("buffers"),
          .items = j.at("items"),
          .table_bytes = j.at("table_bytes"),
          .file = j.at("file"),
          .problem_class = j.at("class"),
          .columns = j.at("columns"),
          .scaling = j.at("scaling"),
          .variants = j.at("variants"),
          .message_bytes = j.at("message_bytes"),
          .round_items = j.at("round_items")};
}

// The overlap of a measured contender, for a run.
ordered_json json_of_overlap(const setting_result& all, const contender_result& c) {
  ordered_json j{{"latency_seconds", latency(c)},
                 {"computing_seconds", computing_time(c)},
                 {"both_seconds", time_of_both(c)},
                 {"overlap", overlap(c)},
                 {"rest_seconds", rest(c)}};
  if (const auto ratio = rest_to_best_baseline(all, c)) j["rest_to_best_baseline"] = *ratio;
  return j;
}

constexpr std::array role_names{"boxcar", "baseline", "limit"};

ordered_json json_of(const traffic& t) {
  ordered_json hops = ordered_json::array();
  for (const hop_traffic& hop : t.hops) {
    hops.push_back({{"buffers", hop.buffers},
                    {"bytes", hop.bytes},
                    {"packet_bytes", hop.packet_bytes},
                    {"capacity_bytes", hop.capacity_bytes}});
  }
  return {{"memory_bytes", t.memory_bytes}, {"fill", t.fill()}, {"hops", hops}};
}

traffic traffic_of(const ordered_json& j) {
  traffic t;
  t.memory_bytes = j.at("memory_bytes");
  for (const ordered_json& hop : j.at("hops")) {
    t.hops.push_back(
        {hop.at("buffers"), hop.at("bytes"), hop.at("packet_bytes"), hop.at("capacity_bytes")});
  }
  return t;
}

ordered_json json_of(const setting_result& all, const contender_result& c) {
  ordered_json j{{"name", c.name},         {"role", role_names[static_cast<std::size_t>(c.role)]},
                 {"workers", c.workers},   {"items", c.items},
                 {"sessions", c.sessions}, {"seconds", c.seconds}};
  if (c.overlap) {
    j["seconds_of_computing"] = c.overlap->computing;
    j["seconds_of_both"] = c.overlap->both;
  }
  if (c.measured()) {
    const double rate = items_per_second_and_pe(c);
    j["median_seconds"] = median(c.seconds);
    j["spread"] = spread(c.seconds);
    j["items_per_second_and_pe"] = rate;
    j["bytes_per_second_and_pe"] = rate * static_cast<double>(all.how.item_bytes);
    if (const contender_result* limit = all.limit()) j["share_of_limit"] = ratio(all, c, *limit);
    const contender_result& ours = all.contenders.front();
    if (c.role == role::baseline && ours.measured()) {
      j["boxcar_is_times_as_fast"] = ratio(all, ours, c);
    }
    if (c.overlap) j["run"] = json_of_overlap(all, c);
  }
  if (c.traffic) j["traffic"] = json_of(*c.traffic);
  if (!c.explanation.empty()) j["explanation"] = c.explanation;
  if (!c.failure.empty()) j["failure"] = c.failure;
  return j;
}

contender_result contender_of(const ordered_json& j) {
  contender_result c;
  c.name = j.at("name");
  const auto role_name = std::ranges::find(role_names, j.at("role").get<std::string>());
  c.role = static_cast<role>(role_name - role_names.begin());
  c.workers = j.at("workers");
  c.items = j.at("items");
  c.sessions = j.at("sessions");
  c.seconds = j.at("seconds").get<std::vector<double>>();
  if (j.contains("seconds_of_both")) {
    c.overlap = {.computing = j.at("seconds_of_computing").get<std::vector<double>>(),
                 .both = j.at("seconds_of_both").get<std::vector<double>>()};
  }
  if (j.contains("traffic")) c.traffic = traffic_of(j.at("traffic"));
  c.explanation = j.value("explanation", "");
  c.failure = j.value("failure", "");
  return c;
}

ordered_json json_of(const setting_result& result) {
  ordered_json contenders = ordered_json::array();
  for (const contender_result& c : result.contenders) contenders.push_back(json_of(result, c));
  ordered_json j{{"setting", json_of(result.how)},
                 {"substrate", result.substrate},
                 {"library", or_null(result.library)},
                 {"cores", result.cores},
                 {"contenders", contenders}};
  if (!result.failure.empty()) j["failure"] = result.failure;
  return j;
}

ordered_json json_of(const machine& m) {
  return {{"processor", m.processor},
          {"cores", m.cores},
          {"first_cache_bytes", m.first_cache_bytes},
          {"second_cache_bytes", m.second_cache_bytes},
          {"third_cache_bytes", m.third_cache_bytes},
          {"memory_bytes", m.memory_bytes},
          {"system", m.system}};
}

ordered_json json_of(const build& b) {
  ordered_json commit;
  if (!b.commit.empty()) commit = {{"id", b.commit}, {"changed", b.changed}};
  return {{"version", b.version}, {"commit", commit}, {"compiler", b.compiler}, {"flags", b.flags}};
}

ordered_json json_of(const std::vector<std::pair<std::string, std::string>>& variables) {
  ordered_json j = ordered_json::object();
  for (const auto& [name, value] : variables) j[name] = value;
  return j;
}

}  // namespace

std::string json_report(const request& wanted, const invocation& start,
                        const std::vector<setting_result>& results, bool complete) {
  ordered_json all{{"format", format},
                   {"benchmark", wanted.benchmark},
                   {"command", start.command},
                   {"launcher", or_null(start.launcher)},
                   {"environment", json_of(start.environment)},
                   {"time", time_now()},
                   {"build", json_of(this_build())},
                   {"machine", json_of(this_machine())},
                   {"rounds", wanted.rounds},
                   {"baselines", wanted.baselines},
                   {"complete", complete},
                   {"results", ordered_json::array()}};
  for (const setting_result& result : results) all["results"].push_back(json_of(result));
  // A path or a variable may hold bytes that are no text, which JSON cannot.
  return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string json_line(const setting_result& result) {
  return json_of(result).dump();
}

setting_result result_from_json_line(const std::string& line) {
  const auto j = ordered_json::parse(line);
  setting_result result{setting_of(j.at("setting")), j.at("substrate"), j.at("cores"), {}};
  if (!j.at("library").is_null()) result.library = j.at("library").get<std::string>();
  result.failure = j.value("failure", "");
  for (const ordered_json& c : j.at("contenders")) result.contenders.push_back(contender_of(c));
  return result;
}

}  // namespace boxcar::bench
