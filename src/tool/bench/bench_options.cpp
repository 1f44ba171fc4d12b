#include "bench/bench_options.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "baseline.hpp"
#include "benchmark.hpp"
#include "option_values.hpp"

namespace boxcar::tool {
namespace {

class bench_formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: boxcar bench NAME [OPTIONS]\n";
  }
};

std::string list_of_benchmarks() {
  std::string text = "Benchmarks:\n";
  for (const bench::description& d : bench::benchmarks()) {
    std::string name(d.name);
    name.resize(12, ' ');
    text += "  " + name + " " + std::string(d.meaning) + "\n";
  }
  return text;
}

// Replaces the name of a kind by its number.
std::string read_kind(std::string& text) {
  const std::vector<std::string> names = bench::carrier_names();
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) {
    return "there is no kind \"" + text + "\": give one of " + CLI::detail::join(names, ", ");
  }
  text = std::to_string(found - names.begin());
  return "";
}

// Adds an option with one value, or several values in a sweep.
template <typename Value>
CLI::Option* add_list(CLI::App& bench, const std::string& name, std::vector<Value>& values,
                      const std::string& meaning, const std::string& type) {
  return bench.add_option(name, values, meaning)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name(type + ",...");
}

template <typename Value>
CLI::Option* add_bytes(CLI::App& bench, const std::string& name, std::vector<Value>& values,
                       const std::string& meaning) {
  return add_list(bench, name, values, meaning, "BYTES")->transform(CLI::Validator(read_size, ""));
}

}  // namespace

void add_bench_options(CLI::App& app, bench::request& wanted) {
  app.add_option("NAME", wanted.benchmark, "Which benchmark")->required();
  bench::sweep& v = wanted.values;
  const std::vector<std::string> substrates{"threads", "processes", "mpi", "shmem", "ofi"};
  add_list(app, "--substrate", v.substrates,
           "threads, processes; or, under their launchers, mpi, shmem or ofi (default threads)",
           "NAME")
      ->check(CLI::IsMember(substrates));
  add_list(app, "--pes", v.pes, "PEs (default: as many as there are cores)", "N")
      ->check(check_count<int>);
  add_list(app, "--nodes", v.nodes,
           "Pretended nodes that they are spread over (default 1; under a launcher BOXCAR_NODES)",
           "N")
      ->check(check_count<int>);
  add_list(app, "--kind", v.kinds, "auto, simple, twohop, tensor or elastic", "KIND")
      ->transform(CLI::Validator(read_kind, ""));
  add_list(app, "--hops", v.hops, "Hops of an item: 1, 2 or 3", "N")
      ->check(CLI::IsMember({"1", "2", "3"}));
  add_list(app, "--group", v.groups, "PEs of a group, of two and three hops (default: chosen)", "N")
      ->check(check_count<int>);
  add_bytes(app, "--item-bytes", v.item_bytes,
            "Size of an item (default 8; integersort 4, permute 16, streaming 32, overlap "
            "64KiB,1MiB)");
  add_bytes(app, "--buffer-bytes", v.buffer_bytes, "Size of a buffer (default: chosen)");
  add_list(app, "--buffers", v.buffers, "Buffers per link: 1, 2 or 4 (default 2)", "N")
      ->check(CLI::IsMember({"1", "2", "4"}));
  add_list(app, "--items", v.items,
           "Items of each PE in a session (default: 16 MiB of alltoall and streaming, else 16 to "
           "64 MiB of all PEs)",
           "N")
      ->check(check_count<std::uint64_t>);
  add_bytes(app, "--table-bytes", v.table_bytes, "Size of each PE's table (default 512KiB)");
  add_list(app, "--file", v.files, "FASTA file, plain or gzip (default: random DNA)", "FILE");
  add_list(
      app, "--class", v.classes,
      "Class of the integer sort: S, W, A or B (default S); or the collective: barrier, broadcast, "
      "all_reduce and so on (default barrier; of overlap broadcast,all_reduce,all_gather,"
      "all_to_all)",
      "CLASS");
  add_list(app, "--columns", v.columns,
           "Columns of the pipeline's grid, of which --items are the rows (default 1280)", "N")
      ->check(check_count<int>);
  add_list(app, "--scaling", v.scalings,
           "strong: columns of all PEs together; weak: of each PE (default strong)", "HOW")
      ->check(CLI::IsMember(std::vector<std::string>{"strong", "weak"}));
  add_list(
      app, "--variants", v.variants,
      "few: each topology of a collective once; all: also other fan-outs, and in pieces; chosen: "
      "the one that is chosen (default few)",
      "WHICH")
      ->check(CLI::IsMember(std::vector<std::string>{"chosen", "few", "all"}));
  add_bytes(app, "--message-bytes", v.message_bytes,
            "Size of the messages into which the integer sort gathers keys (default 512)");
  add_list(app, "--round-items", v.round_items,
           "Items of each PE in a round of alltoallv and shared_rounds (default " +
               std::to_string(bench::setting().round_items) + ")",
           "N")
      ->check(check_count<int>);
  app.add_option("--rounds", wanted.rounds, "Measurements of each contender (default 5)")
      ->check(check_count<int>)
      ->type_name("N");
  app.add_option("--baselines", wanted.baselines,
                 "Whom to compare with: all, none, or some of " + bench::names_of_baselines() +
                     " (default all: those that the benchmark and the substrate have)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  app.add_option("--json", wanted.json, "Write the results to this file as JSON")
      ->type_name("FILE");
  app.add_option("--plot", wanted.plot,
                 "Draw the results of collectives and overlap over sizes, into this file as SVG")
      ->type_name("FILE");
  app.footer(list_of_benchmarks() +
             "Lists of values sweep: every value with every other. BYTES may end in KiB, MiB or "
             "GiB.");
  app.formatter(std::make_shared<bench_formatter>());
}

}  // namespace boxcar::tool
