#include "substrate/shared_memory/shared_memory_substrate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/abort_grace.hpp"
#include "substrate/absence.hpp"
#include "substrate/progress.hpp"
#include "substrate/put_links.hpp"
#include "substrate/ring_mailbox.hpp"
#include "substrate/shared_memory/mapped_remote_memory.hpp"
#include "substrate/shared_memory/unsealed_memory.hpp"
#include "substrate/stall/stall_error.hpp"

namespace boxcar::detail {
namespace {

node_layout layout_of(const job_block& job, const rank_list& members) {
  node_layout::builder all;
  for (int pe = 0; pe < members.size(); ++pe) {
    all.add(std::uint64_t{job.nodes} * static_cast<std::uint64_t>(members[pe]) / job.pes);
  }
  return std::move(all).build();
}

[[noreturn]] void throw_not_shared(const std::string& pe, std::uint64_t bytes, const char* why) {
  throw system_error(pe + " could not share " + std::to_string(bytes) + " bytes of memory: " + why);
}

}  // namespace

std::size_t job_bytes(int pes) {
  return job_block::bytes(pes) + team_block::bytes(pes);
}

void describe_job(std::byte* control, int pes, int nodes) {
  constexpr int most_pes = 32767;
  if (pes < 1 || pes > most_pes) {
    throw argument_error("a world of " + std::to_string(pes) +
                         " PEs cannot be started: give a number from 1 to " +
                         std::to_string(most_pes));
  }
  if (nodes < 1 || nodes > pes) {
    throw argument_error(std::to_string(pes) + " PEs cannot be spread over " +
                         std::to_string(nodes) + " nodes: give a number from 1 to " +
                         std::to_string(pes));
  }
  auto* job = reinterpret_cast<job_block*>(control);
  job->magic = job_block::expected_magic;
  job->pes = static_cast<std::uint32_t>(pes);
  job->nodes = static_cast<std::uint32_t>(nodes);
  job->identity =
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

bool fail_job(job_block& job, int rank, const std::string& message) noexcept {
  std::uint32_t nobody = 0;
  if (!job.failed.compare_exchange_strong(nobody, 1, std::memory_order_relaxed)) {
    return job.failed.load(std::memory_order_acquire) == 2 && job.failed_rank == rank;
  }
  job.failed_rank = rank;
  const std::size_t length = std::min(message.size(), job_block::text_bytes - 1);
  std::memcpy(job.failure_text, message.data(), length);
  job.failure_text[length] = '\0';
  // Pairs with the load in check_failure. Sequentially consistent because of the wake-up.
  job.failed.store(2, std::memory_order_seq_cst);
  for (int pe = 0; pe < static_cast<int>(job.pes); ++pe) waiting::wake(job.pe(pe));
  return true;
}

job_membership::job_membership(const char* name_of_substrate, std::unique_ptr<memory_source> source,
                               std::unique_ptr<shared_memory> control, int rank_in_job,
                               const wait_config& around)
    : substrate_name(name_of_substrate),
      memory(std::move(source)),
      bulk(std::make_shared<bulk_room>(*memory)),
      job_memory(std::move(control)),
      job(reinterpret_cast<job_block*>(job_memory->data())),
      rank(rank_in_job),
      pes_on_machine(around.pes_on_machine == 0 ? static_cast<int>(job->pes)
                                                : around.pes_on_machine),
      ranks_in_job(around.ranks_in_job),
      wait(std::make_unique<waiting>(*job, rank, around)),
      world(job->pe(rank).presence.attach()) {}

job_membership::~job_membership() {
  depart();
}

void job_membership::depart() noexcept {
  if (std::exchange(has_departed_, true)) return;
  job->pe(rank).presence.depart(world);
  pid_t own = getpid();
  job->pe(rank).process.compare_exchange_strong(own, pe_block::no_process,
                                                std::memory_order_release);
  for (int pe = 0; pe < static_cast<int>(job->pes); ++pe) waiting::wake(job->pe(pe));
}

bool job_membership::others_departed() const noexcept {
  for (int other = 0; other < static_cast<int>(job->pes); ++other) {
    if (other != rank && !job->pe(other).presence.look().has_left(world)) return false;
  }
  return true;
}

std::unique_ptr<substrate> join_job(std::shared_ptr<job_membership> job) {
  const auto pes = static_cast<int>(job->job->pes);
  auto* team = reinterpret_cast<team_block*>(job->job_memory->data() + job_block::bytes(pes));
  const int rank = job->rank;
  const std::uint64_t identity = job->job->identity;
  return std::make_unique<shared_memory_substrate>(std::move(job), nullptr, team, rank_list(pes),
                                                   rank, identity);
}

shared_memory_substrate::shared_memory_substrate(std::shared_ptr<job_membership> job,
                                                 std::unique_ptr<shared_memory> team_memory,
                                                 team_block* team, rank_list members, int rank,
                                                 std::uint64_t identity)
    : job_(std::move(job)),
      team_memory_(std::move(team_memory)),
      team_(team),
      members_(std::move(members)),
      layout_(layout_of(*job_->job, members_)),
      rank_(rank),
      turn_(team_->rounds_of(rank)) {
  constexpr std::size_t kept_per_pe = std::size_t{5} << 20;  // conveyors seldom have more
  const auto here = static_cast<std::size_t>(layout_.local_size(node_of(rank_)));
  kept_ = std::make_shared<kept_memory>(here * kept_per_pe);
  // An earlier world in the same memory may have left objects in the list.
  first_ready(rank_).store(0, std::memory_order_relaxed);
  identify(identity, size());
}

shared_memory_substrate::~shared_memory_substrate() {
  if (job_->has_departed()) end_alone();
  end_together();
  // As in job_membership::depart.
  left(rank_).store(job_->world, std::memory_order_seq_cst);
  for (int pe = 0; pe < size(); ++pe) wake(pe);
}

int shared_memory_substrate::rank_in_job(int pe) const {
  return job_->ranks_in_job[members_[pe]];
}

void shared_memory_substrate::round(const collective_call& call,
                                    std::span<const std::byte> payload) {
  // Throws after a failure: PEs arriving later must not take one another for all PEs.
  job_->wait->check_failure();
  progress& others = job_->wait->others();
  others.refuse_within("a collective");
  others.watch().moved_by_collective();
  pe_block& me = block_of(rank_);
  collective_slot& slot = my_slot();
  const std::uint64_t print = said_[turn_ & 1].say(others.watch().call, call, slot.call);
  me.waiting_in.show(slot.call.called);
  if (is_part()) me.waiting_in_part.show(part_name());
  const std::uint32_t turn = turn_++;
  if (!payload.empty()) std::memcpy(contribution(rank_, turn), payload.data(), payload.size());

  arrival_watch others_arrive(*team_, size(), turn, print);
  // Releases the slot and earlier writes of this PE. Sequentially consistent, like the loads of all
  // slots and of `sleepers`: if several PEs come last at the same time, at least one PE of them
  // sees that all PEs have come, and whether PEs may sleep.
  slot.arrived.store(others_arrive.same(), std::memory_order_seq_cst);
  if (!others_arrive.is_complete()) {
    wait_for_all(others_arrive);
  } else if (team_->sleepers.load(std::memory_order_seq_cst) != 0) {
    for (int pe = 0; pe < size(); ++pe) wake(pe);
  }
  others.watch().moved_by_collective();
  me.waiting_in.clear();
  if (is_part()) me.waiting_in_part.clear();
  busy();
  if (others_arrive.differs()) report_mismatch(turn);
}

void shared_memory_substrate::wait_for_all(arrival_watch& others_arrive) {
  const pause_reason why{.on = needs::all,
                         .for_others = true,
                         .world = identity(),
                         .number = std::uint64_t{others_arrive.turn()} + 1};
  const auto is_over = [&] { return others_arrive.is_complete(); };
  // If each PE has a core, the PEs arrive soon after one another.
  constexpr int looks = 200;
  for (int i = has_core() ? looks : 0; i != 0; --i) {
    if (is_over()) return;
  }
  bool may_sleep = false;
  while (!is_over()) {
    if (!may_sleep && job_->wait->will_block_next()) {
      // Either the last PE to arrive sees that this PE may sleep, or this PE sees that the last PE
      // has arrived.
      team_->sleepers.fetch_add(1, std::memory_order_seq_cst);
      may_sleep = true;
      continue;
    }
    if (!pause(why)) continue;
    const int absent = who_left();
    // The absent PE may have left after this collective: then the collective is visibly over.
    if (absent >= 0 && !is_over()) report_absence(absent, why);
  }
  if (may_sleep) team_->sleepers.fetch_sub(1, std::memory_order_relaxed);
}

bool shared_memory_substrate::pause(const pause_reason& why) {
  try {
    return job_->wait->idle(why);
  } catch (const stall_error& e) {
    fail(e.what());
    throw;
  }
}

void shared_memory_substrate::report_mismatch(std::uint32_t turn) {
  const collective_call& first = team_->slot(0, turn).call;
  for (int pe = 1; pe < size(); ++pe) {
    const collective_call& other = team_->slot(pe, turn).call;
    if (other == first) continue;
    throw world_error(mismatch_text(pe_name(0), first, pe_name(pe), other));
  }
  throw world_error("the PEs called different collectives");
}

int shared_memory_substrate::who_left() const {
  for (int pe = 0; pe < size(); ++pe) {
    // Acquires the writes of the PE before it left.
    if (block_of(pe).presence.look().has_left(job_->world)) return pe;
    if (left(pe).load(std::memory_order_acquire) >= job_->world) return pe;
  }
  return -1;
}

void shared_memory_substrate::report_absence(int pe, const pause_reason& why) {
  // The absent PE may have failed, and reported the cause. A PE that has left a subworld by an
  // exception reports the failure when the exception leaves the PE's function, a little later.
  const bool still_there = !block_of(pe).presence.look().has_left(job_->world);
  const auto start = now();
  for (;;) {
    job_->wait->check_failure();
    if (!still_there || now() - start > max_failure_delay) break;
    std::this_thread::yield();
  }
  const std::string text =
      absence_text(pe_name(pe), pe_name(rank_), job_->wait->others().watch().doing(why));
  fail(text);
  throw world_error(text);
}

std::byte* shared_memory_substrate::contribution(int pe, std::uint32_t turn) const {
  return wide_ ? wide_->slot(pe, turn) : team_->slot(pe, turn).payload;
}

std::size_t shared_memory_substrate::part_bytes() const {
  return wide_ ? wide_->slot_bytes() : collective_slot::payload_bytes;
}

shared_memory_substrate::widening::widening(shared_memory_substrate& world,
                                            const collective_call& call, std::size_t bytes)
    : world_(world) {
  if (bytes < wide_slots::worth_it) return;
  world.round(call, {});  // from here on, all PEs are known to make the same call
  const std::size_t slot_bytes = wide_slots::slot_bytes(bytes, world.size());
  auto memory = world.share_among(0, wide_slots::bytes(slot_bytes, world.size()));
  world.wide_.emplace(std::move(memory), slot_bytes);
}

void shared_memory_substrate::barrier() {
  finish_pending_starts();
  round({collective_kind::barrier, 0}, {});
}

void shared_memory_substrate::broadcast(std::span<std::byte> data, int root,
                                        const type_identity& of) {
  finish_pending_starts();
  const collective_call call(collective_kind::broadcast, data.size(), root, of);
  const widening wide(*this, call, data.size());
  do {
    const std::size_t now = std::min(data.size(), part_bytes());
    round(call, rank_ == root ? data.first(now) : std::span<std::byte>());
    if (rank_ != root && now != 0) std::memcpy(data.data(), theirs(root), now);
    data = data.subspan(now);
  } while (!data.empty());
}

void shared_memory_substrate::all_gather(std::span<const std::byte> mine, std::byte* all,
                                         const type_identity& of) {
  finish_pending_starts();
  const std::size_t bytes = mine.size();
  const collective_call call(collective_kind::all_gather, bytes, 0, of);
  const widening wide(*this, call, bytes);
  std::size_t done = 0;
  do {
    const std::size_t now = std::min(bytes - done, part_bytes());
    round(call, mine.subspan(done, now));
    for (int pe = 0; pe < size() && now != 0; ++pe) {
      std::memcpy(all + static_cast<std::size_t>(pe) * bytes + done, theirs(pe), now);
    }
    done += now;
  } while (done < bytes);
}

void shared_memory_substrate::gather(std::span<const std::byte> mine, int root,
                                     const gathering_room& room, const type_identity& of) {
  finish_pending_starts();
  struct contribution {
    std::byte* place;
    std::size_t bytes;
  };
  const collective_call call = call_of_gather(root, of);
  const std::uint64_t my_bytes = mine.size();
  round(call, std::as_bytes(std::span(&my_bytes, 1)));
  std::vector<contribution> all;  // empty on PEs that receive nothing
  std::size_t most = 0;
  for (int pe = 0; pe < size(); ++pe) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, theirs(pe), sizeof bytes);
    most = std::max<std::size_t>(most, bytes);
    if (root == rank_ || root == every_pe) all.push_back({room(pe, bytes), bytes});
  }
  const widening wide(*this, call, most);
  const std::size_t part = part_bytes();
  for (std::size_t done = 0; done < most; done += part) {
    const std::size_t from = std::min(done, mine.size());
    round(call, mine.subspan(from, std::min(mine.size() - from, part)));
    for (std::size_t pe = 0; pe < all.size(); ++pe) {
      if (all[pe].bytes <= done) continue;
      std::memcpy(all[pe].place + done, theirs(static_cast<int>(pe)),
                  std::min(all[pe].bytes - done, part));
    }
  }
}

void shared_memory_substrate::in_rounds(
    const collective_call& call, std::span<std::byte> values, std::size_t element_bytes,
    const std::function<void(std::span<std::byte> part, std::size_t elements)>& fold) {
  const std::size_t most = part_bytes() / element_bytes * element_bytes;
  do {
    const auto part = values.first(std::min(values.size(), most));
    round(call, part);
    fold(part, part.size() / element_bytes);
    values = values.subspan(part.size());
  } while (!values.empty());
}

void shared_memory_substrate::all_reduce(std::span<std::byte> values, const combination& how,
                                         const type_identity& of) {
  finish_pending_starts();
  const collective_call call(collective_kind::all_reduce, values.size(), 0, of);
  const widening wide(*this, call, values.size());
  if (how.element_bytes > part_bytes()) {
    return fold_large(call, values, how, size());
  }
  in_rounds(call, values, how.element_bytes, [&](std::span<std::byte> part, std::size_t elements) {
    if (elements == 0) return;
    std::memcpy(part.data(), theirs(0), part.size());
    for (int pe = 1; pe < size(); ++pe) how.combine(part.data(), theirs(pe), elements);
  });
}

bool shared_memory_substrate::scan(std::span<std::byte> values, const combination& how,
                                   const type_identity& of) {
  finish_pending_starts();
  const collective_call call(collective_kind::scan, values.size(), 0, of);
  const widening wide(*this, call, values.size());
  if (how.element_bytes > part_bytes()) {
    fold_large(call, values, how, rank_);
  } else {
    in_rounds(call, values, how.element_bytes,
              [&](std::span<std::byte> part, std::size_t elements) {
                if (elements == 0 || rank_ == 0) return;
                std::memcpy(part.data(), theirs(0), part.size());
                for (int pe = 1; pe < rank_; ++pe) how.combine(part.data(), theirs(pe), elements);
              });
  }
  return rank_ != 0;
}

// Elements can only be combined as a whole: the pieces of an element are put together first, for a
// number of PEs at a time.
void shared_memory_substrate::fold_large(const collective_call& call, std::span<std::byte> values,
                                         const combination& how, int pes) {
  constexpr std::size_t most_held = std::size_t{1} << 20;
  const std::size_t bytes = how.element_bytes;
  const int at_a_time = static_cast<int>(
      std::clamp<std::size_t>(most_held / bytes, 1, static_cast<std::size_t>(size())));
  std::vector<std::byte> held(static_cast<std::size_t>(at_a_time) * bytes);
  std::vector<std::byte> result(bytes);
  if (values.empty()) round(call, {});
  for (; !values.empty(); values = values.subspan(bytes)) {
    const auto mine = values.first(bytes);
    for (int first = 0; first < size(); first += at_a_time) {
      const int end = std::min(first + at_a_time, size());
      for (std::size_t done = 0; done < bytes; done += part_bytes()) {
        const std::size_t now = std::min(bytes - done, part_bytes());
        round(call, mine.subspan(done, now));
        for (int pe = first; pe < end; ++pe) {
          std::memcpy(held.data() + static_cast<std::size_t>(pe - first) * bytes + done, theirs(pe),
                      now);
        }
      }
      for (int pe = first; pe < std::min(end, pes); ++pe) {
        const std::byte* const one = held.data() + static_cast<std::size_t>(pe - first) * bytes;
        if (pe == 0) {
          std::memcpy(result.data(), one, bytes);
        } else {
          how.combine(result.data(), one, 1);
        }
      }
    }
    if (pes != 0) std::ranges::copy(result, mine.begin());
  }
}

std::unique_ptr<shared_memory> shared_memory_substrate::share_among(int leader, std::size_t bytes,
                                                                    attachment how) {
  struct offer {
    memory_handle handle;
    std::uint64_t bytes = 0;
    std::uint32_t failed = 0;
    char why[160] = {};
  };
  offer mine;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const std::exception& e) {
      mine.failed = 1;
      std::strncpy(mine.why, e.what(), sizeof mine.why - 1);
    }
  };
  // Every PE learns the result of every PE: all PEs succeed, or all PEs throw the same error.
  const auto tell_all = [&](std::uint64_t step) {
    round({collective_kind::share_memory, step}, std::as_bytes(std::span(&mine, 1)));
    for (int pe = 0; pe < size(); ++pe) {
      offer other;
      std::memcpy(&other, theirs(pe), sizeof other);
      if (other.failed == 0) continue;
      throw_not_shared(pe_name(pe), other.bytes, other.why);
    }
  };

  std::unique_ptr<created_memory> created;
  std::unique_ptr<shared_memory> shared;
  mine.bytes = bytes;
  if (leader == rank_) {
    attempt([&] {
      created = job_->memory->create(bytes);
      mine.handle = created->handle();
    });
  }
  tell_all(0);
  const bool attaches = leader != rank_ && leader >= 0;
  if (attaches) std::memcpy(&mine, theirs(leader), sizeof mine);
  if (how == attachment::unconfirmed) {
    if (attaches) attempt([&] { shared = job_->memory->attach(mine.handle, mine.bytes); });
    if (mine.failed != 0) throw_not_shared(pe_name(rank_), mine.bytes, mine.why);
    if (attaches) return shared;
    if (created == nullptr) return nullptr;
    return make_unsealed_memory(std::move(created), bytes);
  }
  if (attaches) attempt([&] { shared = job_->memory->attach(mine.handle, mine.bytes); });
  tell_all(1);
  return created != nullptr ? created->seal() : std::move(shared);
}

std::uint64_t shared_memory_substrate::find_kept(std::size_t bytes) {
  const auto mine = kept_->of_size(bytes);
  round({collective_kind::share_memory, 2}, std::as_bytes(std::span(mine)));
  const auto kept_by_all = [this](std::uint64_t number) {
    for (int pe = 0; pe < size(); ++pe) {
      kept_memory::numbers other;
      std::memcpy(other.data(), theirs(pe), sizeof other);
      if (std::ranges::find(other, number) == other.end()) return false;
    }
    return true;
  };
  std::uint64_t newest = 0;
  for (const std::uint64_t number : mine) {
    if (number > newest && kept_by_all(number)) newest = number;
  }
  return newest;
}

shared_memory_substrate::block_place shared_memory_substrate::place_block(std::size_t bytes) {
  finish_pending_starts();
  const int node = node_of(rank_);
  const int here = layout_.local_size(node);
  const std::uint64_t mine = node_memory::round_up(bytes);
  round({collective_kind::share_memory, sizeof mine}, std::as_bytes(std::span(&mine, 1)));
  block_place place{.leader = layout_.pe_at(node, 0), .node_bytes = node_memory::front(here)};
  for (int local = 0; local < here; ++local) {
    const int pe = layout_.pe_at(node, local);
    if (pe == rank_) place.at = place.node_bytes;
    std::uint64_t its;
    std::memcpy(&its, theirs(pe), sizeof its);
    place.node_bytes += its;
  }
  return place;
}

std::unique_ptr<node_memory> shared_memory_substrate::share_memory(std::size_t bytes, bool keep) {
  const block_place place = place_block(bytes);
  return std::make_unique<node_memory>(memory_of_node(place.leader, place.node_bytes, keep),
                                       layout_.local_rank(rank_), place.at);
}

std::unique_ptr<node_memory> shared_memory_substrate::share_object_memory(std::size_t bytes) {
  const block_place place = place_block(bytes);
  return std::make_unique<node_memory>(
      share_among(place.leader, place.node_bytes, attachment::unconfirmed),
      layout_.local_rank(rank_), place.at);
}

std::unique_ptr<shared_memory> shared_memory_substrate::memory_of_node(int leader,
                                                                       std::size_t bytes,
                                                                       bool keep) {
  if (!keep) return share_among(leader, bytes);
  std::uint64_t number = find_kept(bytes);
  // All previous owners of the block have dropped the block: no PE accesses it any more.
  if (number != 0) return kept_->lend(kept_->take(number), number);
  number = ++shared_;
  return kept_->lend(share_among(leader, bytes), number);
}

std::unique_ptr<substrate> shared_memory_substrate::split(int color, int key) {
  finish_pending_starts();
  struct choice {
    int color;
    int key;
  };
  const choice my_choice{color, key};
  const std::uint64_t identity = identity_of_part(color);
  round({collective_kind::split, 0}, std::as_bytes(std::span(&my_choice, 1)));
  std::vector<std::pair<int, int>> group;  // key and rank of those that chose the same color
  for (int pe = 0; pe < size(); ++pe) {
    choice other;
    std::memcpy(&other, theirs(pe), sizeof other);
    if (other.color == color && color >= 0) group.emplace_back(other.key, pe);
  }
  std::sort(group.begin(), group.end());
  const int leader = group.empty() ? -1 : group.front().second;
  auto memory = share_among(leader, team_block::bytes(static_cast<int>(group.size())));
  if (memory == nullptr) return nullptr;

  std::vector<int> members;
  int new_rank = 0;
  for (const auto& [its_key, pe] : group) {
    if (pe == rank_) new_rank = static_cast<int>(members.size());
    members.push_back(members_[pe]);
  }
  auto* team = reinterpret_cast<team_block*>(memory->data());
  return std::make_unique<shared_memory_substrate>(
      job_, std::move(memory), team, rank_list(std::move(members)), new_rank, identity);
}

std::unique_ptr<link_set> shared_memory_substrate::make_remote_links(const link_plan& plan) {
  return make_put_links(*this, plan, [this](std::size_t bytes) -> std::unique_ptr<remote_memory> {
    return std::make_unique<mapped_remote_memory>(
        *this, share_among(0, bytes * static_cast<std::size_t>(size())), bytes);
  });
}

std::shared_ptr<mailbox> shared_memory_substrate::make_mailbox() {
  return make_ring_mailbox(*this, [this](std::size_t bytes) -> std::unique_ptr<remote_memory> {
    return std::make_unique<mapped_remote_memory>(
        *this, share_among(0, bytes * static_cast<std::size_t>(size())), bytes);
  });
}

std::unique_ptr<bulk_offer> shared_memory_substrate::offer_bulk(int, std::size_t bytes) {
  return job_->bulk->offer(bytes);
}

std::unique_ptr<bulk_delivery> shared_memory_substrate::fetch_bulk(int from,
                                                                   const bulk_ticket& ticket) {
  return job_->bulk->fetch(ticket, [this, from] { wake(from); });
}

std::chrono::nanoseconds shared_memory_substrate::now() const {
  return std::chrono::steady_clock::now().time_since_epoch();
}

bool shared_memory_substrate::fail(const std::string& message) noexcept {
  if (!is_of_this_process()) return false;
  const bool is_own = fail_job(*job_->job, job_->rank, message);
  record_failure_origin(is_own);
  return is_own;
}

void shared_memory_substrate::idle(const pause_reason& why) {
  if (!pause(why) || !why.for_others) return;
  const int absent = who_left();
  if (absent >= 0) report_absence(absent, why);
}

void shared_memory_substrate::sleep(std::chrono::nanoseconds duration) {
  check_failure();
  const auto until = now() + duration;
  while (job_->wait->others().is_needed() && now() < until) pause({.acts_by_itself = true});
  std::this_thread::sleep_for(until - now());
}

}  // namespace boxcar::detail
