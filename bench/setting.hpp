// A setting of a benchmark. A sweep is a list of settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/conveyor_options.hpp>

namespace boxcar::bench {

// The carrier of the items of a benchmark.
enum class carrier { automatic, simple, twohop, tensor, elastic };

[[nodiscard]] std::string_view name_of(carrier kind);
// The names of all of them, in order.
[[nodiscard]] std::vector<std::string> carrier_names();

// 0 and "" leave the choice to the benchmark or the library.
struct setting {
  std::string substrate = "";
  int pes = 0;
  int nodes = 0;
  carrier kind = carrier::automatic;
  int hops = 0;
  int group = 0;  // PEs in a group, for two and three hops
  std::size_t item_bytes = 0;
  std::size_t buffer_bytes = 0;
  int buffers = 2;                 // per link
  std::uint64_t items = 0;         // of each PE
  std::size_t table_bytes = 0;     // of each PE
  std::string file = "";           // to read
  std::string problem_class = "";  // of a benchmark with classes, instead of `items`
  std::uint64_t columns = 0;       // of a grid, whose rows are items
  std::string scaling = "";        // "strong": of all PEs together; "weak": of each
  std::string variants = "";       // of a collective: "chosen", "few" or "all"
  std::size_t message_bytes = 0;   // size of messages with several items
  int round_items = 65536;         // of each PE, where baselines work in rounds
};

// The options for the conveyors of the setting.
[[nodiscard]] conveyor_options options_of(const setting& s);

}  // namespace boxcar::bench
