// The report as a table for people.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "request.hpp"
#include "result.hpp"

namespace boxcar::bench {

class table {
 public:
  // A table for the results of the settings, a complete list. Values common to all settings stand
  // above the table, differing values in columns of their own.
  table(std::ostream& out, const request& wanted, const std::vector<setting>& settings);

  // Called for each result in turn; prints each row at once.
  void add(const setting_result& result);
  // Prints the text below the table.
  void end();

 private:
  struct column {
    std::string name;
    std::function<std::string(const setting& s)> value;
  };
  // A column about a measured contender, with its name.
  struct figure {
    const char* name;
    std::size_t width;
    std::string (*text)(const setting_result& all, const contender_result& c);
  };
  static std::span<const figure> usual_figures();
  static std::span<const figure> figures_of_overlap();

  void begin(const setting_result& first);
  void begin_row(const setting_result& result);
  void add_row(const setting_result& result, const contender_result& c);

  std::ostream& out_;
  std::span<const figure> figures_;
  std::string heading_;
  std::vector<column> varying_;
  std::vector<std::size_t> widths_;  // widths of the columns
  bool begun_ = false;
  std::uint64_t least_items_ = 0;  // of a PE, of contenders with fewer items than the others
};

}  // namespace boxcar::bench
