// The reader of simulated networks from files.
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/network.hpp>

namespace boxcar {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

// A setter sets a value from a text. Returns the allowed values if the text is wrong, else nothing.
using setter = std::function<std::string(std::string_view)>;

setter number_of(double& value, const char* what) {
  return [&value, what](std::string_view text) -> std::string {
    const auto number = number_in<double>(text);
    if (!number || !(*number >= 0) || !std::isfinite(*number)) {
      return "a number of " + std::string(what) + ", 0 or more";
    }
    value = *number;
    return {};
  };
}
setter nanoseconds(double& value) {
  return number_of(value, "nanoseconds");
}
setter bytes(double& value) {
  return number_of(value, "bytes");
}

setter whole(int& value, int least) {
  return [&value, least](std::string_view text) -> std::string {
    const auto number = number_in<int>(text);
    if (!number || *number < least) {
      return "a whole number, " + std::to_string(least) + " or more";
    }
    value = *number;
    return {};
  };
}

setter yes_or_no(bool& value) {
  return [&value](std::string_view text) -> std::string {
    if (text != "true" && text != "false") return "true or false";
    value = text == "true";
    return {};
  };
}

setter list(std::vector<int>& values) {
  return [&values](std::string_view text) -> std::string {
    const std::string allowed = "a list of whole numbers, as in [8, 8, 16]";
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return allowed;
    std::vector<int> read;
    for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
      const std::size_t comma = rest.find(',');
      const auto number = number_in<int>(trimmed(rest.substr(0, comma)));
      if (!number || *number < 1) return allowed;
      read.push_back(*number);
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    if (read.empty()) return allowed;
    values = std::move(read);
    return {};
  };
}

// The reader holds a file's network, and a topology of each kind until the whole file is read.
class reader {
 public:
  explicit reader(std::string path) : path_(std::move(path)) {
    for (const auto& [name, level] :
         {std::pair<std::string, network_level*>{"same_node", &network_.same_node},
          {"other_node", &network_.other_node}}) {
      keys_.emplace(name + ".latency", nanoseconds(level->latency));
      keys_.emplace(name + ".overhead", nanoseconds(level->overhead));
      keys_.emplace(name + ".overhead_per_byte", nanoseconds(level->overhead_per_byte));
      keys_.emplace(name + ".gap", nanoseconds(level->gap));
      keys_.emplace(name + ".gap_per_byte", nanoseconds(level->gap_per_byte));
    }
    keys_.emplace("core.push", nanoseconds(network_.core.push));
    keys_.emplace("core.pivot", nanoseconds(network_.core.pivot));
    keys_.emplace("core.pull", nanoseconds(network_.core.pull));
    keys_.emplace("core.byte", nanoseconds(network_.core.byte));
    keys_.emplace("core.miss", nanoseconds(network_.core.miss));
    keys_.emplace("core.cache_bytes", bytes(network_.core.cache_bytes));
    keys_.emplace("core.change", nanoseconds(network_.core.change));
    keys_.emplace("cores_per_node", whole(network_.cores_per_node, 0));
    keys_.emplace("offload", yes_or_no(network_.offload));
    keys_.emplace("other_group_latency", nanoseconds(network_.other_group_latency));
    keys_.emplace("nodes_per_group", whole(network_.nodes_per_group, 0));
    keys_.emplace("link.latency", nanoseconds(network_.link.latency));
    keys_.emplace("link.gap_per_byte", nanoseconds(network_.link.gap_per_byte));
    keys_.emplace("topology", [this](std::string_view text) { return choose(text); });
    keys_.emplace("fat_tree.nodes_per_switch", whole(tree_.nodes_per_switch, 1));
    keys_.emplace("fat_tree.uplinks_per_switch", whole(tree_.uplinks_per_switch, 1));
    keys_.emplace("fat_tree.switches_per_group", whole(tree_.switches_per_group, 0));
    keys_.emplace("fat_tree.uplinks_per_group", whole(tree_.uplinks_per_group, 0));
    keys_.emplace("dragonfly.nodes_per_router", whole(dragonfly_.nodes_per_router, 1));
    keys_.emplace("dragonfly.routers_per_group", whole(dragonfly_.routers_per_group, 1));
    keys_.emplace("dragonfly.local_links_per_router", whole(dragonfly_.local_links_per_router, 1));
    keys_.emplace("dragonfly.global_links_per_group", whole(dragonfly_.global_links_per_group, 1));
    keys_.emplace("dragonfly.adaptive", yes_or_no(dragonfly_.adaptive));
    keys_.emplace("torus.dimensions", whole(torus_.dimensions, 1));
    keys_.emplace("torus.sizes", list(torus_.sizes));
  }
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;

  // `where` is "line 3", for instance. Throws argument_error.
  void take(std::string_view line, const std::string& where) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const std::size_t equals = line.find('=');
    const std::string key(trimmed(line.substr(0, equals)));
    if (equals == std::string_view::npos) {
      throw argument_error(begin(where) + '"' + std::string(line) +
                           "\" is no setting: write one as key = value");
    }
    const auto found = keys_.find(key);
    if (found == keys_.end()) {
      throw argument_error(begin(where) + "there is no \"" + key + "\" in a network; there are " +
                           names());
    }
    if (const auto before = lines_.find(key); before != lines_.end()) {
      throw argument_error(begin(where) + key + " has been set before, on " + before->second +
                           ": leave one of them out");
    }
    lines_.emplace(key, where);
    const std::string_view value = trimmed(line.substr(equals + 1));
    const std::string allowed = found->second(value);
    if (!allowed.empty()) {
      throw argument_error(begin(where) + key + " = " + std::string(value) + ": give " + allowed);
    }
  }

  // Throws argument_error.
  simulated_network finish() {
    for (const auto& [prefix, kind] : {std::pair{"fat_tree.", "fat tree"},
                                       {"dragonfly.", "dragonfly"},
                                       {"torus.", "torus"},
                                       {"link.", ""}}) {
      const auto first = lines_.lower_bound(prefix);
      if (first == lines_.end() || !first->first.starts_with(prefix)) continue;
      const bool is_used = *kind == '\0' ? !topology_.empty() : topology_ == kind;
      if (is_used) continue;
      throw argument_error(begin(first->second) + first->first +
                           " means nothing without topology = " +
                           (*kind == '\0' ? "..." : '"' + std::string(kind) + '"') +
                           ": add that, or leave this out");
    }
    refuse_both("torus.dimensions", "torus.sizes", "the sizes say how many there are");
    refuse_both("nodes_per_group", "topology", "the topology says what groups are");
    if (topology_ == "torus") {
      refuse_both("other_group_latency", "topology", "a torus has no groups");
    }
    if (topology_ == "fat tree") network_.topology = tree_;
    if (topology_ == "dragonfly") network_.topology = dragonfly_;
    if (topology_ == "torus") network_.topology = torus_;
    return network_;
  }

 private:
  [[nodiscard]] std::string begin(const std::string& where) const {
    return path_ + ", " + where + ": ";
  }
  void refuse_both(const std::string& key, const std::string& other, const char* why) const {
    const auto found = lines_.find(key);
    if (found == lines_.end() || !lines_.contains(other)) return;
    throw argument_error(begin(found->second) + key + " means nothing beside " + other + ": " +
                         why + "; leave one of them out");
  }
  std::string choose(std::string_view text) {
    if (text != "\"fat tree\"" && text != "\"dragonfly\"" && text != "\"torus\"") {
      return "\"fat tree\", \"dragonfly\" or \"torus\"";
    }
    topology_ = text.substr(1, text.size() - 2);
    return {};
  }
  [[nodiscard]] std::string names() const {
    std::string text;
    for (const auto& [name, set] : keys_) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  std::string path_;
  simulated_network network_;
  fat_tree tree_;
  dragonfly dragonfly_;
  torus torus_;
  std::string topology_;
  std::map<std::string, setter, std::less<>> keys_;
  std::map<std::string, std::string, std::less<>> lines_;  // where each key was set
};

}  // namespace

simulated_network read_network(const std::string& path) {
  std::ifstream file(path);
  reader all(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    all.take(line, "line " + std::to_string(number));
  }
  if (!file.eof()) {
    throw system_error("the network " + path + " cannot be read: " + std::strerror(errno) +
                       "; check its path");
  }
  return all.finish();
}

}  // namespace boxcar
