#include "substrate/cluster/cluster_substrate.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/cluster/refusal.hpp"
#include "substrate/largest.hpp"
#include "substrate/liveness/abort_grace.hpp"
#include "substrate/liveness/absence.hpp"
#include "substrate/progress.hpp"
#include "substrate/stall/stall_error.hpp"
#include "substrate/stall/stall_watch.hpp"

namespace boxcar::detail {
namespace {

// A waiting PE checks for events other than the awaited event once in waits_between_looks waits.
constexpr std::uint32_t waits_between_looks = 16;

std::vector<std::byte> copy_of(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

void append(std::vector<std::byte>& into, const std::vector<std::byte>& next) {
  into.insert(into.end(), next.begin(), next.end());
}

// Throws world_error if data from another PE in a collective have the wrong length for the call.
void require_bytes(std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw world_error("a collective received " + std::to_string(found) + " bytes instead of " +
                    std::to_string(expected) +
                    ". This is a fault of Boxcar or of the network: please report it");
}

tree_collectives::merging merge_by(const combination& how) {
  return [&how](std::vector<std::byte>& into, const std::vector<std::byte>& next) {
    require_bytes(next.size(), into.size());
    how.combine(into.data(), next.data(), into.size() / how.element_bytes);
  };
}

}  // namespace

cluster_substrate::cluster_substrate(std::shared_ptr<network> net, std::unique_ptr<substrate> local,
                                     rank_list members, node_layout layout, int rank,
                                     std::uint64_t identity)
    : net_(std::move(net)),
      local_(std::move(local)),
      members_(std::move(members)),
      layout_(std::move(layout)),
      rank_(rank) {
  identify(identity, size());
}

cluster_substrate::~cluster_substrate() {
  end_together();
  if (tree_ == nullptr) return;
  leave_tree();
  tree_->listen(nullptr);
  net_->drain({std::move(tree_), std::move(mail_)});
}

void cluster_substrate::plant_tree(std::unique_ptr<link_set> links, const rank_list& names) {
  const auto name_of = [&names](int pe) { return names[pe]; };
  const auto wait_for = [this](int pe, bool left) {
    if (left) report_absence(pe, in_collective());
    wait(in_collective());
  };
  tree_ = std::make_unique<tree_collectives>(rank_, size(), name_of, std::move(links), wait_for,
                                             [this](int pe) { return pe_name(pe); });
}

void cluster_substrate::look_for_stalls(bool is_of_all_pes) {
  using clock = stall_waves::clock;
  waves_ = std::make_unique<stall_waves>(
      rank_, size(), net_->size(),
      [this](int pe, stall_waves::message m) { tree_->tell(pe, std::move(m)); });
  tree_->listen(
      [this](int from, const tree_collectives::bytes& m) { waves_->hear(from, m, clock::now()); });
  const auto look = [this] {
    const stall_watch& mine = local_->stall();
    if (!mine.is_on()) return;
    tree_->poll();
    const std::uint64_t moves = others_->watch().moves();
    const bool is_overdue = mine.overdue() && mine.overdue()->moves == moves;
    const auto problem =
        waves_->look(clock::now(), {.overdue = is_overdue ? &*mine.overdue() : nullptr,
                                    .rounds = mine.rounds(),
                                    .moves = moves,
                                    .allowed = mine.allowed()});
    if (!problem) return;
    fail(*problem);
    throw world_error(*problem);
  };
  net_->add_stall_search({.of_world = this, .is_of_all_pes = is_of_all_pes, .look = look});
}

template <typename Collective>
auto cluster_substrate::over_tree(const Collective& collective) {
  others_->refuse_within("a collective");
  others_->watch().moved_by_collective();
  check_failure();  // after an exception PEs may be in different collectives
  net_->settle();
  try {
    ++sweeps_;
    auto result = collective();
    others_->watch().moved_by_collective();
    busy();
    return result;
  } catch (const world_error& e) {
    fail(e.what());  // PEs waiting for the part of the caller must not wait for ever
    throw;
  } catch (const std::exception& e) {
    fail(by_this_pe(e.what()));
    throw;
  }
}

tree_collectives::bytes cluster_substrate::sweep(const collective_call& call,
                                                 std::span<const std::byte> mine,
                                                 const tree_collectives::merging& merge) {
  if (tree_ != nullptr) {
    return over_tree([&] { return tree_->sweep(as_called(call), copy_of(mine), merge); });
  }
  check_failure();
  net_->settle();
  // The calls are barriers and reductions only: the result is as long as the contribution of a PE.
  auto value = copy_of(mine);
  net_->reduce_at_start(value, [&](std::byte* into, const std::byte* next) {
    auto merged = copy_of({into, mine.size()});
    merge(merged, copy_of({next, mine.size()}));
    std::ranges::copy(merged, into);
  });
  return value;
}

void cluster_substrate::barrier(std::size_t bytes, int root) {
  finish_pending_starts();
  sweep({collective_kind::barrier, bytes, root}, {}, append);
}

void cluster_substrate::broadcast(std::span<std::byte> data, int root, const type_identity& of) {
  finish_pending_starts();
  const auto result = sweep({collective_kind::broadcast, data.size(), root, of},
                            rank_ == root ? data : std::span<std::byte>(), append);
  require_bytes(result.size(), data.size());
  std::ranges::copy(result, data.begin());
}

void cluster_substrate::all_gather(std::span<const std::byte> mine, std::byte* all,
                                   const type_identity& of) {
  finish_pending_starts();
  const auto result = sweep({collective_kind::all_gather, mine.size(), 0, of}, mine, append);
  require_bytes(result.size(), mine.size() * static_cast<std::size_t>(size()));
  std::ranges::copy(result, all);
}

void cluster_substrate::gather(std::span<const std::byte> mine, int root,
                               const gathering_room& room, const type_identity& of) {
  finish_pending_starts();
  const collective_call call = call_of_gather(root, of);
  if (root == every_pe) {
    // Each contribution follows the size of the contribution.
    const std::uint64_t my_bytes = mine.size();
    std::vector<std::byte> sized = copy_of(std::as_bytes(std::span(&my_bytes, 1)));
    sized.insert(sized.end(), mine.begin(), mine.end());
    const auto all = sweep(call, sized, append);
    std::span<const std::byte> rest = all;
    for (int pe = 0; pe < size(); ++pe) {
      std::uint64_t bytes = 0;
      if (rest.size() < sizeof bytes) require_bytes(rest.size(), sizeof bytes);
      std::memcpy(&bytes, rest.data(), sizeof bytes);
      if (bytes > rest.size() - sizeof bytes) require_bytes(rest.size() - sizeof bytes, bytes);
      std::ranges::copy(rest.subspan(sizeof bytes, bytes), room(pe, bytes));
      rest = rest.subspan(sizeof bytes + bytes);
    }
    return;
  }
  // Contributions do not come in the order of the ranks. No PE sends its contribution before all
  // PEs are known to make the same call.
  sweep(call, {}, append);
  over_tree([&] {
    // The destination of a PE's contribution, the length, and the number of arrived bytes.
    struct destination {
      std::byte* place = nullptr;
      std::uint64_t bytes = 0;
      std::uint64_t come = 0;
    };
    std::vector<destination> all(static_cast<std::size_t>(root == rank_ ? size() : 0));
    tree_->gather(mine, root, [&](const tree_collectives::contribution& c) {
      destination& d = all[static_cast<std::size_t>(c.pe)];
      if (c.offset == 0) d = {room(c.pe, c.bytes), c.bytes};
      require_bytes(c.bytes, d.bytes);
      require_bytes(c.offset, d.come);
      std::ranges::copy(c.part, d.place + c.offset);
      d.come += c.part.size();
    });
    return true;
  });
}

void cluster_substrate::all_reduce(std::span<std::byte> values, const combination& how,
                                   const type_identity& of) {
  finish_pending_starts();
  const auto result =
      sweep({collective_kind::all_reduce, values.size(), 0, of}, values, merge_by(how));
  require_bytes(result.size(), values.size());
  std::ranges::copy(result, values.begin());
}

bool cluster_substrate::scan(std::span<std::byte> values, const combination& how,
                             const type_identity& of) {
  finish_pending_starts();
  const auto before = over_tree([&] {
    return tree_->scan(as_called({collective_kind::scan, values.size(), 0, of}), copy_of(values),
                       merge_by(how));
  });
  require_bytes(before.size(), rank_ == 0 ? 0 : values.size());
  std::ranges::copy(before, values.begin());
  return rank_ != 0;
}

std::unique_ptr<substrate> cluster_substrate::split(int color, int key) {
  finish_pending_starts();
  struct choice {
    int color;
    int key;
  };
  const choice mine{color, key};
  const std::uint64_t identity = identity_of_part(color);
  const auto all = sweep({collective_kind::split, 0}, std::as_bytes(std::span(&mine, 1)), append);
  require_bytes(all.size(), static_cast<std::size_t>(size()) * sizeof mine);
  std::vector<std::pair<int, int>> group;  // key and rank of each PE with the same color
  for (int pe = 0; pe < size() && color >= 0; ++pe) {
    choice other;
    std::memcpy(&other, all.data() + static_cast<std::size_t>(pe) * sizeof other, sizeof other);
    if (other.color == color) group.emplace_back(other.key, pe);
  }
  std::ranges::sort(group);

  std::vector<int> in_this_world;
  std::vector<int> members;
  node_layout::builder nodes;
  int new_rank = -1;
  for (const auto& [its_key, pe] : group) {
    if (pe == rank_) new_rank = static_cast<int>(members.size());
    in_this_world.push_back(pe);
    members.push_back(in_job(pe));
    nodes.add(static_cast<std::uint64_t>(node_of(pe)));
  }
  const rank_list ranks(std::move(in_this_world));

  auto local = local_->split(color, key);
  const auto name_of = [&ranks](int pe) { return ranks[pe]; };
  const link_plan plan =
      new_rank < 0 ? tree_collectives::plan({}, name_of)
                   : tree_collectives::plan(place_in_tree(new_rank, ranks.size()), name_of);
  auto links = make_remote_links(plan);
  if (new_rank < 0) return nullptr;
  auto part =
      std::make_unique<cluster_substrate>(net_, std::move(local), rank_list(std::move(members)),
                                          std::move(nodes).build(), new_rank, identity);
  part->others_ = others_;
  part->plant_tree(std::move(links), ranks);
  if (part->layout_.nodes() > 1) part->look_for_stalls(false);
  return part;
}

std::unique_ptr<node_memory> cluster_substrate::share_memory(std::size_t bytes, bool keep) {
  finish_pending_starts();
  std::unique_ptr<node_memory> memory;
  std::string problem;
  try {
    memory = local_->share_memory(bytes, keep);
  } catch (const system_error& e) {
    problem = e.what();
  }
  // The highest rank of the PEs without memory, plus one.
  const auto mine = problem.empty() ? 0 : static_cast<std::uint64_t>(rank_) + 1;
  const std::uint64_t failed = largest<1>(*this, {mine})[0];
  if (failed != 0 && problem.empty()) {
    problem = pe_name(static_cast<int>(failed - 1)) + " could not share memory on its node";
  }
  if (!problem.empty()) throw system_error(problem);
  return memory;
}

std::shared_ptr<mailbox> cluster_substrate::make_mailbox() {
  finish_pending_starts();
  mail_ = net_->make_mailbox(*this, members_);
  return mail_;
}

std::unique_ptr<link_set> cluster_substrate::make_remote_links(const link_plan& plan) {
  finish_pending_starts();
  return net_->make_links(*this, plan, members_);
}

std::unique_ptr<bulk_offer> cluster_substrate::offer_bulk(int to, std::size_t bytes) {
  if (!is_local(to)) return net_->offer_bulk(in_job(to), bytes);
  return local_->offer_bulk(layout_.local_rank(to), bytes);
}

std::unique_ptr<bulk_delivery> cluster_substrate::fetch_bulk(int from, const bulk_ticket& ticket) {
  if (!is_local(from)) {
    return net_->fetch_bulk(in_job(from), ticket, [this] {
      others_->watch().moved();  // the fetch may take any time
      wait({.acts_by_itself = true});
    });
  }
  return local_->fetch_bulk(layout_.local_rank(from), ticket);
}

void cluster_substrate::idle(const pause_reason& why) {
  wait(why);
  if (!why.for_others || waits_ % waits_between_looks != 0) return;
  const int absent = tree_->who_left();
  if (absent >= 0) report_absence(absent, why);
}

pause_reason cluster_substrate::in_collective() const {
  return {.on = needs::all, .world = identity(), .number = sweeps_};
}

void cluster_substrate::sleep(std::chrono::nanoseconds duration) {
  hear_failure();
  local_->sleep(duration);
}

void cluster_substrate::keep_going(progress& others) {
  others_ = &others;
  local_->belong_to(others);
}

void cluster_substrate::report_absence(int pe, const pause_reason& why) {
  const std::string doing = others_->watch().doing(why);
  // The absent PE may have failed, with the failure notice in flight. The waiting PE may be off the
  // core for as long: so there is a minimum number of looks.
  constexpr int fewest_looks = 16;
  const auto until = now() + max_failure_delay;
  for (int looks = 0; looks < fewest_looks || now() < until; ++looks) {
    hear_failure();
    wait({.acts_by_itself = true});
  }
  const std::string text = absence_text(pe_name(pe), pe_name(rank_), doing);
  fail(text);
  throw world_error(text);
}

void cluster_substrate::wait(const pause_reason& why) {
  // The waiting PE finds absent PEs along the tree, and not within the node.
  pause_reason here = why;
  here.for_others = false;
  try {
    local_->idle(here);
  } catch (const stall_error& e) {
    fail(e.what());
    throw;
  } catch (const world_error&) {
    net_->note_failure();
    throw;
  }
  if (++waits_ % waits_between_looks != 0) return;
  hear_failure();
  net_->look_for_stalls();
}

void cluster_substrate::hear_failure() {
  std::string message = net_->loss();
  if (!message.empty()) {
    fail(message);
    throw world_error(message);
  }
  if (!net_->hear_failure(message)) return;
  net_->note_failure();
  // Notices of nodes cross if the nodes fail at the same time. Each node then throws its own
  // failure.
  if (has_told_) local_->check_failure();
  told_of_failure_ = true;
  local_->fail(message);
  record_failure_origin(false);
  throw world_error(message);
}

void cluster_substrate::check_failure() {
  hear_failure();
  local_->check_failure();
}

std::string cluster_substrate::by_this_pe(const std::string& problem) const {
  return pe_name(rank_) + ": " + problem;
}

std::string cluster_substrate::refusal_under_way() const noexcept {
  if (std::uncaught_exceptions() == 0) return {};
  try {
    const std::string refused = detail::refusal_under_way();
    return refused.empty() ? refused : by_this_pe(refused);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

bool cluster_substrate::fail(const std::string& message) noexcept {
  if (!is_of_this_process()) return false;
  net_->note_failure();
  const std::string cause = refusal_under_way();
  const std::string& text = cause.empty() ? message : cause;
  const bool is_own = local_->fail(text) && !told_of_failure_;
  record_failure_origin(is_own);
  if (!is_own) return false;
  if (std::exchange(has_told_, true)) return true;  // the first message counts
  std::vector<int> elsewhere;
  for (int pe = 0; pe < size(); ++pe) {
    if (!is_local(pe)) elsewhere.push_back(in_job(pe));
  }
  net_->tell_failure(text, elsewhere);
  return true;
}

void cluster_substrate::depart() noexcept {
  end_alone();
  leave_tree();
  local_->depart();
  watch_.note_departure();
}

void cluster_substrate::tell_at_exit() {
  substrate::tell_at_exit();
  local_->tell_at_exit();
}

void cluster_substrate::leave_tree() noexcept {
  net_->remove_stall_search(this);
  if (tree_ == nullptr || !net_->is_running()) return;
  const std::string problem = tree_->leave();
  // The departure has not reached PEs in waits for the caller.
  if (!problem.empty()) fail(by_this_pe(problem));
}

}  // namespace boxcar::detail
