// Gravity of particles that are spread over all PEs. A traversal that needs a cell of another PE
// asks the owner for the children or bodies of the cell, and waits in a list of the cell; when the
// reply has come, the traversal goes on. So requests of one PE for one cell travel once.
//
// Requests and replies are streams with handlers, one stream for each kind of message, so that each
// kind can be aggregated or not. The handler of replies resumes the traversals, and `finish` waits
// until no PE has anything left to do. Source: tram-thesis-2014, section 7.2.2.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/nbody/fixed_vector.hpp"
#include "support/nbody/tree.hpp"

namespace examples::nbody {

struct gravity_options {
  bool aggregate_requests = true;
  bool aggregate_replies = true;
  // The options of aggregated streams.
  boxcar::stream_options aggregated = {};
  // The time on a simulated machine of the acceleration of a particle by a body or moments; on
  // other machines PEs compute for so long in addition.
  std::chrono::nanoseconds pair_time{0};
};

// The messages of all steps so far, sent by the PE.
struct gravity_traffic {
  std::uint64_t pairs = 0;  // of a particle and a body, or of a particle and moments
  std::uint64_t requests = 0;
  std::uint64_t replies = 0;
  std::uint64_t request_buffers = 0;
  std::uint64_t reply_buffers = 0;
  std::uint64_t bytes = 0;  // of all buffers
};

class gravity {
 public:
  // Collective.
  gravity(boxcar::world& w, const gravity_options& options);
  gravity(const gravity&) = delete;
  gravity& operator=(const gravity&) = delete;

  // Collective. Returns the accelerations of the particles of the PE, in the order of the bodies.
  // The tree gets copies of cells of other PEs.
  [[nodiscard]] std::vector<fixed_vector> accelerations(tree& t);

  [[nodiscard]] const gravity_traffic& traffic() const { return traffic_; }

 private:
  struct request {
    std::uint64_t at_owner;  // the index of the cell at the owner
    std::uint32_t at_origin;
    std::int32_t origin;
  };
  struct child_reply {
    std::uint32_t at_origin;
    cell child;
  };
  struct body_reply {
    std::uint64_t at_origin;
    body source;
  };

  // Handlers.
  void serve(const request& q);
  void take_children(std::span<const child_reply> reply);
  void take_bodies(std::span<const body_reply> reply);

  // Continues the traversal of a leaf at a cell.
  void traverse(std::uint32_t leaf, std::uint32_t from);
  // Suspends the traversal of a leaf until a cell is present.
  void wait_for(std::uint32_t cell_index, std::uint32_t leaf);
  void resume(std::uint32_t cell_index);

  boxcar::world& world_;
  gravity_options options_;
  boxcar::stream<request> requests_;
  boxcar::stream<child_reply[]> children_;
  boxcar::stream<body_reply[]> bodies_;
  tree* tree_ = nullptr;
  std::vector<fixed_vector> sums_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> waiting_;  // leaves by cell
  gravity_traffic traffic_;
};

}  // namespace examples::nbody
