#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>
#include <string_view>

#include "text.hpp"

namespace boxcar::bench {
namespace {

// Lengths are in pixels. A panel has room around it for its title, and for the labels of its axes.
constexpr double panel_width = 320;
constexpr double panel_height = 220;
constexpr double room_left = 80;
constexpr double room_right = 20;
constexpr double room_above = 30;
constexpr double room_below = 60;
constexpr double cell_width = room_left + panel_width + room_right;
constexpr double cell_height = room_above + panel_height + room_below;
constexpr double title_height = 40;
constexpr double legend_width = 190;
constexpr double legend_step = 20;

// Colours that the colour-blind can tell apart (Okabe and Ito), and another mark with each; when
// they are used up, marks are hollow and lines dashed.
constexpr std::array<std::string_view, 7> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000"};
constexpr std::array<std::string_view, 7> marks{
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",     // circle
    "M-3.5 -3.5h7v7h-7z",                      // square
    "M0 -4.5L4.2 3.2H-4.2z",                   // triangle
    "M0 -5L4.5 0L0 5L-4.5 0z",                 // diamond
    "M0 4.5L4.2 -3.2H-4.2z",                   // triangle upside down
    "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",  // cross
    "M-4.5 -2.4L-2.4 -4.5L0 -2.1L2.4 -4.5L4.5 -2.4L2.1 0L4.5 2.4L2.4 4.5L0 2.1L-2.4 4.5L-4.5 "
    "2.4L-2.1 0z",  // slanting cross
};
static_assert(colours.size() == marks.size());

struct place {
  double x = 0;
  double y = 0;
};

// Names of all lines, each once, in the order of first occurrence.
std::vector<std::string> names_in(const plot& p) {
  std::vector<std::string> names;
  for (const auto& row : p.rows) {
    for (const panel& each : row) {
      for (const line& l : each.lines) {
        if (std::ranges::find(names, l.name) == names.end()) names.push_back(l.name);
      }
    }
  }
  return names;
}

class writer {
 public:
  explicit writer(const plot& p) : plot_(p), names_(names_in(p)) {}

  std::string written() {
    begin();
    for (std::size_t r = 0; r < plot_.rows.size(); ++r) {
      for (std::size_t c = 0; c < plot_.rows[r].size(); ++c) {
        const place corner{static_cast<double>(c) * cell_width + room_left,
                           title_height + static_cast<double>(r) * cell_height + room_above};
        draw(plot_.rows[r][c], corner);
      }
    }
    draw_legend();
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  [[nodiscard]] std::size_t columns() const {
    std::size_t most = 1;
    for (const auto& row : plot_.rows) most = std::max(most, row.size());
    return most;
  }

  void begin() {
    out_.precision(10);  // so that sizes in bytes are whole
    const double width = static_cast<double>(columns()) * cell_width + legend_width;
    const double rows = static_cast<double>(plot_.rows.size()) * cell_height;
    const double legend = static_cast<double>(names_.size() + 1) * legend_step + room_above;
    const double height = title_height + std::max(rows, legend);
    out_ << R"(<?xml version="1.0" encoding="UTF-8"?>)"
         << "\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" << width
         << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' ' << height
         << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
         << "<title>" << escaped(plot_.title) << "</title>\n"
         << R"(<rect width="100%" height="100%" fill="#ffffff"/>)" << '\n';
    write({room_left, title_height - 14}, plot_.title, R"(font-size="16" font-weight="bold")");
  }

  void write(place at, std::string_view text, std::string_view how) {
    out_ << "<text x=\"" << decimal(at.x, 1) << "\" y=\"" << decimal(at.y, 1) << "\" " << how << '>'
         << escaped(text) << "</text>\n";
  }

  void draw(const panel& p, place corner) {
    out_ << "<g class=\"panel\" transform=\"translate(" << corner.x << ' ' << corner.y << ")\">\n";
    write({panel_width / 2, -10}, p.title, R"(text-anchor="middle" font-weight="bold")");
    draw_x_axis(p.x);
    draw_y_axis(p.y);
    out_ << "<rect width=\"" << panel_width << "\" height=\"" << panel_height
         << "\" fill=\"none\" stroke=\"#404040\"/>\n";
    for (const line& l : p.lines) draw(l, p);
    out_ << "</g>\n";
  }

  void draw_x_axis(const axis& a) {
    for (const double value : a.along.ticks()) {
      const double x = a.along.at(value) * panel_width;
      draw_tick('x', value, {x, 0}, {x, panel_height});
      write({x, panel_height + 16}, a.text(value), R"(text-anchor="middle")");
    }
    write({panel_width / 2, panel_height + 38}, a.label, R"(text-anchor="middle")");
  }

  void draw_y_axis(const axis& a) {
    for (const double value : a.along.ticks()) {
      const double y = (1 - a.along.at(value)) * panel_height;
      draw_tick('y', value, {0, y}, {panel_width, y});
      write({-10, y + 4}, a.text(value), R"(text-anchor="end")");
    }
    // The label is rotated: right becomes up.
    write({-panel_height / 2, 18 - room_left}, a.label,
          R"-(text-anchor="middle" transform="rotate(-90)")-");
  }

  void draw_tick(char of, double value, place from, place to) {
    out_ << "<line class=\"tick-" << of << "\" data-value=\"" << value << "\" x1=\""
         << decimal(from.x, 1) << "\" y1=\"" << decimal(from.y, 1) << "\" x2=\"" << decimal(to.x, 1)
         << "\" y2=\"" << decimal(to.y, 1) << "\" stroke=\"#dddddd\"/>\n";
  }

  void draw(const line& l, const panel& p) {
    std::vector<place> places;
    std::string path;
    for (const point& each : l.points) {
      const place at{p.x.along.at(each.x) * panel_width, (1 - p.y.along.at(each.y)) * panel_height};
      places.push_back(at);
      if (!path.empty()) path += ' ';
      path.append(decimal(at.x, 1)).append(",").append(decimal(at.y, 1));
    }
    out_ << "<g class=\"line\" data-name=\"" << escaped(l.name) << "\" " << style_of(l.name)
         << ">\n<polyline points=\"" << path << "\" fill=\"none\"" << dashes_of(l.name) << "/>\n";
    for (std::size_t i = 0; i < places.size(); ++i) {
      const point& each = l.points[i];
      out_ << "<g class=\"point\" data-x=\"" << each.x << "\" data-y=\"" << each.y << "\">";
      draw_mark(l.name, places[i]);
      // Browsers show the title on hover.
      out_ << "<title>" << escaped(l.name + ", " + p.x.text(each.x) + ": " + p.y.text(each.y))
           << "</title></g>\n";
    }
    out_ << "</g>\n";
  }

  [[nodiscard]] std::size_t number_of(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
  }

  [[nodiscard]] bool is_hollow(const std::string& name) const {
    return number_of(name) / colours.size() % 2 == 1;
  }
  [[nodiscard]] std::string style_of(const std::string& name) const {
    const std::string colour(colours[number_of(name) % colours.size()]);
    return "stroke=\"" + colour + "\" stroke-width=\"1.5\" fill=\"" +
           (is_hollow(name) ? "#ffffff" : colour) + "\"";
  }
  [[nodiscard]] const char* dashes_of(const std::string& name) const {
    return is_hollow(name) ? " stroke-dasharray=\"5 3\"" : "";
  }

  void draw_mark(const std::string& name, place at) {
    out_ << "<path transform=\"translate(" << decimal(at.x, 1) << ' ' << decimal(at.y, 1)
         << ")\" d=\"" << marks[number_of(name) % marks.size()] << "\"/>";
  }

  void draw_legend() {
    constexpr double length = 30;
    const double left = static_cast<double>(columns()) * cell_width;
    double y = title_height + room_above;
    out_ << "<g class=\"legend\">\n";
    for (const std::string& name : names_) {
      out_ << "<g " << style_of(name) << "><path d=\"M" << left << ' ' << y << 'h' << length << '"'
           << dashes_of(name) << "/>";
      draw_mark(name, {left + length / 2, y});
      out_ << "</g>\n";
      write({left + length + 8, y + 4}, name, "");
      y += legend_step;
    }
    out_ << "</g>\n";
  }

  const plot& plot_;
  std::vector<std::string> names_;
  std::ostringstream out_;
};

}  // namespace

std::string svg_of(const plot& p) {
  return writer(p).written();
}

}  // namespace boxcar::bench
