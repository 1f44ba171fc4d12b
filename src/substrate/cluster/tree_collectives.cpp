#include "substrate/cluster/tree_collectives.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

constexpr std::size_t piece_bytes = 1024;
// So many may be on their way.
constexpr int pieces_per_link = 2;
// Who leaves says so in one more, and need not wait for anybody.
constexpr int buffers_per_link = pieces_per_link + 1;
// And no longer than this for that to be on its way.
constexpr auto longest_farewell = std::chrono::milliseconds(100);

// Ahead of every contribution and of every result.
struct message_head {
  collective_call call;
  std::uint64_t payload_bytes = 0;
};

}  // namespace

std::string describe(const collective_call& call) {
  return std::string(name_of(call.kind)) + " of " + std::to_string(call.bytes) +
         " bytes with root " + std::to_string(call.root);
}

link_plan tree_collectives::plan(const tree_place& place, const std::function<int(int)>& name_of) {
  link_plan plan;
  for (const int child : place.children) plan.outgoing.push_back(name_of(child));
  if (place.parent >= 0) plan.outgoing.push_back(name_of(place.parent));
  std::sort(plan.outgoing.begin(), plan.outgoing.end());
  plan.incoming = plan.outgoing;
  plan.buffer_bytes = piece_bytes;
  plan.buffers_per_link = buffers_per_link;
  plan.in_step = true;
  return plan;
}

tree_collectives::tree_collectives(int rank, int size, const std::function<int(int)>& name_of,
                                   std::unique_ptr<link_set> links, waiting wait)
    : links_(std::move(links)), wait_(std::move(wait)), rank_(rank) {
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
  // Nobody may be left waiting for what a PE that goes on computing has not really sent.
  while (!links_->all_sent()) {
    poll();
    // One that has left takes nothing more. A child may leave, which has contributed; that a parent
    // has is heard by waiting for its result.
    if (to.left) return;
    wait_for(to);
  }
}

void tree_collectives::send_piece(neighbour& to, std::span<const std::byte> piece) {
  while (!has_room(to)) {
    poll();
    wait_for(to);
  }
  std::byte* buffer = links_->open(to.link);
  ++to.under_way;
  std::ranges::copy(piece, buffer);
  links_->send(to.link, piece.size(), false);
}

bool tree_collectives::has_room(neighbour& to) {
  if (links_->all_returned(to.link)) to.under_way = 0;
  return to.under_way < pieces_per_link;
}

tree_collectives::bytes tree_collectives::receive(neighbour& from, const collective_call& call) {
  bytes message;
  receive_piece(from, message);
  message_head head;
  std::memcpy(&head, message.data(), sizeof head);
  if (head.call != call) {
    throw world_error("the PEs called different collectives: PE " + std::to_string(rank_) +
                      " called " + describe(call) + ", PE " + std::to_string(from.pe) + " called " +
                      describe(head.call) + "; every PE must call the same ones in the same order");
  }
  while (message.size() < sizeof head + head.payload_bytes) receive_piece(from, message);
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
        n.arrived.emplace_back(piece.data, piece.data + piece.bytes);
      }
    });
    links_->give_back(piece);
  }
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
  // This PE may call the network no more, and the first message to another one may need several.
  attempt([this] {
    const auto until = std::chrono::steady_clock::now() + longest_farewell;
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
