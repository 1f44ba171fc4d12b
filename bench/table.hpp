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
  // For the results of these settings, which are complete. What all have in common will stand above
  // the table, what differs in columns of its own.
  table(std::ostream& out, const request& wanted, const std::vector<setting>& settings);

  // To be called for each in turn: what is known is printed at once.
  void add(const setting_result& result);
  // What is to be said below.
  void end();

 private:
  struct column {
    std::string name;
    std::function<std::string(const setting& s)> value;
  };
  // What stands in a column about a contender that was measured, and how it is called.
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
  std::vector<std::size_t> widths_;  // of those
  bool begun_ = false;
  std::uint64_t least_items_ = 0;  // of a PE, of contenders that do less than the others
};

}  // namespace boxcar::bench
