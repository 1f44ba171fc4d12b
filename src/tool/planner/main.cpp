// The program of `boxcar plan`: how to configure a conveyor for a machine that is not available
// yet. The program is separate, as only the library of the simulated machine reads networks from
// files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "arguments.hpp"
#include "basis/printable.hpp"
#include "option_values.hpp"
#include "planner/plan.hpp"
#include "planner/plan_json.hpp"
#include "planner/plan_text.hpp"
#include "planner/trial.hpp"
#include "report_file.hpp"
#include "simulator/network_names.hpp"
#include "usage.hpp"

namespace boxcar::planner {
namespace {

struct request {
  plan_request wish;
  std::string network;
  std::string json;
  std::size_t checks = 0;
};

class formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: boxcar plan --nodes N --pes-per-node N [OPTIONS]\n";
  }
};

void add_options(CLI::App& app, request& wanted) {
  plan_request& wish = wanted.wish;
  app.add_option("--nodes", wish.nodes, "Number of nodes")
      ->type_name("N")
      ->required()
      ->check(tool::check_count<int>);
  app.add_option("--pes-per-node", wish.pes_per_node, "Number of PEs on each node")
      ->type_name("N")
      ->required()
      ->check(tool::check_count<int>);
  app.add_option("--item-bytes", wish.item_bytes, "Of an item (default 8)")
      ->type_name("BYTES")
      ->transform(CLI::Validator(tool::read_size, ""));
  app.add_option("--items", wish.items_per_pe,
                 "Number of items that each PE sends in a session (default: very many)")
      ->type_name("N")
      ->check(tool::check_count<std::uint64_t>);
  app.add_option("--network", wanted.network,
                 "The network: a name (" + CLI::detail::join(simulator::network_names(), ", ") +
                     ") or a file (default: an adapter of 100 Gb/s to each node)")
      ->type_name("NAME|FILE");
  app.add_option("--memory", wish.max_bytes,
                 "What a conveyor may hold on a PE, e.g. 64MiB (default: no bound)")
      ->type_name("BYTES")
      ->transform(CLI::Validator(tool::read_size, ""));
  const auto set_checks = [&wanted](const std::string& text) {
    wanted.checks = text == "all" ? std::numeric_limits<std::size_t>::max() : std::stoul(text);
  };
  app.add_option_function<std::string>(
         "--check", set_checks,
         "Simulate the best N settings, or all that could be the best, and tell which one was")
      ->type_name("N|all")
      ->check([](const std::string& text) {
        return text == "all" ? std::string() : tool::check_count<std::uint32_t>(text);
      });
  app.add_option("--json", wanted.json, "Write the plan to this file")->type_name("FILE");
  app.footer(
      "Prints the conveyor_options to write, what to expect of them, and why others are slower, "
      "by\n"
      "a model of what a simulated machine charges (docs/planner.md).");
  app.formatter(std::make_shared<formatter>());
}

// Returns the family of a setting: one hop, two hops, ..., a kind of route, synchronous kinds.
std::string family_of(const planned_setting& s) {
  return s.way.substr(0, s.way.find_first_of("0123456789"));
}

bool has_other_buffers(const planned_setting& s, const planned_setting& best) {
  return s.way == best.way && s.options.buffers_per_link == best.options.buffers_per_link &&
         (s.options.buffer_bytes == 2 * best.options.buffer_bytes ||
          2 * s.options.buffer_bytes == best.options.buffer_bytes);
}

std::vector<runner_up> find_runners_up(const plan& p) {
  std::vector<runner_up> all;
  std::set<std::string> seen{family_of(p.best())};
  for (const planned_setting& s : p.settings) {
    if (seen.insert(family_of(s)).second || has_other_buffers(s, p.best())) {
      all.push_back({.setting = s});
    }
  }
  if (p.wish.max_bytes == 0) return all;
  // These settings take too much memory whatever their buffers.
  plan_request unbounded = p.wish;
  unbounded.max_bytes = 0;
  std::vector<planned_setting> rest = plan_conveyor(unbounded, p.costs);
  std::ranges::stable_sort(rest, {}, &planned_setting::memory_bytes);
  for (const planned_setting& s : rest) {
    if (seen.insert(family_of(s)).second) all.push_back({.setting = s, .fits = false});
  }
  return all;
}

void simulate_best(plan& p, std::size_t most) {
  double shortest = std::numeric_limits<double>::max();
  for (const planned_setting& s : p.settings) {
    if (p.tried.size() == most) return;
    // (The bounds are expectations over random destinations.)
    constexpr double sure = 0.97;
    if (sure * std::max({s.core_seconds, s.adapter_seconds, s.link_seconds}) > shortest) {
      ++p.ruled_out;
      continue;
    }
    const double seconds = try_setting(p.wish, p.costs, s.options).seconds;
    shortest = std::min(shortest, seconds);
    p.tried.push_back({s, seconds});
  }
}

void make_plan(const request& wanted) {
  std::optional<tool::report_file> file;
  if (!wanted.json.empty()) file.emplace(wanted.json, "--json");
  plan p;
  p.wish = wanted.wish;
  p.network = wanted.network;
  if (wanted.checks != 0 && p.wish.items_per_pe == 0) {
    throw argument_error(
        "--check simulates a session with very many items, which would never end: say how many by "
        "--items, for instance --items 1000");
  }
  if (!wanted.network.empty()) p.costs = read_network(simulator::find_network(wanted.network));
  p.settings = plan_conveyor(p.wish, p.costs);
  p.runners_up = find_runners_up(p);
  simulate_best(p, wanted.checks);
  std::cout << text_of(p);
  if (file) file->write(json_of(p), true);
}

int run(int argc, char** argv) {
  CLI::App app("Tell how to configure a conveyor for a machine and its network", "boxcar plan");
  request wanted;
  add_options(app, wanted);
  if (const std::optional<int> status = tool::parse_arguments(app, argc, argv)) return *status;
  try {
    make_plan(wanted);
    return 0;
  } catch (const argument_error& e) {
    return tool::complain_of_usage(std::string("boxcar plan: ") + e.what());
  }
}

}  // namespace
}  // namespace boxcar::planner

int main(int argc, char** argv) {
  boxcar::tool::open_standard_descriptors();
  try {
    return boxcar::tool::end_of_output("boxcar plan", boxcar::planner::run(argc, argv));
  } catch (const std::exception& e) {
    std::cerr << "boxcar plan: " << boxcar::detail::printable(e.what()) << '\n';
    return 1;
  }
}
