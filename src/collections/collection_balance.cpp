// The policies that plan a rebalance, on the loads of objects alone.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <queue>
#include <sstream>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boxcar/collection_balance.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/error.hpp>
#include <boxcar/stream.hpp>

namespace boxcar {

std::ostream& operator<<(std::ostream& out, const balance_report& r) {
  out << "largest load over mean " << r.max_over_mean_before;
  if (r.was_not_worth_it) {
    return out << "; to move objects would cost more than it gains (" << r.max_over_mean_after
               << ')';
  }
  return out << ", now " << r.max_over_mean_after << "; moved " << r.objects_moved << " objects of "
             << r.bytes_moved << " bytes";
}

namespace detail {
namespace {

// An object of a PE: the number among the PE's objects, and the load.
struct loaded_object {
  int owner;
  std::uint32_t number;
  double load;
};

// The destination of an object, for the owner.
struct assignment {
  std::uint32_t number;
  int pe;
};

double sum_of(std::span<const double> loads) {
  return std::accumulate(loads.begin(), loads.end(), 0.0);
}

// Sends each assignment to the owner of the object, and returns the destinations of this PE's
// objects.
template <typename ForEach>
std::vector<int> assign(const world& w, std::size_t objects, const ForEach& for_each_assignment) {
  std::vector<int> to(objects, w.rank());
  stream<assignment> s(w, [&to](const assignment& a) { to.at(a.number) = a.pe; });
  const session scope = s.begin();
  for_each_assignment([&s](const loaded_object& o, int pe) { s.send({o.number, pe}, o.owner); });
  s.finish();
  return to;
}

// PE 0 moves the largest objects that fit from each overloaded PE to the PE with the smallest load.
std::vector<int> plan_greedy(const world& w, std::span<const double> loads) {
  std::vector<std::vector<loaded_object>> objects;  // by PE, on PE 0
  stream<loaded_object> s(w, [&objects](const loaded_object& o) {
    objects.at(static_cast<std::size_t>(o.owner)).push_back(o);
  });
  if (w.rank() == 0) objects.resize(static_cast<std::size_t>(w.size()));
  {
    const session scope = s.begin();
    for (std::size_t i = 0; i != loads.size(); ++i) {
      s.send({w.rank(), static_cast<std::uint32_t>(i), loads[i]}, 0);
    }
    s.finish();
  }
  return assign(w, loads.size(), [&](const auto& give) {
    using pe_with_load = std::pair<double, int>;
    std::priority_queue<pe_with_load, std::vector<pe_with_load>, std::greater<>> lightest;
    std::vector<double> load_of(objects.size());
    double total = 0;
    for (std::size_t pe = 0; pe != objects.size(); ++pe) {
      for (const loaded_object& o : objects[pe]) load_of[pe] += o.load;
      total += load_of[pe];
      lightest.emplace(load_of[pe], static_cast<int>(pe));
    }
    const double mean = objects.empty() ? 0 : total / static_cast<double>(objects.size());
    for (std::size_t pe = 0; pe != objects.size(); ++pe) {
      std::ranges::sort(objects[pe], [](const auto& a, const auto& b) {
        return a.load != b.load ? a.load > b.load : a.number < b.number;
      });
      for (const loaded_object& o : objects[pe]) {
        if (load_of[pe] <= mean) break;
        const auto [load, to] = lightest.top();
        // (The queue has outdated loads of PEs that have given objects away since.)
        if (o.load <= 0 || load + o.load >= load_of[pe] || to == static_cast<int>(pe)) continue;
        lightest.pop();
        lightest.emplace(load + o.load, to);
        load_of[static_cast<std::size_t>(to)] = load + o.load;
        load_of[pe] -= o.load;
        give(o, to);
      }
    }
  });
}

// Takes objects with a total load of at most `excess` out of `objects`, the largest first.
std::vector<loaded_object> take_excess(std::vector<loaded_object>& objects, double excess) {
  std::ranges::sort(objects, [](const auto& a, const auto& b) {
    return a.load != b.load ? a.load > b.load
                            : std::pair(a.owner, a.number) < std::pair(b.owner, b.number);
  });
  std::vector<loaded_object> taken;
  std::erase_if(objects, [&](const loaded_object& o) {
    if (o.load <= 0 || o.load > excess) return false;
    excess -= o.load;
    taken.push_back(o);
    return true;
  });
  return taken;
}

// In each round a PE has one partner, and the PE with the larger load gives half of the difference.
// Objects that were given may be given again; only their descriptions travel.
std::vector<int> plan_diffusion(const world& w, std::span<const double> loads) {
  std::vector<loaded_object> here;
  for (std::size_t i = 0; i != loads.size(); ++i) {
    here.push_back({w.rank(), static_cast<std::uint32_t>(i), loads[i]});
  }
  double load = sum_of(loads);
  double load_of_partner = 0;
  stream<double> compare(w, [&](double l) { load_of_partner = l; });
  stream<loaded_object> give(w, [&](const loaded_object& o) {
    here.push_back(o);
    load += o.load;
  });
  constexpr int sweeps = 2;
  for (int sweep = 0; sweep != sweeps; ++sweep) {
    for (int distance = 1; distance < w.size(); distance *= 2) {
      const int partner = w.rank() ^ distance;
      const bool has_partner = partner < w.size();
      {
        const session scope = compare.begin();
        if (has_partner) compare.send(load, partner);
        compare.finish();
      }
      const session scope = give.begin();
      if (has_partner && load > load_of_partner) {
        for (const loaded_object& o : take_excess(here, (load - load_of_partner) / 2)) {
          load -= o.load;
          give.send(o, partner);
        }
      }
      give.finish();
    }
  }
  return assign(w, loads.size(), [&](const auto& give_back) {
    for (const loaded_object& o : here) give_back(o, w.rank());
  });
}

// Returns the number that a word of a file is, or nothing.
template <typename Number>
std::optional<Number> number_in(const std::string& word) {
  Number number{};
  const char* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

// Returns a coordinate in the form that `coordinates_of` writes, or an empty text.
std::string coordinate_in(const std::string& word) {
  if (const auto number = number_in<std::int64_t>(word)) return std::to_string(*number);
  if (const auto number = number_in<std::uint64_t>(word)) return std::to_string(*number);
  return "";
}

// The PE of each index by the lines of a file.
class places_of_file {
 public:
  places_of_file(int pes, std::size_t num_coordinates)
      : pes_(pes), num_coordinates_(num_coordinates) {}

  // Returns the problem of a line, or an empty text.
  std::string add(const std::string& line, std::size_t line_number) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.empty() || words.front().front() == '#') return "";
    const std::optional<int> pe = number_in<int>(words.back());
    words.pop_back();
    std::string index;
    bool is_right = words.size() == num_coordinates_;
    for (const std::string& word : words) {
      const std::string coordinate = coordinate_in(word);
      is_right = is_right && !coordinate.empty();
      index += (index.empty() ? "" : " ") + coordinate;
    }
    if (!is_right || !pe || *pe < 0 || *pe >= pes_) {
      return '"' + line.substr(0, 80) + "\": give " + std::to_string(num_coordinates_) +
             (num_coordinates_ == 1 ? " coordinate" : " coordinates") +
             " of an index, which are integers, and a PE from 0 to " + std::to_string(pes_ - 1);
    }
    const auto [place, is_new] = places_.emplace(index, std::pair(*pe, line_number));
    if (is_new) return "";
    return "index " + index + " has a PE by line " + std::to_string(place->second.second) +
           " already: give each index one line";
  }
  // Returns the PE of an index, or `otherwise` if the file has no line for the index.
  [[nodiscard]] int pe_of(const std::string& index, int otherwise) const {
    const auto found = places_.find(index);
    return found == places_.end() ? otherwise : found->second.first;
  }

 private:
  int pes_;
  std::size_t num_coordinates_;
  std::unordered_map<std::string, std::pair<int, std::size_t>> places_;  // with the line
};

// Reads a file; returns a problem, or an empty text.
std::string read_file(const std::string& name, places_of_file& places) {
  std::ifstream file(name);
  if (!file) return "cannot read " + name;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const std::string problem = places.add(line, number);
    if (!problem.empty()) return name + ", line " + std::to_string(number) + ": " + problem;
  }
  return file.bad() ? "cannot read " + name : "";
}

std::vector<int> plan_by_file(const world& w, const std::string& file, const index_texts& indices) {
  places_of_file places(w.size(), indices.num_coordinates);
  agree_on(w, read_file(file, places), "rebalance", "rebalance", "file", file);
  std::vector<int> to;
  for (const std::string& index : indices.of_objects) {
    to.push_back(places.pe_of(index, w.rank()));
  }
  return to;
}

// Returns the load of the PE after the moves.
double load_after(const world& w, std::span<const int> to, std::span<const double> loads) {
  std::map<int, double> sums;
  for (std::size_t i = 0; i != to.size(); ++i) sums[to[i]] += loads[i];
  double load = 0;
  stream<double> s(w, [&load](double l) { load += l; });
  const session scope = s.begin();
  for (const auto& [pe, sum] : sums) s.send(sum, pe);
  s.finish();
  return load;
}

double max_over_mean(world& w, double load) {
  const double sum = w.reduce(load);
  const double largest = w.reduce(load, maximum());
  return sum <= 0 ? 1 : largest * w.size() / sum;
}

}  // namespace

balance_plan plan_balance(const world& w, const balance_options& options,
                          std::span<const double> loads, const index_texts& indices) {
  std::string problem;
  if (!std::ranges::all_of(loads, [](double l) { return l >= 0 && std::isfinite(l); })) {
    problem = "the load of an object is negative, infinite or no number: give 0 or more";
  }
  if (!(options.sessions >= 0) || !(options.bytes_per_second >= 0)) {
    problem = "`sessions` and `bytes_per_second` must be 0 or more";
  }
  agree_on(w, problem, "rebalance", "rebalance", "policy",
           std::to_string(static_cast<int>(options.policy)));
  balance_plan plan;
  switch (options.policy) {
    case balance_policy::none:
      plan.to.assign(loads.size(), w.rank());
      break;
    case balance_policy::rotate:
      plan.to.assign(loads.size(), (w.rank() + 1) % w.size());
      break;
    case balance_policy::greedy:
      plan.to = plan_greedy(w, loads);
      break;
    case balance_policy::diffusion:
      plan.to = plan_diffusion(w, loads);
      break;
    case balance_policy::from_file:
      plan.to = plan_by_file(w, options.file, indices);
      break;
  }
  plan.load_before = sum_of(loads);
  plan.load_after = load_after(w, plan.to, loads);
  return plan;
}

balance_report judge_balance(world& w, const balance_options& options, const balance_plan& plan,
                             std::uint64_t bytes) {
  balance_report report;
  report.max_over_mean_before = max_over_mean(w, plan.load_before);
  report.max_over_mean_after = max_over_mean(w, plan.load_after);
  if (options.bytes_per_second <= 0 || options.policy == balance_policy::rotate) return report;
  const double gain = w.reduce(plan.load_before, maximum()) - w.reduce(plan.load_after, maximum());
  const double cost = static_cast<double>(w.reduce(bytes, maximum())) / options.bytes_per_second;
  report.was_not_worth_it = gain * options.sessions < cost;
  return report;
}

}  // namespace detail
}  // namespace boxcar
