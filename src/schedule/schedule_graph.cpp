#include "schedule/schedule_graph.hpp"

#include <algorithm>
#include <functional>

#include "schedule/dependencies.hpp"
#include "schedule/memory_uses.hpp"
#include "trigger/memory_ranges.hpp"

namespace boxcar::detail {
namespace {

std::string text_of(std::size_t n) {
  return std::to_string(n);
}

std::string text_of_pe(int pe) {
  return pe == any_pe ? "any PE" : "PE " + std::to_string(pe);
}
std::string text_of_tag(int tag) {
  return tag == any_tag ? "any tag" : "tag " + std::to_string(tag);
}

std::string what_it_does(const graph_vertex& v) {
  const std::string bytes = text_of(v.bytes()) + " bytes";
  switch (v.kind) {
    case vertex_kind::send:
      return "send " + bytes + " to " + text_of_pe(v.pe) + " with " + text_of_tag(v.tag);
    case vertex_kind::receive:
      return "receive " + bytes + " from " + text_of_pe(v.pe) + " with " + text_of_tag(v.tag);
    case vertex_kind::copy:
      return "copy " + bytes;
    case vertex_kind::combine:
      return "combine " + bytes;
    case vertex_kind::compute:
      return "compute " + bytes;
  }
  return bytes;
}

// Names come from the program, hence they are escaped.
std::string quoted(const std::string& s) {
  std::string q = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') q += '\\';
    q += c;
  }
  return q + '"';
}

// Returns whether `v` reads the memory.
bool reads(const graph_vertex& v, std::span<const std::byte> there) {
  return overlap(v.from, there) ||
         std::ranges::any_of(v.inputs, [there](const auto& i) { return overlap(i, there); });
}

// Returns the vertices in topological order. Vertices in or behind a cycle are left out.
std::vector<int> in_order(const std::vector<graph_vertex>& all) {
  dependencies left(all);
  std::vector<int> order = left.roots;
  for (std::size_t done = 0; done < order.size(); ++done) {
    left.complete(order[done], [&order](int l) { order.push_back(l); });
  }
  return order;
}

// Finds direct and indirect dependencies of vertices.
class ancestry {
 public:
  ancestry(const std::vector<graph_vertex>& all, const std::vector<int>& order)
      : all_(all), places_(all.size()), seen_(all.size(), nobody) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      places_[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    }
  }

  // Returns a vertex of `needed` on which `vertex` does not depend; `nobody` if there is none.
  // Precondition: all of `needed` precede `vertex`. The search goes no farther back than the first
  // of `needed`.
  int missing(int vertex, const std::vector<int>& needed) {
    const auto is_missing = [&](int n) { return seen_[index(n)] != vertex; };
    std::vector<int> ways = all_[index(vertex)].after;
    for (const int e : ways) seen_[index(e)] = vertex;
    if (std::ranges::none_of(needed, is_missing)) return nobody;
    const int first = places_[index(
        *std::ranges::min_element(needed, {}, [this](int n) { return places_[index(n)]; }))];
    while (!ways.empty()) {
      const int v = ways.back();
      ways.pop_back();
      for (const int e : all_[index(v)].after) {
        if (!is_missing(e) || places_[index(e)] < first) continue;
        seen_[index(e)] = vertex;
        ways.push_back(e);
      }
    }
    const auto found = std::ranges::find_if(needed, is_missing);
    return found == needed.end() ? nobody : *found;
  }

  static constexpr int nobody = -1;

 private:
  static std::size_t index(int vertex) { return static_cast<std::size_t>(vertex); }

  const std::vector<graph_vertex>& all_;
  std::vector<int> places_;  // positions in the order
  std::vector<int> seen_;    // the vertex of which each vertex was last found to be an ancestor
};

}  // namespace

std::string schedule_graph::describe(int vertex) const {
  const graph_vertex& v = vertices[static_cast<std::size_t>(vertex)];
  const std::string name = v.name.empty() ? "" : " (" + v.name + ")";
  return "vertex " + std::to_string(vertex) + name + ", " + what_it_does(v);
}

std::optional<std::string> schedule_graph::problem() const {
  const std::vector<int> order = in_order(vertices);
  if (order.size() != vertices.size()) {
    // Follows dependencies among the left-out vertices until a vertex repeats: a cycle.
    std::vector<bool> is_fine(vertices.size());
    for (const int v : order) is_fine[static_cast<std::size_t>(v)] = true;
    const auto left = [&](int v) { return !is_fine[static_cast<std::size_t>(v)]; };
    int at = static_cast<int>(std::ranges::find(is_fine, false) - is_fine.begin());
    std::vector<int> way;
    while (std::ranges::find(way, at) == way.end()) {
      way.push_back(at);
      at = *std::ranges::find_if(vertices[static_cast<std::size_t>(at)].after, left);
    }
    std::string circle = describe(at);
    for (auto i = std::ranges::find(way, at) + 1; i != way.end(); ++i) {
      circle += " -> " + describe(*i);
    }
    return "vertices depend on one another in a circle: " + circle + " -> " + describe(at) +
           "; leave out one of these dependencies";
  }
  // A vertex that depends on the last users of its memory also depends on all earlier users.
  ancestry before(vertices, order);
  memory_uses uses;
  for (const int vertex : order) {
    const graph_vertex& v = vertices[static_cast<std::size_t>(vertex)];
    if (reads(v, v.into)) return describe(vertex) + ": its memories overlap; give others";
    std::vector<int> needed;
    uses.read(v.from, vertex, needed);
    for (const auto& input : v.inputs) uses.read(input, vertex, needed);
    uses.write(v.into, vertex, needed);
    const int other = before.missing(vertex, needed);
    if (other == ancestry::nobody) continue;
    return describe(std::min(vertex, other)) + ", and " + describe(std::max(vertex, other)) +
           " use the same memory, and neither depends on the other: let one depend on the "
           "other, or give them other memory";
  }
  return std::nullopt;
}

std::string schedule_graph::text(std::span<const vertex_place> partners) const {
  std::string lines;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    lines += describe(static_cast<int>(i));
    if (!vertices[i].after.empty()) {
      lines += ", after";
      for (const int e : vertices[i].after) lines += ' ' + std::to_string(e);
    }
    if (!partners.empty() && partners[i].pe >= 0) {
      lines += ", matches vertex " + std::to_string(partners[i].vertex) + " of PE " +
               std::to_string(partners[i].pe);
    }
    lines += '\n';
  }
  return lines;
}

std::string schedule_graph::graphviz(std::span<const vertex_place> partners) const {
  std::string lines = "digraph schedule {\n";
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    std::string me = "v";
    me += text_of(i);
    const graph_vertex& v = vertices[i];
    const std::string label = v.name.empty() ? what_it_does(v) : v.name + ": " + what_it_does(v);
    lines += "  " + me + " [shape=box, label=" + quoted(label) + "];\n";
    for (const int e : v.after) lines += "  v" + std::to_string(e) + " -> " + me + ";\n";
    if (partners.empty() || partners[i].pe < 0) continue;
    const std::string other = quoted("PE " + std::to_string(partners[i].pe) + ", vertex " +
                                     std::to_string(partners[i].vertex));
    const bool sends = v.kind == vertex_kind::send;
    lines.append("  ").append(sends ? me : other).append(" -> ").append(sends ? other : me);
    lines += " [style=dashed];\n";
  }
  return lines + "}\n";
}

}  // namespace boxcar::detail
