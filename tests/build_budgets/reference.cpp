// The unit of the build budgets: the compile time of this file, on the machine of the measured
// build. The file uses the usual headers of a C++ file, and nothing of Boxcar.
#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct record {
  std::string name;
  double weight = 0;
  std::vector<int> parts;
};

using index = std::map<std::string, std::shared_ptr<record>>;
using groups = std::unordered_map<std::string, std::vector<record>>;

index read(std::istream& in) {
  index all;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    auto one = std::make_shared<record>();
    words >> one->name >> one->weight;
    for (int part = 0; words >> part;) one->parts.push_back(part);
    all[one->name] = std::move(one);
  }
  return all;
}

groups group(const index& all, const std::function<std::string(const record&)>& key) {
  groups by_key;
  for (const auto& [name, one] : all) by_key[key(*one)].push_back(*one);
  for (auto& [name, members] : by_key) {
    std::sort(members.begin(), members.end(),
              [](const record& a, const record& b) { return a.weight < b.weight; });
    std::stable_sort(members.begin(), members.end(), [](const record& a, const record& b) {
      return a.parts.size() < b.parts.size();
    });
  }
  return by_key;
}

double spread(const groups& by_key) {
  std::vector<double> weights;
  for (const auto& [name, members] : by_key) {
    std::transform(members.begin(), members.end(), std::back_inserter(weights),
                   [](const record& one) { return one.weight; });
  }
  std::mt19937 engine(7);
  std::shuffle(weights.begin(), weights.end(), engine);
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

}  // namespace

int main() {
  const auto start = std::chrono::steady_clock::now();
  const groups by_key = group(read(std::cin), [](const record& one) {
    return one.name.substr(0, one.parts.empty() ? 1 : 2);
  });
  std::cout << spread(by_key) << ' '
            << std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()
            << '\n';
}
