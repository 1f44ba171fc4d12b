#include "tuning/tuning_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "substrate/replace_file.hpp"

namespace boxcar::detail {
namespace {

constexpr std::array<std::string_view, 5> kinds{"conveyor", "elastic", "biconveyor", "stream",
                                                "arrays"};
constexpr std::array<std::string_view, 11> fields{
    "version", "substrate", "pes",          "pes_per_node", "item_bytes", "options",
    "items",   "way",       "buffer_bytes", "gain",         "steps"};
constexpr std::string_view head =
    "# What Boxcar's tuning has found: see docs/tuning.md. A line may be removed, then it is "
    "looked "
    "for again.\n";

template <typename Names>
std::string listed(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

// The words of one line, and the errors in the line.
class line_reader {
 public:
  line_reader(std::string_view line, const std::string& file, std::size_t number)
      : where_(file + ", line " + std::to_string(number) + ": ") {
    std::istringstream words{std::string(line)};
    words >> kind_;
    if (std::ranges::find(kinds, kind_) == kinds.end()) {
      refuse("\"" + kind_ + "\" is none of " + listed(kinds) + " (a remark begins with #)");
    }
    for (std::string word; words >> word;) {
      const std::size_t at = word.find('=');
      if (at == std::string::npos) refuse("\"" + word + "\" is not of the form name=value");
      const bool is_new = values_.emplace(word.substr(0, at), word.substr(at + 1)).second;
      if (!is_new) refuse(word.substr(0, at) + " is there twice: remove one");
    }
  }

  [[nodiscard]] bool is_of_another_version() const {
    const auto found = values_.find("version");
    return found != values_.end() && found->second != version;
  }

  [[nodiscard]] tuning_record record() const {
    for (const auto& [name, value] : values_) {
      if (std::ranges::find(fields, name) == fields.end()) {
        refuse("there is no \"" + name + "\": give " + listed(fields));
      }
    }
    tuning_record r;
    static_cast<void>(text("version"));  // must be there
    r.key.what = kind_;
    r.key.substrate = text("substrate");
    r.key.pes = number<int>("pes", 1);
    r.key.pes_per_node = number<int>("pes_per_node", 0);
    r.key.item_bytes = number<std::size_t>("item_bytes", 1);
    r.key.options = text("options");
    r.magnitude = magnitude();
    r.way = text("way");
    r.buffer_bytes = number<std::size_t>("buffer_bytes", 1);
    r.gain = number<double>("gain", 0);
    r.steps = number<int>("steps", 0);
    return r;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw argument_error(where_ + problem + "; correct the line or remove it");
  }

  [[nodiscard]] const std::string& text(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) refuse(name + " is missing: give " + listed(fields));
    if (found->second.empty()) refuse(name + " has no value");
    return found->second;
  }

  template <typename Number>
  [[nodiscard]] Number number(const std::string& name, Number least) const {
    const std::string& given = text(name);
    Number value{};
    const char* const end = given.data() + given.size();
    const auto [rest, problem] = std::from_chars(given.data(), end, value);
    if (problem != std::errc() || rest != end || !(value >= least) || !is_finite(value)) {
      std::ostringstream allowed;
      allowed << least;
      refuse(name + "=" + given + " is not a number of at least " + allowed.str());
    }
    return value;
  }
  template <typename Number>
  static bool is_finite(Number value) {
    if constexpr (std::is_floating_point_v<Number>) return std::isfinite(value);
    return true;
  }

  // Returns 5 for "1e5".
  [[nodiscard]] int magnitude() const {
    const std::string& given = text("items");
    int power = 0;
    const char* const end = given.data() + given.size();
    if (given.starts_with("1e")) {
      const auto [rest, problem] = std::from_chars(given.data() + 2, end, power);
      if (problem == std::errc() && rest == end && power >= 0 && power <= 20) return power;
    }
    refuse("items=" + given + " is no power of ten: give 1e0, 1e1 and so on");
  }

  std::string where_;
  std::string kind_;
  std::map<std::string, std::string> values_;
};

std::string text_of(const tuning_record& r) {
  std::ostringstream text;
  text.precision(3);
  text << r.key.what << " version=" << version << " substrate=" << r.key.substrate
       << " pes=" << r.key.pes << " pes_per_node=" << r.key.pes_per_node
       << " item_bytes=" << r.key.item_bytes << " options=" << r.key.options << " items=1e"
       << r.magnitude << " way=" << r.way << " buffer_bytes=" << r.buffer_bytes
       << " gain=" << r.gain << " steps=" << r.steps;
  return text.str();
}

}  // namespace

std::string without_blanks(std::string_view text) {
  std::string word(text);
  std::ranges::replace(word, ' ', '_');
  return word;
}

int magnitude_of(double items) {
  return items < 10 ? 0 : std::min(20, static_cast<int>(std::log10(items)));
}

tuning_file::tuning_file(std::string_view text, const std::string& name) {
  std::istringstream all{std::string(text)};
  std::size_t number = 0;
  for (std::string each; std::getline(all, each);) {
    ++number;
    lines_.push_back({each, std::nullopt});
    const std::size_t first = each.find_first_not_of(" \t\r");
    if (first == std::string::npos || each[first] == '#') continue;
    const line_reader reader(each, name, number);
    if (!reader.is_of_another_version()) lines_.back().record = reader.record();
  }
}

tuning_file tuning_file::read(const std::string& name) {
  std::error_code problem;
  if (!std::filesystem::exists(name, problem) && !problem) return {};
  // A folder can be opened and is empty; a device or a pipe may have no end, and a file would
  // replace it.
  const bool is_file = std::filesystem::is_regular_file(name, problem);
  std::ifstream file(is_file ? name : std::string(), std::ios::binary);
  std::ostringstream text;
  if (!file || (file.peek() != std::ifstream::traits_type::eof() && !(text << file.rdbuf()))) {
    throw argument_error("BOXCAR_TUNING=" + name +
                         " cannot be read: name a file that can be read and written, or one that "
                         "does not exist yet");
  }
  return {text.str(), name};
}

std::vector<tuning_record> tuning_file::records_of(const tuning_key& key) const {
  std::vector<tuning_record> all;
  for (const line& l : lines_) {
    if (l.record && l.record->key == key) all.push_back(*l.record);
  }
  return all;
}

void tuning_file::put(const tuning_record& record) {
  std::erase_if(lines_, [&](const line& l) {
    return l.record && l.record->key == record.key && l.record->magnitude == record.magnitude;
  });
  lines_.push_back({text_of(record), record});
}

std::string tuning_file::text() const {
  std::string all;
  if (lines_.empty() || !lines_.front().text.starts_with('#')) all = head;
  for (const line& l : lines_) all += l.text + "\n";
  return all;
}

void tuning_file::write(const std::string& name) const {
  replace_file(name, text());
}

void tuning_file::add(const std::string& name, const tuning_record& record) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  tuning_file file = read(name);
  file.put(record);
  file.write(name);
}

}  // namespace boxcar::detail
