#include "collective/ways_of_machine.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <vector>

#include <boxcar/error.hpp>

#include "collective/calibration.hpp"
#include "substrate/calibration_file.hpp"

namespace boxcar::detail {

const ways_of_machine& ways_of_machine::here() {
  static const ways_of_machine only = read(calibration_file());
  return only;
}

ways_of_machine ways_of_machine::read(const std::string& name) {
  ways_of_machine found;
  std::error_code ignored;
  if (name.empty() || !std::filesystem::is_regular_file(name, ignored)) return found;
  std::ifstream file(name);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    found.problem = name + " cannot be read";
    return found;
  }
  try {
    const std::vector<measured_way> rows = parse_calibration(text.view(), name);
    if (rows.empty()) return found;
    found.table = found.table.with(rows);
    found.mark = std::hash<std::string>()(calibration_text(rows)) | 1;
  } catch (const argument_error& e) {
    found.problem = e.what();
  }
  return found;
}

}  // namespace boxcar::detail
