#include "substrate/shared_memory/shared_memory_substrate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/liveness/abort_grace.hpp"
#include "substrate/liveness/absence.hpp"
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
      turn_(team_->rounds_of(rank)),
      pool_(*job_->memory) {
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
  // Throws after a failure: PEs arriving later must not take themselves for all PEs.
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
  // Releases the slot and earlier writes of the PE. Sequentially consistent, like the loads of all
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
  // If each PE has a core, the PEs arrive nearly at the same time.
  constexpr int looks = 200;
  for (int i = has_core() ? looks : 0; i != 0; --i) {
    if (is_over()) return;
  }
  bool may_sleep = false;
  while (!is_over()) {
    if (!may_sleep && job_->wait->will_block_next()) {
      // Either the last PE to arrive sees that the waiting PE may sleep, or the waiting PE sees
      // that the last PE has arrived.
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

std::unique_ptr<shared_memory> shared_memory_substrate::share_among(int leader, std::size_t bytes,
                                                                    attachment how) {
  struct offer {
    object_pool::place place;  // of pooled memory: the chunk, and where in it
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
      if (how == attachment::pooled) {
        mine.place = pool_.reserve(bytes, layout_.local_size(node_of(rank_)));
      } else {
        created = job_->memory->create(bytes);
        mine.place.chunk = created->handle();
      }
    });
  }
  tell_all(0);
  const bool attaches = leader != rank_ && leader >= 0;
  if (attaches) std::memcpy(&mine, theirs(leader), sizeof mine);
  if (how == attachment::pooled) {
    attempt([&] { shared = pool_.attach(mine.place, mine.bytes); });
    if (mine.failed != 0) throw_not_shared(pe_name(rank_), mine.bytes, mine.why);
    return shared;
  }
  if (how == attachment::unconfirmed) {
    if (attaches) attempt([&] { shared = job_->memory->attach(mine.place.chunk, mine.bytes); });
    if (mine.failed != 0) throw_not_shared(pe_name(rank_), mine.bytes, mine.why);
    if (attaches) return shared;
    if (created == nullptr) return nullptr;
    return make_unsealed_memory(std::move(created), bytes);
  }
  if (attaches) attempt([&] { shared = job_->memory->attach(mine.place.chunk, mine.bytes); });
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
  const attachment how =
      place.node_bytes <= object_pool::max_bytes ? attachment::pooled : attachment::unconfirmed;
  return std::make_unique<node_memory>(share_among(place.leader, place.node_bytes, how),
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
  std::vector<std::pair<int, int>> group;  // key and rank of each PE with the same color
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
