#include "simulator/network_names.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <boxcar/error.hpp>

#include "own_folder.hpp"

namespace boxcar::simulator {
namespace {

constexpr const char* ending = ".network";

// Returns the folder of networks, in an installation as well as in a build.
std::filesystem::path folder() {
  return tool::own_folder().parent_path() / "share" / "boxcar" / "networks";
}

}  // namespace

std::vector<std::string> network_names() {
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder(), problem)) {
    if (entry.path().extension() == ending) names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

std::string find_network(const std::string& name) {
  const std::vector<std::string> known = network_names();
  if (std::ranges::find(known, name) != known.end()) return folder() / (name + ending);
  std::error_code problem;
  if (std::filesystem::is_regular_file(name, problem)) return name;
  const std::string what = "--network " + name + ": there is no such network, nor file; ";
  if (known.empty()) {
    throw argument_error(what + "none are in " + folder().string() +
                         ", where they belong: give the path of a file, or install Boxcar again");
  }
  std::string text;
  for (const std::string& one : known) text += one + ", ";
  throw argument_error(what + "give " + text + "or the path of a file");
}

}  // namespace boxcar::simulator
