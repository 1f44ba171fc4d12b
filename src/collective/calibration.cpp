#include "collective/calibration.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

constexpr std::string_view head =
    "# The fastest algorithms of collectives on this machine, as found by `boxcar calibrate`: the\n"
    "# collective, PEs, more than these bytes, up to these bytes, topology, fan-out, bytes of a\n"
    "# piece. The file may be removed at any time.\n";
constexpr std::string_view any_number = "any";
constexpr int most_pes = 1 << 20;
constexpr int most_fan_out = 1 << 20;

// Returns the name of a topology as one word.
std::string word_of(topology over) {
  std::string word(name_of(over));
  std::ranges::replace_if(
      word, [](char c) { return c == ' ' || c == '-'; }, '_');
  return word;
}

bool is_last(const measured_way& r) {
  return r.most_bytes == measured_way::any_bytes;
}

// The words of a line, and the errors in the line.
class line_reader {
 public:
  line_reader(const std::string& line, const std::string& file, std::size_t number)
      : where_(file + ", line " + std::to_string(number) + ": "), words_(line) {}

  [[noreturn]] void refuse(const std::string& problem) const {
    throw argument_error(where_ + problem + "; remove the file, and call boxcar calibrate");
  }

  [[nodiscard]] std::string word() {
    std::string next;
    if (!(words_ >> next)) refuse("a word is missing");
    return next;
  }
  template <typename Number>
  [[nodiscard]] Number number_in(const std::string& given, Number least, Number most) const {
    Number value{};
    const char* const end = given.data() + given.size();
    const auto [read, problem] = std::from_chars(given.data(), end, value);
    if (problem != std::errc() || read != end || value < least || value > most) {
      refuse("\"" + given + "\" is no number from " + std::to_string(least) + " to " +
             std::to_string(most));
    }
    return value;
  }
  [[nodiscard]] int number(int least, int most) { return number_in(word(), least, most); }
  [[nodiscard]] std::size_t bytes() {
    return number_in<std::size_t>(word(), 0, measured_way::any_bytes - 1);
  }
  [[nodiscard]] std::size_t bytes_or_any() {
    const std::string given = word();
    if (given == any_number) return measured_way::any_bytes;
    return number_in<std::size_t>(given, 1, measured_way::any_bytes - 1);
  }

  [[nodiscard]] collective_operation operation() {
    const std::string name = word();
    for (int i = 0; i != num_measured_operations; ++i) {
      const auto kind = static_cast<collective_operation>(i);
      if (name_of(kind) == name) return kind;
    }
    refuse("there is no collective \"" + name + "\"");
  }
  [[nodiscard]] topology topology_of(collective_operation kind) {
    const std::string name = word();
    std::vector<topology> possible = topologies_for(kind);
    if (can_go_over_shared_memory(kind)) possible.push_back(topology::shared_memory);
    const auto found = std::ranges::find(possible, name, word_of);
    if (found == possible.end()) {
      refuse("a " + std::string(name_of(kind)) + " cannot go over \"" + name + "\"");
    }
    return *found;
  }

  [[nodiscard]] measured_way row() {
    measured_way r;
    r.kind = operation();
    r.pes = number(2, most_pes);
    r.above_bytes = bytes();
    r.most_bytes = bytes_or_any();
    r.over = topology_of(r.kind);
    r.fan_out = number(r.over == topology::k_nomial_tree ? 2 : 1, most_fan_out);
    r.segment_bytes = bytes();
    r.is_calibrated = true;
    std::string more;
    if (words_ >> more) refuse("\"" + more + "\" is more than a row has");
    return r;
  }

  // Throws unless `next` is the row behind the rows `before`.
  void require_order(const std::vector<measured_way>& before, const measured_way& next) const {
    const auto is_of_next = [&next](const measured_way& r) {
      return r.kind == next.kind && r.pes == next.pes;
    };
    const bool goes_on = !before.empty() && is_of_next(before.back());
    const bool is_complete = goes_on || before.empty() || is_last(before.back());
    const bool is_twice = !goes_on && std::ranges::any_of(before, is_of_next);
    if (is_complete && !is_twice && next.above_bytes < next.most_bytes &&
        next.above_bytes == (goes_on ? before.back().most_bytes : 0)) {
      return;
    }
    refuse("the rows of a collective and a number of PEs do not follow one another");
  }

 private:
  std::string where_;
  std::istringstream words_;
};

}  // namespace

std::string calibration_text(std::span<const measured_way> rows) {
  std::ostringstream text;
  text << head;
  for (const measured_way& r : rows) {
    text << name_of(r.kind) << ' ' << r.pes << ' ' << r.above_bytes << ' ';
    if (is_last(r)) {
      text << any_number;
    } else {
      text << r.most_bytes;
    }
    text << ' ' << word_of(r.over) << ' ' << r.fan_out << ' ' << r.segment_bytes << '\n';
  }
  return text.str();
}

std::vector<measured_way> parse_calibration(std::string_view text, const std::string& name) {
  std::vector<measured_way> rows;
  std::istringstream all{std::string(text)};
  std::size_t number = 0;
  for (std::string each; std::getline(all, each);) {
    ++number;
    if (each.empty() || each.front() == '#') continue;
    line_reader line(each, name, number);
    const measured_way row = line.row();
    line.require_order(rows, row);
    rows.push_back(row);
  }
  if (!rows.empty() && !is_last(rows.back())) {
    line_reader("", name, number + 1).refuse("the row for the most bytes is missing");
  }
  return rows;
}

}  // namespace boxcar::detail
