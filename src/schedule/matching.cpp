#include "schedule/matching.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <set>

#include "schedule/dependencies.hpp"
#include "schedule/packing.hpp"

namespace boxcar::detail {
namespace {

// --- Messages that wait for their partners -------------------------------------------------------

// The name in which a send and a receive must agree. A receive may leave the PE and the tag open.
struct message_name {
  int pe = any_pe;  // of the send
  int tag = any_tag;
  std::size_t bytes = 0;
  friend auto operator<=>(const message_name&, const message_name&) = default;
};

// The waiting vertices of one name, in the order of posting.
class waiting_vertices {
 public:
  struct waiting {
    vertex_place place;
    std::uint64_t turn = 0;
  };
  [[nodiscard]] bool is_empty() const { return first_ == all_.size(); }
  [[nodiscard]] const waiting& first() const { return all_[first_]; }
  void add(const waiting& w) { all_.push_back(w); }
  void drop_first() { ++first_; }

 private:
  std::vector<waiting> all_;
  std::size_t first_ = 0;
};

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
      posted_at_.emplace_back();
      for (const outlined_vertex& v : one) {
        if (v.kind == vertex_kind::receive) posted_at_.back().forms.insert(form_of(v.pe, v.tag));
      }
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

  // Precondition: `p` is a send.
  [[nodiscard]] bool is_eager(const vertex_place& p) const {
    const bool is_local = node_of_[index(p.pe)] == node_of_[index(at(p).pe)];
    return eager_.allow(at(p).bytes, is_local);
  }

  void start(const vertex_place& p) {
    started_[index(p.pe)][index(p.vertex)] = true;
    const outlined_vertex& v = at(p);
    if (v.kind == vertex_kind::send) {
      post_send(p);
      if (is_eager(p)) complete(p);
    } else if (v.kind == vertex_kind::receive) {
      post_receive(p);
    } else {
      complete(p);
    }
  }

  // Matches the send with the oldest posted receive that accepts the send; otherwise posts the
  // send.
  void post_send(const vertex_place& p) {
    const outlined_vertex& v = at(p);
    posted& target = posted_at_[index(v.pe)];
    const auto name_in = [&](const receive_form& form) {
      return message_name{form.takes_any_pe ? any_pe : p.pe, form.takes_any_tag ? any_tag : v.tag,
                          v.bytes};
    };
    waiting_vertices* oldest = nullptr;
    for (const receive_form& form : target.forms) {
      const auto found = target.receives.find(name_in(form));
      if (found == target.receives.end() || found->second.is_empty()) continue;
      const bool is_older = oldest == nullptr || found->second.first().turn < oldest->first().turn;
      if (is_older) oldest = &found->second;
    }
    ++turn_;
    if (oldest == nullptr) {
      for (const receive_form& form : target.forms) target.sends[name_in(form)].add({p, turn_});
      return;
    }
    const vertex_place receive = oldest->first().place;
    oldest->drop_first();
    match(p, receive);
  }
  void post_receive(const vertex_place& p) {
    const outlined_vertex& v = at(p);
    posted& here = posted_at_[index(p.pe)];
    const message_name name{v.pe, v.tag, v.bytes};
    waiting_vertices& sends = here.sends[name];
    // A send waits under several names.
    while (!sends.is_empty() && has_match(sends.first().place)) sends.drop_first();
    ++turn_;
    if (sends.is_empty()) return here.receives[name].add({p, turn_});
    const vertex_place send = sends.first().place;
    sends.drop_first();
    match(send, p);
  }
  void match(const vertex_place& send, const vertex_place& receive) {
    found_.partners[index(send.pe)][index(send.vertex)] = receive;
    found_.partners[index(receive.pe)][index(receive.vertex)] = send;
    complete(receive);
    if (!is_eager(send)) complete(send);
  }
  [[nodiscard]] bool has_match(const vertex_place& p) const {
    return found_.partners[index(p.pe)][index(p.vertex)].pe != vertex_place{}.pe;
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
    const auto tell = [&](const std::string& line, const vertex_place& of,
                          const std::vector<vertex_place>& others) {
      if (++told <= most_told) list += (list.empty() ? "" : "; ") + line + near_miss(of, others);
    };
    bool waits = false;
    std::vector<std::vector<vertex_place>> sends_to(pes_.size());
    std::vector<std::vector<vertex_place>> receives_of(pes_.size());
    for (int pe = 0; pe < static_cast<int>(pes_.size()); ++pe) {
      for (int i = 0; i < static_cast<int>(pes_[index(pe)].size()); ++i) {
        const vertex_place p{pe, i};
        if (!started_[index(pe)][index(i)]) {
          waits = true;
        } else if (at(p).kind == vertex_kind::send && !has_match(p)) {
          sends_to[index(at(p).pe)].push_back(p);
        } else if (at(p).kind == vertex_kind::receive && !has_match(p)) {
          receives_of[index(pe)].push_back(p);
        }
      }
    }
    for (int pe = 0; pe < static_cast<int>(pes_.size()); ++pe) {
      for (const vertex_place& s : sends_to[index(pe)]) {
        tell(named(s) + " has no receive", s, receives_of[index(pe)]);
      }
      for (const vertex_place& r : receives_of[index(pe)]) {
        tell(named(r) + " has no send", r, sends_to[index(pe)]);
      }
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
  // The wildcards of a receive.
  struct receive_form {
    bool takes_any_pe = false;
    bool takes_any_tag = false;
    friend auto operator<=>(const receive_form&, const receive_form&) = default;
  };
  static receive_form form_of(int pe, int tag) { return {pe == any_pe, tag == any_tag}; }
  // The unmatched vertices at a PE.
  struct posted {
    std::set<receive_form> forms;  // of all receives of the PE
    std::map<message_name, waiting_vertices> receives;
    std::map<message_name, waiting_vertices>
        sends;  // sends to the PE, by the name in each form of receive
  };
  std::vector<posted> posted_at_;
  std::uint64_t turn_ = 0;
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

outline unpacked(std::span<const std::byte> bytes, int pes) {
  constexpr std::size_t numbers_of_vertex = 6;
  unpacker u(bytes);
  outline one(u.count(numbers_of_vertex * sizeof(std::uint64_t)));
  for (outlined_vertex& v : one) {
    const std::uint64_t kind = u.number();
    unpacker::require(kind <= static_cast<std::uint64_t>(vertex_kind::compute));
    v.kind = static_cast<vertex_kind>(kind);
    v.pe = u.small();
    const bool names_a_pe = v.pe >= 0 && v.pe < pes;
    unpacker::require(names_a_pe || (v.pe == any_pe && v.kind != vertex_kind::send));
    v.tag = u.small();
    v.bytes = u.number();
    v.after.resize(u.count(sizeof(std::uint64_t)));
    for (int& e : v.after) {
      e = u.small();
      unpacker::require(e >= 0 && static_cast<std::size_t>(e) < one.size());
    }
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
