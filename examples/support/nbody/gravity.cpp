#include "support/nbody/gravity.hpp"

#include <utility>

#include "support/nbody/traversal.hpp"

namespace examples::nbody {
namespace {

// Returns the options of a stream whose items of `bytes` bytes each travel in a buffer of their
// own, directly to the destination. Four items to a PE may be in flight, the most that streams
// allow.
boxcar::stream_options single(const boxcar::world& w, std::size_t bytes) {
  return {.way = boxcar::route::direct(w.size()), .buffer_bytes = bytes, .buffers_per_link = 4};
}

constexpr std::size_t array_head_bytes = 12;  // beside an array in a buffer

}  // namespace

gravity::gravity(boxcar::world& w, const gravity_options& options)
    : world_(w),
      options_(options),
      requests_(
          w, [this](const request& q) { serve(q); },
          options.aggregate_requests ? options.aggregated : single(w, sizeof(request))),
      children_(
          w, [this](std::span<const child_reply> reply) { take_children(reply); },
          options.aggregate_replies ? options.aggregated
                                    : single(w, 8 * sizeof(child_reply) + array_head_bytes)),
      bodies_(
          w, [this](std::span<const body_reply> reply) { take_bodies(reply); },
          options.aggregate_replies
              ? options.aggregated
              : single(w, max_leaf_size * sizeof(body_reply) + array_head_bytes)) {}

std::vector<fixed_vector> gravity::accelerations(tree& t) {
  tree_ = &t;
  const auto num_leaves = static_cast<std::uint32_t>(t.leaves().size());
  const cell* const last = num_leaves == 0 ? nullptr : &t.leaves().back();
  sums_.assign(last == nullptr ? 0 : last->first + last->size, {});
  const boxcar::session of_bodies = bodies_.begin();
  const boxcar::session of_children = children_.begin();
  const boxcar::session of_requests = requests_.begin();
  for (std::uint32_t leaf = 0; leaf != num_leaves; ++leaf) {
    traverse(leaf, t.root());
    requests_.poll();
  }
  requests_.finish();
  children_.finish();
  bodies_.finish();
  const auto count = [this](const boxcar::stream_statistics& session, std::uint64_t& buffers) {
    for (const auto& stage : session.stages) {
      buffers += stage.buffers();
      traffic_.bytes += stage.bytes();
    }
  };
  count(requests_.session_statistics(), traffic_.request_buffers);
  count(children_.session_statistics(), traffic_.reply_buffers);
  count(bodies_.session_statistics(), traffic_.reply_buffers);
  return std::exchange(sums_, {});
}

void gravity::traverse(std::uint32_t leaf, std::uint32_t from) {
  const cell& of_particles = tree_->leaves()[leaf];
  std::vector<std::uint32_t> missing;
  const std::uint64_t pairs =
      attract(*tree_, of_particles, from,
              std::span(sums_).subspan(of_particles.first, of_particles.size), missing);
  traffic_.pairs += pairs;
  if (options_.pair_time.count() != 0) {
    world_.compute(static_cast<std::int64_t>(pairs) * options_.pair_time);
  }
  for (const std::uint32_t cell_index : missing) wait_for(cell_index, leaf);
}

void gravity::wait_for(std::uint32_t cell_index, std::uint32_t leaf) {
  const cell& wanted = tree_->at(cell_index);
  // A send of another request may have handled the reply meanwhile.
  if (wanted.is_present()) return traverse(leaf, cell_index);
  std::vector<std::uint32_t>& leaves = waiting_[cell_index];
  leaves.push_back(leaf);
  if (leaves.size() != 1) return;
  ++traffic_.requests;
  requests_.send({wanted.at_owner, cell_index, world_.rank()}, wanted.owner);
}

void gravity::resume(std::uint32_t cell_index) {
  const std::vector<std::uint32_t> leaves = std::move(waiting_.at(cell_index));
  waiting_.erase(cell_index);
  for (const std::uint32_t leaf : leaves) traverse(leaf, cell_index);
}

// --- Handlers ------------------------------------------------------------------------------------

void gravity::serve(const request& q) {
  const cell& wanted = tree_->at(static_cast<std::uint32_t>(q.at_owner));
  ++traffic_.replies;
  if (wanted.is_leaf) {
    std::vector<body_reply> reply;
    for (const body& b : tree_->bodies_of(wanted)) reply.push_back({q.at_origin, b});
    bodies_.send_array(reply, q.origin);
    if (!options_.aggregate_replies) bodies_.flush();
  } else {
    std::vector<child_reply> reply;
    for (const cell& c : tree_->children_of(wanted)) reply.push_back({q.at_origin, c});
    children_.send_array(reply, q.origin);
    if (!options_.aggregate_replies) children_.flush();
  }
}

void gravity::take_children(std::span<const child_reply> reply) {
  std::vector<cell> children;
  for (const child_reply& r : reply) children.push_back(r.child);
  const std::uint32_t cell_index = reply.front().at_origin;
  tree_->add_children(cell_index, children);
  resume(cell_index);
}

void gravity::take_bodies(std::span<const body_reply> reply) {
  std::vector<body> bodies;
  for (const body_reply& r : reply) bodies.push_back(r.source);
  const auto cell_index = static_cast<std::uint32_t>(reply.front().at_origin);
  tree_->add_bodies(cell_index, bodies);
  resume(cell_index);
}

}  // namespace examples::nbody
