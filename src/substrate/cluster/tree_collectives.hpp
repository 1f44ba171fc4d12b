// The small collectives of a world without shared memory run over links to the neighbours in a
// tree: the contribution of every PE goes up to PE 0 and is merged on the way, the result comes
// down.
//
// Each contribution names its collective, so that PEs in different collectives get an error instead
// of each other's bytes.
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
  // Appends or combines the contribution of PEs with higher ranks.
  using merging = std::function<void(bytes& into, const bytes& next)>;
  // Called while nothing comes from `pe`, or `pe` takes nothing. `left`: `pe` has announced its
  // departure. May throw, and must throw if `left`.
  using waiting = std::function<void(int pe, bool left)>;

  // Returns the plan of the links to the neighbours of this PE. `name_of` returns the name of a PE
  // in the world that makes the links.
  static link_plan plan(const tree_place& place, const std::function<int(int)>& name_of);

  // `links` were made by `plan`. `pe_name` returns the name of a PE in messages.
  tree_collectives(int rank, int size, const std::function<int(int)>& name_of,
                   std::unique_ptr<link_set> links, waiting wait,
                   std::function<std::string(int)> pe_name);

  // Collective. Returns the merged contributions of all PEs. Throws world_error if another PE calls
  // a different collective, and the exceptions of `wait`.
  bytes sweep(const collective_call& call, bytes mine, const merging& merge);

  // Collective. Returns the merged contributions of the PEs before this PE; empty on PE 0. Throws
  // as `sweep` does.
  bytes scan(const collective_call& call, bytes mine, const merging& merge);

  // A part of the contribution of a PE; `bytes` is the size of the whole contribution.
  struct contribution {
    int pe;
    std::uint64_t bytes;
    std::uint64_t offset;
    std::span<const std::byte> part;
  };
  // Collective. Sends the contribution of every PE, of any size, to the PE `root`, where `take` is
  // called for each part. The PEs on the way hold a few parts at a time. Precondition: all PEs are
  // known to call the same gather.
  void gather(std::span<const std::byte> mine, int root,
              const std::function<void(const contribution&)>& take);
  // Messages beside the collectives: `tell` queues a message to a neighbour, and later calls of
  // `poll` send it when there is room. `listen` sets the callback for messages of neighbours.
  void tell(int pe, bytes message);
  void listen(std::function<void(int from, const bytes& message)> hear) { hear_ = std::move(hear); }
  // Takes the arrivals of all neighbours out of the buffers: arrivals from a neighbour must not
  // block later messages of another neighbour, for which this PE may wait first.
  void poll();

  // Announces the departure of this PE to the neighbours, once. Returns the error if a neighbour
  // cannot be notified, or an empty text.
  std::string leave() noexcept;
  // Returns a neighbour that has announced its departure, or -1. If a PE has left a world in which
  // other PEs wait, then a neighbour of a waiting PE has left, as the tree connects all PEs.
  int who_left();
  // Returns true if nothing is in flight to this PE any more: its memory can be released.
  bool everybody_left() noexcept;

 private:
  enum class piece_kind : std::uint8_t { of_collective, of_message, end_of_message };
  struct neighbour {
    int pe = -1;
    int link = 0;
    int under_way = 0;             // pieces to the neighbour, at most
    bool told = false;             // a piece of a message may be among them
    std::vector<bytes> arrived{};  // unread pieces, in order
    bool left = false;             // nothing follows the arrived pieces
    std::vector<bytes> to_tell{};  // pieces of messages to the neighbour, in order
    bytes heard{};                 // of a message, so far
  };

  template <typename Action>
  void for_each_neighbour(const Action& action);
  // Returns the neighbour on the way to another PE.
  neighbour& towards(int pe);
  // Completes the sends to a neighbour: no PE may wait for an unsent message of a computing PE.
  void complete_sends(const neighbour& to);
  void send(neighbour& to, const collective_call& call, const bytes& payload);
  bytes receive(neighbour& from, const collective_call& call);
  void send_piece(neighbour& to, std::span<const std::byte> piece);
  void put(neighbour& to, piece_kind kind, std::span<const std::byte> piece);
  void note_returned(neighbour& to);
  bool poll_room(neighbour& to);
  // Appends the next piece from the neighbour.
  void receive_piece(neighbour& from, bytes& into);
  void send_what_is_told(neighbour& to);
  void take(neighbour& from, std::span<const std::byte> piece);
  // Throws world_error: the arrival cannot belong to a collective of Boxcar.
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
