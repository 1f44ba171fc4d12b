#include "benchmark.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include <boxcar/error.hpp>

#include "alltoall.hpp"
#include "collective_runs.hpp"
#include "collectives.hpp"
#include "histogram.hpp"
#include "index_gather.hpp"
#include "integer_sort.hpp"
#include "integer_sort_class.hpp"
#include "kmer.hpp"
#include "limit.hpp"
#include "overlap.hpp"
#include "padded_item.hpp"
#include "permute.hpp"
#include "ping_pong.hpp"
#include "pipeline.hpp"
#include "puts.hpp"
#include "random_access.hpp"
#include "session.hpp"
#include "streaming.hpp"

namespace boxcar::bench {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::size_t usual_table_bytes = std::size_t{512} << 10;

std::string list(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string list(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

// All sizes, with a different usual size.
std::vector<std::size_t> usual_size_first(std::size_t bytes) {
  std::vector<std::size_t> sizes = listed(item_sizes());
  std::ranges::stable_partition(sizes, [bytes](std::size_t s) { return s == bytes; });
  return sizes;
}

// The number of items for `Bytes` bytes of all PEs together, whose work is then independent of the
// number of PEs.
template <std::uint64_t Bytes>
std::uint64_t items_of_all(const setting& s) {
  constexpr std::uint64_t least = std::uint64_t{1} << 16;
  return std::max(Bytes / s.item_bytes / static_cast<std::uint64_t>(s.pes), least);
}

// The number of items for `Bytes` bytes of each PE, as in the conveyors paper (section 5).
template <std::uint64_t Bytes>
std::uint64_t items_of_each(const setting& s) {
  return Bytes / s.item_bytes;
}

void check_class(const description& what, const setting& s) {
  const std::string name(what.name);
  if (what.classes.empty()) {
    if (s.problem_class.empty()) return;
    throw argument_error(name + " has no classes: leave --class out");
  }
  if (std::ranges::find(what.classes, s.problem_class) == what.classes.end()) {
    throw argument_error(name + " has no class " + s.problem_class + ": give one of " +
                         list(what.classes) + " to --class");
  }
  if (s.items != 0 && what.usual_items == nullptr) {
    throw argument_error("the class of " + name +
                         " says how many items there are: leave --items out");
  }
}

void check_messages(const description& what, const setting& s) {
  const std::string name(what.name);
  if (what.message_bytes == 0) {
    if (s.message_bytes == 0) return;
    throw argument_error(name + " gathers no items into messages: leave --message-bytes out");
  }
  if (s.message_bytes % s.item_bytes != 0) {
    throw argument_error("messages of " + std::to_string(s.message_bytes) +
                         " bytes hold no whole number of items of " + std::to_string(s.item_bytes) +
                         ": give a multiple of that to --message-bytes");
  }
}

void check_grid(const description& what, const setting& s) {
  const std::string name(what.name);
  if (what.columns == 0) {
    if (s.columns == 0 && s.scaling.empty()) return;
    throw argument_error(name + " has no grid: leave --columns and --scaling out");
  }
  if (s.items < 2) {
    throw argument_error("a grid of 1 row has nothing to compute: give at least 2 to --items");
  }
  const bool weak = s.scaling == "weak";
  const auto least = weak ? 2 : static_cast<std::uint64_t>(s.pes) + 1;
  if (s.columns < least) {
    throw argument_error("a grid of " + std::to_string(s.columns) + " columns" +
                         (weak ? " of each PE" : "") + " is too narrow for " +
                         std::to_string(s.pes) + " PEs: give at least " + std::to_string(least) +
                         " to --columns");
  }
}

std::uint64_t ten_thousand(const setting&) {
  return 10'000;
}

std::uint64_t runs_of_a_collective(const setting& s) {
  constexpr std::uint64_t bytes = std::uint64_t{64} << 20;
  return std::clamp(bytes / s.item_bytes, std::uint64_t{10}, std::uint64_t{2000});
}

std::uint64_t runs_of_an_overlap(const setting& s) {
  constexpr std::uint64_t bytes = 64 * mebibyte;
  return std::clamp(bytes / s.item_bytes, std::uint64_t{20}, std::uint64_t{500});
}

// The usual classes first.
std::vector<std::string_view> classes_of_overlap() {
  std::vector<std::string_view> names{"broadcast", "all_reduce", "all_gather", "all_to_all"};
  for (const std::string_view name : names_of_collectives()) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::uint64_t one_item(const setting&) {
  return 1;
}

}  // namespace

std::span<const description> benchmarks() {
  const std::vector<std::size_t> any_size = listed(item_sizes());
  static const std::array all{
      description{.name = "histogram",
                  .meaning = "count random slots of a table that is spread over all PEs",
                  .item_sizes = any_size,
                  .table = table_size::any,
                  .usual_items = items_of_all<64 * mebibyte>,
                  .make = make_histogram},
      description{.name = "indexgather",
                  .meaning = "fetch the values at random places of such a table",
                  .item_sizes = {8},
                  .table = table_size::any,
                  .usual_items = items_of_all<32 * mebibyte>,
                  .make = make_index_gather},
      description{.name = "alltoall",
                  .meaning = "send items to random PEs, which look at every byte",
                  .item_sizes = any_size,
                  .usual_items = items_of_each<16 * mebibyte>,
                  .make = make_alltoall},
      description{.name = "streaming",
                  .meaning = "send items to all PEs in turn, in random order, round after round",
                  .item_sizes = usual_size_first(32),
                  .usual_items = items_of_each<16 * mebibyte>,
                  .make = make_streaming},
      description{
          .name = "randomaccess",
          .meaning = "change random words of a table that is spread over all PEs (HPC Challenge)",
          .item_sizes = {8},
          .table = table_size::power_of_two,
          .usual_items = items_of_all<64 * mebibyte>,
          .make = make_random_access},
      description{.name = "permute",
                  .meaning = "move every element of an array to its place in a random permutation",
                  .item_sizes = {16},
                  .usual_items = items_of_all<64 * mebibyte>,
                  .make = make_permute},
      description{.name = "kmer",
                  .meaning = "count the words of 31 letters of DNA in hash tables",
                  .item_sizes = {8},
                  .reads_file = true,
                  .usual_items = items_of_all<16 * mebibyte>,
                  .make = make_kmer},
      description{
          .name = "session",
          .meaning = "begin, send one item to the next PE, finish, reset: how long that takes",
          .item_sizes = {8},
          .usual_items = one_item,
          .make = make_session},
      description{.name = "integersort",
                  .meaning = "send keys to the PEs that own their buckets (NAS integer sort)",
                  .item_sizes = {4},
                  .classes = integer_sort_class_names(),
                  .message_bytes = 512,
                  .make = make_integer_sort},
      description{.name = "pingpong",
                  .meaning = "put a message into another PE's memory, which answers: latency",
                  .item_sizes = {8, 64, 512, 4096, 32768, 262144, 1048576},
                  .by_conveyor = false,
                  .least_pes = 2,
                  .usual_items = ten_thousand,
                  .make = make_ping_pong},
      description{.name = "pipeline",
                  .meaning = "pass the rows of a stencil from PE to PE, value by value (Synch_p2p)",
                  .item_sizes = {8},
                  .columns = 1280,
                  .by_conveyor = false,
                  .usual_items = [](const setting&) -> std::uint64_t { return 12'800; },
                  .make = make_pipeline},
      description{.name = "puts",
                  .meaning = "put a block into every other PE's memory: bandwidth of all to all",
                  .item_sizes = {8, 64, 512, 1024, 4096, 16384, 65536, 1048576, 67108864},
                  .by_conveyor = false,
                  .least_pes = 2,
                  .usual_items = one_item,
                  .make = make_puts},
      description{.name = "collectives",
                  .meaning = "start a collective (its name is the class) and wait for it",
                  .item_sizes = {8, 64, 512, 4096, 32768, 65536, 262144, 1048576, 4194304},
                  .classes = names_of_collectives(),
                  .has_variants = true,
                  .by_conveyor = false,
                  .has_picture = true,
                  .usual_items = runs_of_a_collective,
                  .make = make_collectives},
      description{.name = "overlap",
                  .meaning = "compute while a collective goes on: how much of it that hides",
                  .item_sizes = {65536, 1048576, 8, 64, 512, 4096, 32768, 262144, 4194304},
                  .usual_sizes = 2,
                  .classes = classes_of_overlap(),
                  .usual_classes = 4,
                  .by_conveyor = false,
                  .overlaps = true,
                  .has_picture = true,
                  .usual_items = runs_of_an_overlap,
                  .make = make_overlap},
      description{.name = "limit",
                  .meaning = "the histogram of one core, without any communication",
                  .item_sizes = any_size,
                  .table = table_size::any,
                  .sends = false,
                  .usual_items = items_of_all<64 * mebibyte>,
                  .make = make_limit},
  };
  return all;
}

const description& benchmark_of(std::string_view name) {
  const auto all = benchmarks();
  const auto found = std::ranges::find(all, name, &description::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (const description& d : all) names.push_back(d.name);
  throw argument_error("there is no benchmark \"" + std::string(name) + "\": give one of " +
                       list(names));
}

sweep with_usual_values(const description& what, sweep values) {
  if (values.item_bytes == sweep().item_bytes) {
    const auto sizes = std::span(what.item_sizes).first(what.usual_sizes);
    values.item_bytes.assign(sizes.begin(), sizes.end());
  }
  if (values.classes == sweep().classes && !what.classes.empty()) {
    const auto classes = std::span(what.classes).first(what.usual_classes);
    values.classes.assign(classes.begin(), classes.end());
  }
  return values;
}

setting completed(const description& what, setting s) {
  if (s.item_bytes == 0) s.item_bytes = what.item_sizes.front();
  if (s.table_bytes == 0 && what.table != table_size::none) s.table_bytes = usual_table_bytes;
  if (s.message_bytes == 0) s.message_bytes = what.message_bytes;
  if (s.columns == 0) s.columns = what.columns;
  if (s.scaling.empty() && what.columns != 0) s.scaling = "strong";
  if (s.variants.empty() && what.has_variants) s.variants = "few";
  if (!what.classes.empty() && s.problem_class.empty()) s.problem_class = what.classes.front();
  if (what.usual_items != nullptr && s.items == 0 && s.file.empty()) {
    s.items = what.usual_items(s);
  }
  return s;
}

setting smaller(const description& what, setting s) {
  constexpr std::uint64_t few = 10'000;
  if (what.usual_items == nullptr) {
    s.problem_class = what.classes.front();
  } else {
    s.items = s.items == 0 ? few : std::min(s.items, few);  // 0: the items of a file
  }
  return s;
}

void check(const description& what, const setting& s) {
  const std::string name(what.name);
  if (std::ranges::find(what.item_sizes, s.item_bytes) == what.item_sizes.end()) {
    throw argument_error("items of " + name + " cannot have " + std::to_string(s.item_bytes) +
                         " bytes: give one of " + list(what.item_sizes) + " to --item-bytes");
  }
  if (s.table_bytes != 0 && what.table == table_size::none) {
    throw argument_error(name + " has no table: leave --table-bytes out");
  }
  if (what.table != table_size::none && s.table_bytes < sizeof(std::uint64_t)) {
    throw argument_error("a table of " + std::to_string(s.table_bytes) +
                         " bytes holds nothing: give at least 8 to --table-bytes");
  }
  if (what.table == table_size::power_of_two && !std::has_single_bit(s.table_bytes)) {
    throw argument_error("a table of " + name + " cannot have " + std::to_string(s.table_bytes) +
                         " bytes: give a power of two to --table-bytes, " +
                         std::to_string(std::bit_floor(s.table_bytes)) + " for instance");
  }
  if (!s.file.empty() && !what.reads_file) {
    throw argument_error(name + " reads no file: leave --file out");
  }
  if (!s.file.empty() && s.items != 0) {
    throw argument_error("the file says how many items there are: leave --items or --file out");
  }
  check_class(what, s);
  check_messages(what, s);
  check_grid(what, s);
  if (!s.variants.empty() && !what.has_variants) {
    throw argument_error(name + " goes over no topology: leave --variants out");
  }
  if (s.group != 0 && s.hops < 2 && s.kind != carrier::twohop) {
    throw argument_error("groups are those of two and three hops: give --hops with --group");
  }
  if (s.kind != carrier::automatic || s.hops != 0 || s.group != 0) {
    const char* const why = !what.sends         ? " sends nothing"
                            : !what.by_conveyor ? " uses no conveyor"
                                                : nullptr;
    if (why != nullptr) {
      throw argument_error(name + why + ": leave --kind, --hops and --group out");
    }
  }
  if (s.pes < what.least_pes) {
    throw argument_error(name + " takes at least " + std::to_string(what.least_pes) +
                         " PEs: give that to --pes");
  }
}

}  // namespace boxcar::bench
