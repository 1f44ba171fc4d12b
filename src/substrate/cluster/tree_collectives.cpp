#include "substrate/cluster/tree_collectives.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

constexpr std::size_t buffer_bytes = 1024;
constexpr std::size_t piece_bytes = buffer_bytes - 1;  // behind a byte with the kind of the piece
// The maximum number of pieces in flight on a link.
constexpr int pieces_per_link = 2;
// Each link has a further buffer for a piece of a message, and another for the goodbye of a leaving
// PE, which need not wait for any PE.
constexpr int buffers_per_link = pieces_per_link + 2;
// The maximum time for which a leaving PE waits until its goodbye is sent.
constexpr auto max_goodbye_time = std::chrono::milliseconds(100);

// The header of every contribution and of every result.
struct message_head {
  collective_call call;
  std::uint64_t payload_bytes = 0;
};

// The pieces of a gather have headers of their own.
constexpr int nobody = -1;
struct part_head {
  int pe = nobody;
  std::uint64_t bytes = 0;  // of its whole contribution
  std::uint64_t offset = 0;
};
constexpr std::size_t part_bytes = piece_bytes - sizeof(part_head);
// The maximum number of pieces held by a forwarding PE.
constexpr std::size_t pieces_asked_for = 16;

}  // namespace

link_plan tree_collectives::plan(const tree_place& place, const std::function<int(int)>& name_of) {
  link_plan plan;
  for (const int child : place.children) plan.outgoing.push_back(name_of(child));
  if (place.parent >= 0) plan.outgoing.push_back(name_of(place.parent));
  std::sort(plan.outgoing.begin(), plan.outgoing.end());
  plan.incoming = plan.outgoing;
  plan.buffer_bytes = buffer_bytes;
  plan.buffers_per_link = buffers_per_link;
  plan.in_step = true;
  return plan;
}

tree_collectives::tree_collectives(int rank, int size, const std::function<int(int)>& name_of,
                                   std::unique_ptr<link_set> links, waiting wait,
                                   std::function<std::string(int)> pe_name)
    : links_(std::move(links)),
      wait_(std::move(wait)),
      pe_name_(std::move(pe_name)),
      rank_(rank),
      size_(size) {
  const tree_place place = place_in_tree(rank, size);
  const std::vector<int> names = plan(place, name_of).outgoing;
  const auto neighbour_called = [&](int pe) {
    const auto at = std::lower_bound(names.begin(), names.end(), name_of(pe));
    return neighbour{pe, static_cast<int>(at - names.begin())};
  };
  for (const int child : place.children) children_.push_back(neighbour_called(child));
  if (place.parent >= 0) parent_.push_back(neighbour_called(place.parent));
  arrivals_.reserve(names.size() * buffers_per_link);
  links_->start_session();
}

tree_collectives::bytes tree_collectives::sweep(const collective_call& call, bytes mine,
                                                const merging& merge) {
  for (neighbour& child : children_) merge(mine, receive(child, call));
  if (!parent_.empty()) {
    send(parent_.front(), call, mine);
    mine = receive(parent_.front(), call);
  }
  for (neighbour& child : children_) send(child, call, mine);
  return mine;
}

tree_collectives::bytes tree_collectives::scan(const collective_call& call, bytes mine,
                                               const merging& merge) {
  // On the way up each PE receives the sum of each child's subtree. On the way down each PE
  // receives the sum of the PEs before it, and sends each child the sum of the PEs before the
  // child: the ranks of a subtree follow its root without a gap.
  std::vector<bytes> before_child;
  bytes sum = mine;
  for (neighbour& child : children_) {
    before_child.push_back(sum);
    merge(sum, receive(child, call));
  }
  bytes before;
  if (!parent_.empty()) {
    send(parent_.front(), call, sum);
    before = receive(parent_.front(), call);
  }
  for (std::size_t i = 0; i < children_.size(); ++i) {
    bytes all = before;
    if (parent_.empty()) {
      all = std::move(before_child[i]);
    } else {
      merge(all, before_child[i]);
    }
    send(children_[i], call, all);
  }
  return before;
}

void tree_collectives::gather(std::span<const std::byte> mine, int root,
                              const std::function<void(const contribution&)>& take) {
  neighbour* const up = root == rank_ ? nullptr : &towards(root);
  std::size_t passed = 0;
  // A PE forwards only as many pieces as the next PE towards the root has requested.
  const auto pass_up = [&](std::span<const std::byte> piece) {
    if (passed++ % pieces_asked_for == 0) {
      bytes request;
      receive_piece(*up, request);
    }
    send_piece(*up, piece);
  };

  bytes piece;
  for (std::size_t offset = 0; offset == 0 || offset < mine.size(); offset += part_bytes) {
    const auto part = mine.subspan(offset, std::min(mine.size() - offset, part_bytes));
    if (up == nullptr) {
      take({rank_, mine.size(), offset, part});
      continue;
    }
    const part_head head{rank_, mine.size(), offset};
    piece.resize(sizeof head + part.size());
    std::memcpy(piece.data(), &head, sizeof head);
    std::ranges::copy(part, piece.begin() + sizeof head);
    pass_up(piece);
  }

  const std::byte request{};
  for_each_neighbour([&](neighbour& from) {
    if (&from == up) return;
    for (std::size_t taken = 0;; ++taken) {
      if (taken % pieces_asked_for == 0) send_piece(from, std::span(&request, 1));
      piece.clear();
      receive_piece(from, piece);
      part_head head;
      if (piece.size() < sizeof head) {
        distrust(from, "a part of " + std::to_string(piece.size()) + " bytes");
      }
      std::memcpy(&head, piece.data(), sizeof head);
      if (head.pe == nobody) break;  // nothing more comes from the neighbour
      const std::size_t part = piece.size() - sizeof head;
      if (head.pe < 0 || head.pe >= size_ || head.offset > head.bytes ||
          part > head.bytes - head.offset) {
        distrust(from, std::to_string(part) + " bytes from byte " + std::to_string(head.offset) +
                           " on of the " + std::to_string(head.bytes) + " of PE " +
                           std::to_string(head.pe));
      }
      if (up == nullptr) {
        take({head.pe, head.bytes, head.offset, std::span(piece).subspan(sizeof head)});
      } else {
        pass_up(piece);
      }
    }
  });

  if (up == nullptr) return;
  const part_head end;
  pass_up(std::as_bytes(std::span(&end, 1)));
  complete_sends(*up);
}

void tree_collectives::send(neighbour& to, const collective_call& call, const bytes& payload) {
  const message_head head{call, payload.size()};
  bytes message(sizeof head + payload.size());
  std::memcpy(message.data(), &head, sizeof head);
  std::ranges::copy(payload, message.begin() + sizeof head);
  std::span<const std::byte> rest = message;
  while (!rest.empty()) {
    const auto piece = rest.first(std::min(rest.size(), piece_bytes));
    send_piece(to, piece);
    rest = rest.subspan(piece.size());
  }
  complete_sends(to);
}

void tree_collectives::complete_sends(const neighbour& to) {
  while (!links_->all_sent()) {
    poll();
    // A neighbour that has left takes nothing more. A child may leave after its contribution; the
    // wait for the result detects the departure of the parent.
    if (to.left) return;
    wait_for(to);
  }
}

void tree_collectives::send_piece(neighbour& to, std::span<const std::byte> piece) {
  while (!poll_room(to)) {
    poll();
    wait_for(to);
  }
  ++to.under_way;
  put(to, piece_kind::of_collective, piece);
}

void tree_collectives::put(neighbour& to, piece_kind kind, std::span<const std::byte> piece) {
  std::byte* buffer = links_->open(to.link);
  *buffer = static_cast<std::byte>(kind);
  std::ranges::copy(piece, buffer + sizeof kind);
  links_->send(to.link, sizeof kind + piece.size(), false);
}

bool tree_collectives::poll_room(neighbour& to) {
  note_returned(to);
  return to.under_way < pieces_per_link;
}

void tree_collectives::note_returned(neighbour& to) {
  if (!links_->poll_returned(to.link)) return;
  to.under_way = 0;
  to.told = false;
}

void tree_collectives::tell(int pe, bytes message) {
  for_each_neighbour([&](neighbour& n) {
    if (n.pe != pe) return;
    std::span<const std::byte> rest = message;
    while (!rest.empty()) {
      const auto piece = rest.first(std::min(rest.size(), piece_bytes));
      n.to_tell.emplace_back(piece.begin(), piece.end());
      rest = rest.subspan(piece.size());
    }
    n.to_tell.emplace_back();  // the end
  });
}

void tree_collectives::send_what_is_told(neighbour& to) {
  if (to.to_tell.empty() || to.left || left_) return;
  note_returned(to);
  if (std::exchange(to.told, true)) return;
  const bytes piece = std::move(to.to_tell.front());
  to.to_tell.erase(to.to_tell.begin());
  put(to, piece.empty() ? piece_kind::end_of_message : piece_kind::of_message, piece);
}

void tree_collectives::distrust(const neighbour& from, const std::string& what) const {
  throw world_error(
      pe_name_(rank_) + " has received " + what + " from " + pe_name_(from.pe) +
      " instead of a part of a collective. This is a fault of Boxcar or of the network: "
      "please report it");
}

void tree_collectives::take(neighbour& from, std::span<const std::byte> piece) {
  if (piece.empty()) distrust(from, "an empty message");
  const auto kind = static_cast<piece_kind>(piece.front());
  const auto payload = piece.subspan(sizeof kind);
  if (kind == piece_kind::of_collective) {
    from.arrived.emplace_back(payload.begin(), payload.end());
  } else if (kind == piece_kind::of_message) {
    from.heard.insert(from.heard.end(), payload.begin(), payload.end());
  } else if (kind == piece_kind::end_of_message) {
    const bytes message = std::move(from.heard);
    from.heard.clear();
    if (hear_) hear_(from.pe, message);
  } else {
    distrust(from, "a message of kind " + std::to_string(static_cast<int>(kind)));
  }
}

tree_collectives::bytes tree_collectives::receive(neighbour& from, const collective_call& call) {
  bytes message;
  receive_piece(from, message);
  message_head head;
  if (message.size() < sizeof head) {
    distrust(from, "a contribution of " + std::to_string(message.size()) + " bytes");
  }
  const auto call_of_other = call_in(
      std::span(std::as_const(message)).subspan<offsetof(message_head, call), sizeof head.call>());
  if (!call_of_other) distrust(from, "what is no collective");
  head.call = *call_of_other;
  std::memcpy(&head.payload_bytes, message.data() + offsetof(message_head, payload_bytes),
              sizeof head.payload_bytes);
  if (head.call != call) {
    throw world_error(mismatch_text(pe_name_(rank_), call, pe_name_(from.pe), head.call));
  }
  constexpr std::uint64_t most = std::numeric_limits<std::ptrdiff_t>::max() - sizeof head;
  if (head.payload_bytes > most) {
    distrust(from, "a contribution of " + std::to_string(head.payload_bytes) + " bytes");
  }
  while (message.size() < sizeof head + head.payload_bytes) receive_piece(from, message);
  if (message.size() != sizeof head + head.payload_bytes) {
    distrust(from, std::to_string(message.size() - sizeof head) + " bytes of a contribution of " +
                       std::to_string(head.payload_bytes));
  }
  message.erase(message.begin(), message.begin() + sizeof head);
  return message;
}

void tree_collectives::receive_piece(neighbour& from, bytes& into) {
  while (from.arrived.empty()) {
    poll();
    if (from.arrived.empty()) wait_for(from);
  }
  const bytes piece = std::move(from.arrived.front());
  from.arrived.erase(from.arrived.begin());
  into.insert(into.end(), piece.begin(), piece.end());
}

void tree_collectives::poll() {
  links_->poll(arrivals_);
  while (!arrivals_.empty()) {
    const arrival piece = arrivals_.pop();
    for_each_neighbour([&](neighbour& n) {
      if (n.link != static_cast<int>(piece.link)) return;
      if (piece.last) {
        n.left = true;
      } else {
        take(n, {piece.data, piece.bytes});
      }
    });
    links_->give_back(piece);
  }
  for_each_neighbour([this](neighbour& n) { send_what_is_told(n); });
}

tree_collectives::neighbour& tree_collectives::towards(int pe) {
  // The subtree of a child holds the PEs from its rank up to the rank of the next child.
  neighbour* way = parent_.empty() ? nullptr : &parent_.front();
  if (pe > rank_ && pe < end_of_subtree(rank_)) {
    for (neighbour& child : children_) {
      if (child.pe <= pe) way = &child;
    }
  }
  return *way;
}

template <typename Action>
void tree_collectives::for_each_neighbour(const Action& action) {
  for (neighbour& child : children_) action(child);
  for (neighbour& parent : parent_) action(parent);
}

std::string tree_collectives::leave() noexcept {
  std::string problem;
  if (std::exchange(left_, true)) return problem;
  const auto attempt = [&problem](const auto& act) {
    try {
      act();
    } catch (const std::exception& e) {
      problem = e.what();
    }
  };
  for_each_neighbour([&](neighbour& n) {
    attempt([&] {
      if (links_->open(n.link) != nullptr) links_->send(n.link, 0, true);
    });
  });
  // The PE may call the network no more afterwards, and the first message to a PE may need several
  // calls.
  attempt([this] {
    const auto until = std::chrono::steady_clock::now() + max_goodbye_time;
    while (!links_->all_sent() && std::chrono::steady_clock::now() < until) {
      poll();
      std::this_thread::yield();
    }
  });
  return problem;
}

int tree_collectives::who_left() {
  poll();
  int who = -1;
  for_each_neighbour([&who](const neighbour& n) {
    if (n.left && n.arrived.empty()) who = n.pe;
  });
  return who;
}

bool tree_collectives::everybody_left() noexcept {
  try {
    poll();
    bool all = links_->all_sent();
    for_each_neighbour([&all](const neighbour& n) { all = all && n.left; });
    return all;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace boxcar::detail
