// The handle `world`: each function calls the substrate.
#include <string>
#include <utility>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>
#include <boxcar/world.hpp>

#include "substrate/deferred_ends.hpp"
#include "substrate/forked_child.hpp"
#include "substrate/liveness/program_end.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"

namespace boxcar {

namespace {

// The scope of a collective `name`. Its constructor throws outside of the world's own thread.
class collective {
 public:
  collective(const detail::substrate& world, const char* name,
             detail::called_scope::kind what = detail::called_scope::kind::call)
      : scope_(name, what) {
    world.require_own_thread(name);
  }

 private:
  detail::called_scope scope_;
};

// A forked child keeps its copy of the parent's world: the destructor would leave the world in the
// parent's name, and use a network beside the parent. A failing program keeps its world, too: other
// PEs would see the departure of the PE before the launcher sees the reason.
class end_of_world {
 public:
  void operator()(detail::substrate* world) const {
    if (world->is_of_this_process() && !detail::program_has_failed()) {
      delete world;
    } else {
      detail::keep_for_ever({world, [](void*) {}});
    }
  }
};

constexpr auto with_value = detail::called_scope::kind::with_value;

}  // namespace

world::world(std::unique_ptr<detail::substrate> substrate)
    : substrate_(substrate.release(), end_of_world()) {
  substrate_->belong_to(detail::progress::of_this_pe());
  substrate_->made_as = detail::deferred_ends::of_this_pe().number_world();
}
world::world() noexcept = default;
world world::another_handle_of(std::shared_ptr<detail::substrate> substrate) {
  world other;
  other.substrate_ = std::move(substrate);
  return other;
}
world::world(world&&) noexcept = default;
world& world::operator=(world&& other) noexcept {
  world ending(std::move(other));
  std::swap(substrate_, ending.substrate_);
  std::swap(started_, ending.started_);
  return *this;
}
world::~world() {
  if (started_ == nullptr || substrate_ == nullptr || !substrate_->is_at_home()) return;
  detail::deferred_ends& ends = detail::deferred_ends::of_this_pe();
  if (ends.is_on()) ends.add({std::move(substrate_), std::move(started_)});
}

int world::rank() const {
  return substrate()->rank();
}
int world::size() const {
  return substrate()->size();
}

int world::nodes() const {
  return substrate()->layout().nodes();
}

int world::node() const {
  return substrate()->node_of(rank());
}

int world::node_of(int pe) const {
  check_pe(pe, "node_of");
  return substrate()->node_of(pe);
}

bool world::is_local(int pe) const {
  return node_of(pe) == node();
}

int world::local_rank() const {
  return substrate()->layout().local_rank(rank());
}

int world::local_size() const {
  return substrate()->layout().local_size(node());
}

std::string_view world::substrate_name() const {
  return substrate()->name();
}

void world::barrier() {
  const collective scope(*substrate(), "barrier");
  substrate()->barrier();
}

std::optional<world> world::split(int color, int key) {
  const collective scope(*substrate(), "split");
  auto part = substrate()->split(color, key);
  if (part == nullptr) return std::nullopt;
  part->become_part_of(*substrate(), color);
  return world(std::move(part));
}

std::chrono::nanoseconds world::now() const {
  return substrate()->now();
}
void world::sleep(std::chrono::nanoseconds duration) {
  substrate()->require_own_thread("sleep");
  substrate()->sleep(duration);
}
void world::compute(std::chrono::nanoseconds duration) {
  substrate()->require_own_thread("compute");
  substrate()->compute(duration);
}
void world::idle() {
  substrate()->require_own_thread("idle");
  substrate()->idle({.acts_by_itself = true});
}

std::string world::explain_progress() const {
  const bool has_thread = substrate()->wants_progress_thread();
  const std::string by_thread =
      has_thread ? "by its progress thread while it computes"
                 : "when it calls a function of Boxcar that waits; with BOXCAR_PROGRESS_THREAD=1, "
                   "or run_options::progress_thread, a thread does it while the PE computes";
  const auto counted = [](int n, const std::string& what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
  };
  std::string text =
      "operations on memory of this node, of " + counted(local_size(), "PE") +
      ", by whoever asks for them, and triggered ones by whoever completes what they "
      "wait for: also while the PE computes\n";
  if (nodes() > 1) {
    text += "what PEs of " + counted(nodes() - 1, "other node") +
            " ask for, and triggered operations to them, by this PE, " + by_thread + "\n";
  }
  return text + "functions of schedules and collectives by this PE, " + by_thread +
         "; those of collectives over shared memory when it asks for their end\n";
}

void world::take_over() {
  if (!substrate()->has_ended() && substrate()->has_sessions()) {
    throw contract_error(
        "take_over: a session of a conveyor or a stream of this world is on; complete it first");
  }
  if (substrate()->has_pending_starts()) {
    throw contract_error(
        "take_over: a collective that was started has not begun on all PEs yet; wait for it first");
  }
  substrate()->belong_to(detail::progress::of_this_pe());
}

void world::refuse_moved_from() {
  throw contract_error("the world has been moved from; use the one it was moved to");
}

void world::check_pe(int pe, const char* operation) const {
  substrate()->require_pe(operation, pe);
}

void world::broadcast_bytes(std::span<std::byte> value, int root, const detail::type_identity& of) {
  const collective scope(*substrate(), "broadcast", with_value);
  check_pe(root, "broadcast");
  substrate()->broadcast(value, root, of);
}

void world::all_gather_bytes(std::span<const std::byte> mine, std::byte* all,
                             const detail::type_identity& of) {
  const collective scope(*substrate(), "all_gather", with_value);
  substrate()->all_gather(mine, all, of);
}

void world::gather_bytes(std::span<const std::byte> mine, int root, const room_function& room,
                         const detail::type_identity& of) {
  static_assert(every_pe == detail::every_pe);
  const collective scope(*substrate(), root == every_pe ? "all_gather" : "gather", with_value);
  substrate()->gather(mine, root, room, of);
}

void world::reduce_bytes(std::span<std::byte> values, std::size_t element_bytes,
                         const combine_function& combine, const detail::type_identity& of) {
  const collective scope(*substrate(), "reduce", with_value);
  substrate()->all_reduce(values, {element_bytes, combine}, of);
}

bool world::scan_bytes(std::span<std::byte> values, std::size_t element_bytes,
                       const combine_function& combine, const detail::type_identity& of) {
  const collective scope(*substrate(), "scan", with_value);
  return substrate()->scan(values, {element_bytes, combine}, of);
}

}  // namespace boxcar
