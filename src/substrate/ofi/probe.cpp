#include "substrate/ofi/probe.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <set>
#include <span>
#include <sstream>
#include <vector>

#include "substrate/ofi/isolated.hpp"
#include "substrate/ofi/probe_pair.hpp"

namespace boxcar::detail::ofi {
namespace {

constexpr auto max_attempt = std::chrono::seconds(8);

std::string names_of_providers() {
  const info_list all = find_information({}, 0);
  std::set<std::string> names;
  for (const fi_info* one = all.get(); one != nullptr; one = one->next) {
    names.insert(one->fabric_attr->prov_name);
  }
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  return text;
}

std::string answer_of(const probed_feature& f, const std::string& provider) {
  // Without this setting the provider sockets waits for some milliseconds before it does anything.
  setenv("FI_SOCKETS_PE_WAITTIME", "0", 0);
  try {
    return f.attempt(provider);
  } catch (const not_offered&) {
    return "no";
  }
}

}  // namespace

std::string probe_providers() {
  constexpr int first = 18;
  constexpr int others = 13;
  std::ostringstream table;
  const auto write = [&table](const std::string& text, int columns) {
    table << std::left << std::setw(columns) << text;
  };
  std::vector<std::string> long_answers;
  // Returns the answer, or the number of a long answer.
  const auto shortened = [&](const std::string& answer) -> std::string {
    if (answer.size() < others) return answer;
    const auto found = std::ranges::find(long_answers, answer);
    const auto number = found - long_answers.begin() + 1;
    if (found == long_answers.end()) long_answers.push_back(answer);
    std::ostringstream text;
    text << '(' << number << ')';
    return text.str();
  };
  const std::string all_names = isolated(names_of_providers, max_attempt);
  const auto write_table = [&](std::span<const probed_feature> features) {
    const auto columns_of = [&](const probed_feature& f) {
      return &f == &features.back() ? 0 : others;
    };
    write("provider", first);
    for (const probed_feature& f : features) write(f.name, columns_of(f));
    table << '\n';
    std::istringstream names(all_names);
    for (std::string name; std::getline(names, name);) {
      write(name, first);
      for (const probed_feature& f : features) {
        write(shortened(isolated([&] { return answer_of(f, name); }, max_attempt)), columns_of(f));
      }
      table << '\n';
    }
  };
  write_table(probed_features);
  table << '\n';
  write_table(probed_deferring);
  for (std::size_t i = 0; i < long_answers.size(); ++i) {
    table << '(' << i + 1 << ") " << long_answers[i] << '\n';
  }
  return table.str();
}

}  // namespace boxcar::detail::ofi
