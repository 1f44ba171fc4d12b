#include "schedule/matching.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>

#include "schedule/dependencies.hpp"
#include "schedule/packing.hpp"

namespace boxcar::detail {
namespace {

// --- A run ---------------------------------------------------------------------------------------

class run_of_all {
 public:
  run_of_all(const std::vector<outline>& pes, const std::vector<int>& node_of,
             const eager_limits& eager)
      : pes_(pes), node_of_(node_of), eager_(eager) {
    for (int pe = 0; pe < static_cast<int>(pes.size()); ++pe) {
      const outline& one = pes[index(pe)];
      found_.partners.emplace_back(one.size());
      left_.emplace_back(one);
      started_.emplace_back(one.size(), false);
      sends_to_.emplace_back();
      receives_of_.emplace_back();
      for (const int root : left_.back().roots) ready_.push_back({pe, root});
    }
  }

  matching go() && {
    while (!ready_.empty()) {
      const vertex_place next = ready_.front();
      ready_.pop_front();
      start(next);
    }
    find_problem();
    return std::move(found_);
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] const outlined_vertex& at(const vertex_place& p) const {
    return pes_[index(p.pe)][index(p.vertex)];
  }

  // Of a send.
  [[nodiscard]] bool is_eager(const vertex_place& p) const {
    const bool is_local = node_of_[index(p.pe)] == node_of_[index(at(p).pe)];
    return eager_.allow(at(p).bytes, is_local);
  }

  void start(const vertex_place& p) {
    started_[index(p.pe)][index(p.vertex)] = true;
    const outlined_vertex& v = at(p);
    if (v.kind == vertex_kind::send) {
      post(p, sends_to_[index(v.pe)], receives_of_[index(v.pe)]);
      if (is_eager(p)) complete(p);
    } else if (v.kind == vertex_kind::receive) {
      post(p, receives_of_[index(p.pe)], sends_to_[index(p.pe)]);
    } else {
      complete(p);
    }
  }

  // Among the vertices of its kind, unless one of the others matches.
  void post(const vertex_place& p, std::vector<vertex_place>& mine,
            std::vector<vertex_place>& others) {
    const auto found =
        std::ranges::find_if(others, [&](const vertex_place& other) { return matches(p, other); });
    if (found == others.end()) return mine.push_back(p);
    const vertex_place other = *found;
    others.erase(found);
    found_.partners[index(p.pe)][index(p.vertex)] = other;
    found_.partners[index(other.pe)][index(other.vertex)] = p;
    for (const vertex_place& one : {p, other}) {
      if (at(one).kind == vertex_kind::receive || !is_eager(one)) complete(one);
    }
  }
  [[nodiscard]] bool matches(const vertex_place& a, const vertex_place& b) const {
    return agree_but_for_length(a, b) && at(a).bytes == at(b).bytes;
  }
  [[nodiscard]] bool agree_but_for_length(const vertex_place& a, const vertex_place& b) const {
    const bool a_sends = at(a).kind == vertex_kind::send;
    const vertex_place& from = a_sends ? a : b;
    const outlined_vertex& send = at(from);
    const outlined_vertex& receive = at(a_sends ? b : a);
    return (receive.pe == any_pe || receive.pe == from.pe) &&
           (receive.tag == any_tag || receive.tag == send.tag);
  }

  void complete(const vertex_place& p) {
    left_[index(p.pe)].complete(p.vertex, [&](int l) { ready_.push_back({p.pe, l}); });
  }

  void find_problem() {
    std::string list;
    int told = 0;
    constexpr int most_told = 8;
    const auto tell = [&](const std::string& line) {
      if (++told <= most_told) list += (list.empty() ? "" : "; ") + line;
    };
    bool waits = false;
    for (int pe = 0; pe < static_cast<int>(pes_.size()); ++pe) {
      for (const vertex_place& s : sends_to_[index(pe)]) {
        tell(named(s) + " has no receive" + near_miss(s, receives_of_[index(pe)]));
      }
      for (const vertex_place& r : receives_of_[index(pe)]) {
        tell(named(r) + " has no send" + near_miss(r, sends_to_[index(pe)]));
      }
      for (const bool started : started_[index(pe)]) waits = waits || !started;
    }
    if (told == 0) return;
    if (told > most_told) list += "; and " + std::to_string(told - most_told) + " more";
    found_.problem = list;
    if (waits) {
      found_.problem +=
          ". (What depends on these never starts, and may be what they miss: messages of more than "
          "schedule_options::eager_bytes, " +
          std::to_string(eager_.between_nodes) + ", are sent only when they are received.)";
    }
  }
  [[nodiscard]] std::string named(const vertex_place& p) const {
    return "PE " + std::to_string(p.pe) + ", " + at(p).description;
  }
  [[nodiscard]] std::string near_miss(const vertex_place& p,
                                      const std::vector<vertex_place>& others) const {
    for (const vertex_place& other : others) {
      if (agree_but_for_length(p, other)) {
        return ": the lengths differ from " + named(other);
      }
    }
    return "";
  }

  const std::vector<outline>& pes_;
  const std::vector<int>& node_of_;
  eager_limits eager_;
  matching found_;
  std::vector<dependencies> left_;  // of each PE
  std::vector<std::vector<bool>> started_;
  std::deque<vertex_place> ready_;
  std::vector<std::vector<vertex_place>> sends_to_;     // that PE, with no match yet
  std::vector<std::vector<vertex_place>> receives_of_;  // that PE, the same
};

}  // namespace

outline outline_of(const schedule_graph& graph) {
  outline one;
  for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
    const graph_vertex& v = graph.vertices[i];
    one.push_back({v.kind, v.pe, v.tag, v.bytes(), v.after, graph.describe(static_cast<int>(i))});
  }
  return one;
}

std::vector<std::byte> packed(const outline& one) {
  packer p;
  p.number(one.size());
  for (const outlined_vertex& v : one) {
    p.number(static_cast<std::uint64_t>(v.kind));
    p.number(static_cast<std::uint64_t>(v.pe));
    p.number(static_cast<std::uint64_t>(v.tag));
    p.number(v.bytes);
    p.number(v.after.size());
    for (const int e : v.after) p.number(static_cast<std::uint64_t>(e));
    p.bytes(std::as_bytes(std::span(v.description)));
  }
  return std::move(p).all();
}

outline unpacked(std::span<const std::byte> bytes) {
  unpacker u(bytes);
  outline one(u.number());
  for (outlined_vertex& v : one) {
    v.kind = static_cast<vertex_kind>(u.number());
    v.pe = u.small();
    v.tag = u.small();
    v.bytes = u.number();
    v.after.resize(u.number());
    for (int& e : v.after) e = u.small();
    const auto description = u.bytes();
    v.description.assign(reinterpret_cast<const char*>(description.data()), description.size());
  }
  return one;
}

matching match_all(const std::vector<outline>& pes, const std::vector<int>& node_of,
                   const eager_limits& eager) {
  return run_of_all(pes, node_of, eager).go();
}

}  // namespace boxcar::detail
