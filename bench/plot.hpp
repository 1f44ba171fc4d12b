// Lines over axes, as a picture in SVG.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scale.hpp"

namespace boxcar::bench {

struct point {
  double x = 0;
  double y = 0;
};

// Lines of the same name look alike in all panels of a plot, and are in its legend once.
struct line {
  std::string name;
  std::vector<point> points;  // from left to right
};

struct axis {
  std::string label;                        // with the unit
  scale along;                              // has room for all points
  std::function<std::string(double)> text;  // of a tick or a point
};

struct panel {
  std::string title;
  axis x;
  axis y;
  std::vector<line> lines;
};

struct plot {
  std::string title;
  std::vector<std::vector<panel>> rows;
};

// Texts are in UTF-8. Each line is a group of the class `line`, and each of its points a mark with
// the numbers themselves (data-x, data-y), as every tick has (data-value).
[[nodiscard]] std::string svg_of(const plot& p);

}  // namespace boxcar::bench
