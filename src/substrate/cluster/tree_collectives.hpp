// The small collectives of a world whose PEs do not share memory, over links to the neighbours in a
// tree: everybody's contribution goes up to PE 0 and is merged on the way, the result comes down.
//
// Each contribution says which collective it belongs to, so that PEs that called different ones get
// an error instead of one another's bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "substrate/cluster/tree.hpp"
#include "substrate/collective_call.hpp"
#include "substrate/links.hpp"

namespace boxcar::detail {

class tree_collectives {
 public:
  using bytes = std::vector<std::byte>;
  // Appends or combines what comes from PEs of higher ranks.
  using merging = std::function<void(bytes& into, const bytes& next)>;
  // Called while nothing comes from `pe`, or it takes nothing; `left` says that it has told that it
  // takes part no longer. May throw, and must in that case.
  using waiting = std::function<void(int pe, bool left)>;

  // What links to the neighbours of this PE must look like. `name_of` gives the PE's name in the
  // world that makes the links.
  static link_plan plan(const tree_place& place, const std::function<int(int)>& name_of);

  // `links` were made by that plan. `pe_name` is what messages call a PE.
  tree_collectives(int rank, int size, const std::function<int(int)>& name_of,
                   std::unique_ptr<link_set> links, waiting wait,
                   std::function<std::string(int)> pe_name);

  // Everybody's contribution, merged, on every PE. Throws world_error if another PE calls something
  // else, and what `wait` throws.
  bytes sweep(const collective_call& call, bytes mine, const merging& merge);

  // What the PEs before this one contribute, merged; empty on PE 0. Throws as `sweep` does.
  bytes scan(const collective_call& call, bytes mine, const merging& merge);

  // A part of what a PE contributes, which has so many bytes in all.
  struct contribution {
    int pe;
    std::uint64_t bytes;
    std::uint64_t offset;
    std::span<const std::byte> part;
  };
  // Everybody's contribution, of any size, goes to the PE `root`, where `take` is called with it
  // part by part. The PEs on the way hold a few parts at a time. All PEs must be known to call the
  // same.
  void gather(std::span<const std::byte> mine, int root,
              const std::function<void(const contribution&)>& take);
  // Beside the collectives: sends a message to a neighbour when there is room, which is for later
  // calls of `poll` to find out, and has what neighbours send heard.
  void tell(int pe, bytes message);
  void listen(std::function<void(int from, const bytes& message)> hear) { hear_ = std::move(hear); }
  // Takes what has arrived out of the buffers, from whomever it is: what one neighbour has sent
  // must not keep out what another one sends later, and may be waited for first.
  void poll();

  // Tells the neighbours, once, that this PE takes part no longer. The result is why some could not
  // be told, or empty.
  std::string leave() noexcept;
  // A neighbour that has told so, or -1. If some PE has left a world that others wait in, then so
  // has a neighbour of one of those, as the tree connects them all.
  int who_left();
  // Nothing is under way to this PE any more: its memory can go.
  bool everybody_left() noexcept;

 private:
  enum class piece_kind : std::uint8_t { of_collective, of_message, end_of_message };
  struct neighbour {
    int pe = -1;
    int link = 0;
    int under_way = 0;             // pieces to it, at most
    bool told = false;             // one of a message is perhaps among them
    std::vector<bytes> arrived{};  // pieces that were not read yet, in order
    bool left = false;             // nothing follows these
    std::vector<bytes> to_tell{};  // pieces of messages to it, in order
    bytes heard{};                 // of a message, so far
  };

  template <typename Action>
  void for_each_neighbour(const Action& action);
  // The neighbour by which a message gets to a PE, which is another one.
  neighbour& towards(int pe);
  // Nobody may be left waiting for what a PE that goes on computing has not really sent.
  void complete_sends(const neighbour& to);
  void send(neighbour& to, const collective_call& call, const bytes& payload);
  bytes receive(neighbour& from, const collective_call& call);
  void send_piece(neighbour& to, std::span<const std::byte> piece);
  void put(neighbour& to, piece_kind kind, std::span<const std::byte> piece);
  void note_returned(neighbour& to);
  bool has_room(neighbour& to);
  // Appends the next piece from this neighbour.
  void receive_piece(neighbour& from, bytes& into);
  void send_what_is_told(neighbour& to);
  void take(neighbour& from, std::span<const std::byte> piece);
  // What has come can be no message of a PE that does what this one does. Throws world_error.
  [[noreturn]] void distrust(const neighbour& from, const std::string& what) const;
  void wait_for(const neighbour& pe) { wait_(pe.pe, pe.left && pe.arrived.empty()); }

  std::unique_ptr<link_set> links_;
  waiting wait_;
  std::function<std::string(int)> pe_name_;
  std::function<void(int, const bytes&)> hear_;
  int rank_;
  int size_;
  std::vector<neighbour> children_;
  std::vector<neighbour> parent_;  // one or none
  arrival_queue arrivals_;
  bool left_ = false;
};

}  // namespace boxcar::detail
