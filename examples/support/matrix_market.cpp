#include "support/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "support/input_error.hpp"
#include "support/text_share.hpp"

namespace examples {
namespace {

bool is_comment(const std::string& line) {
  return line.empty() || line[0] == '%' || line.find_first_not_of(" \t\r") == std::string::npos;
}

struct head {
  matrix_shape shape;
  bool pattern = false;
  std::uint64_t bytes = 0;  // of the file, with the end of the line of sizes
};

head read_head(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) {
    throw input_error(path + " is missing or empty: give a Matrix Market file");
  }
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::istringstream words(line);
  std::string banner, object, format, field, symmetry;
  words >> banner >> object >> format >> field >> symmetry;
  const bool numbers = field == "real" || field == "integer" || field == "pattern";
  if (banner != "%%matrixmarket" || object != "matrix" || format != "coordinate" || !numbers ||
      (symmetry != "general" && symmetry != "symmetric")) {
    throw input_error(path + " begins with \"" + line.substr(0, 80) +
                      "\": this example reads \"%%MatrixMarket matrix coordinate "
                      "real|integer|pattern general|symmetric\"");
  }
  head h;
  h.bytes = line.size() + 1;
  h.pattern = field == "pattern";
  h.shape.symmetric = symmetry == "symmetric";
  while (std::getline(file, line)) {
    h.bytes += line.size() + 1;
    if (is_comment(line)) continue;
    std::istringstream sizes(line);
    if (!(sizes >> h.shape.rows >> h.shape.columns >> h.shape.entries)) break;
    return h;
  }
  throw input_error(path + " has no line with the numbers of rows, columns and entries");
}

}  // namespace

matrix_shape read_shape(const std::string& path) {
  return read_head(path).shape;
}

std::vector<matrix_entry> read_entries(const std::string& path, const matrix_shape& shape,
                                       std::uint64_t index, std::uint64_t of) {
  const head h = read_head(path);
  std::istringstream lines(read_share(path, index, of, "\n", h.bytes));
  std::vector<matrix_entry> entries;
  for (std::string line; std::getline(lines, line);) {
    if (is_comment(line)) continue;
    std::istringstream numbers(line);
    matrix_entry e{0, 0, 1.0};
    const bool read = (numbers >> e.row >> e.column) && (h.pattern || numbers >> e.value);
    if (!read || e.row < 1 || e.row > shape.rows || e.column < 1 || e.column > shape.columns) {
      throw input_error(path + " has a line \"" + line.substr(0, 80) +
                        "\" that is no entry of a matrix of " + std::to_string(shape.rows) +
                        " rows and " + std::to_string(shape.columns) + " columns");
    }
    --e.row;
    --e.column;
    entries.push_back(e);
    if (shape.symmetric && e.row != e.column) entries.push_back({e.column, e.row, e.value});
  }
  return entries;
}

}  // namespace examples
