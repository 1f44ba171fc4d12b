#include "substrate/simulated/simulated_substrate.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/liveness/absence.hpp"
#include "substrate/simulated/bulk.hpp"
#include "substrate/simulated/links.hpp"
#include "substrate/simulated/mailbox.hpp"
#include "substrate/stall/stall_watch.hpp"

namespace boxcar::detail {
namespace {

std::span<std::byte> writable(std::span<const std::byte> data) {
  return {const_cast<std::byte*>(data.data()), data.size()};
}

// The memory of a node, as long as a PE of the node has the memory.
class memory_of_node {
 public:
  memory_of_node(std::shared_ptr<simulated_machine> on, std::size_t bytes)
      : machine_(std::move(on)), bytes_(bytes) {
    // Pages that nobody writes to take no memory.
    block_ = std::calloc(1, bytes + alignment);
    if (block_ == nullptr) throw std::bad_alloc();
    const auto at = reinterpret_cast<std::uintptr_t>(block_);
    data_ = static_cast<std::byte*>(block_) + (alignment - at % alignment) % alignment;
    machine_->share(bytes_);
  }
  memory_of_node(const memory_of_node&) = delete;
  memory_of_node& operator=(const memory_of_node&) = delete;
  ~memory_of_node() {
    machine_->unshare(bytes_);
    std::free(block_);
  }

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t alignment = 64;

  std::shared_ptr<simulated_machine> machine_;
  std::size_t bytes_;
  void* block_;
  std::byte* data_;
};

class seen_memory final : public shared_memory {
 public:
  explicit seen_memory(std::shared_ptr<memory_of_node> m) : memory_(std::move(m)) {}
  [[nodiscard]] std::byte* data() const override { return memory_->data(); }
  [[nodiscard]] std::size_t bytes() const override { return memory_->bytes(); }

 private:
  std::shared_ptr<memory_of_node> memory_;
};

}  // namespace

simulated_substrate::simulated_substrate(std::shared_ptr<simulated_machine> on,
                                         std::shared_ptr<team> with, int rank)
    : machine_(std::move(on)),
      team_(std::move(with)),
      rank_(rank),
      others_(&progress::of_this_pe()) {
  identify(team_->identity, size());
}

simulated_substrate::~simulated_substrate() {
  end_together();
  leave();
}

void simulated_substrate::depart() noexcept {
  end_alone();
  leave();
}

void simulated_substrate::leave() noexcept {
  if (team_->gone >= 0) return;
  team_->gone = rank_;
  for (int pe = 0; pe < size(); ++pe) {
    if (pe != rank_) machine_->ring(in_job(pe), machine_->clock());
  }
}

// --- Collectives ---------------------------------------------------------------------------------

// The contribution of a PE to a collective. Another PE may execute the collective while the memory
// of the program is out of place.
class simulated_substrate::brought {
 public:
  brought(const simulated_machine& on, visit& v) : visit_(v), given_(v.data) {
    if (on.has_one_memory() || given_.empty()) return;
    copy_.assign(given_.begin(), given_.end());
    visit_.data = copy_;
  }
  void take_back() {
    if (!copy_.empty() && visit_.is_result) std::ranges::copy(copy_, given_.begin());
    visit_.data = given_;
  }

 private:
  visit& visit_;
  std::span<std::byte> given_;
  std::vector<std::byte> copy_;
};

void simulated_substrate::round(visit& mine, const collective_call& call,
                                const std::function<void(visits)>& by_last) {
  finish_pending_starts();
  machine_->check_failure();
  others_->refuse_within("a collective");
  others_->watch().moved_by_collective();
  brought what(*machine_, mine);
  mine.call = within(others_->watch().call, call);
  mine.fingerprint = fingerprint(mine.call);
  const std::uint32_t this_round = team_->rounds;
  team_->visits[static_cast<std::size_t>(rank_)] = &mine;
  team_->latest = std::max(team_->latest, machine_->clock());
  try {
    if (++team_->arrived == size() && !team_->is_broken) {
      carry_out(by_last);
    } else {
      wait_for_all(this_round);
    }
    const moment lag = team_->over_at - machine_->clock();
    if (lag > 0) machine_->charge(lag);
    others_->watch().moved_by_collective();
    machine_->busy();
    // The caller may use objects of the other PEs after the round: no PE has left the round by an
    // exception.
    if (team_->is_broken) wait_for_failure();
    machine_->check_failure();
  } catch (...) {
    team_->is_broken = true;
    throw;
  }
  if (mine.problem != nullptr) std::rethrow_exception(mine.problem);
  what.take_back();
}

void simulated_substrate::carry_out(const std::function<void(visits)>& by_last) {
  const visits all(team_->visits);
  const auto tell_all = [all](const std::exception_ptr& problem) {
    for (visit* one : all) one->problem = problem;
  };
  const auto differs = std::ranges::find_if(all, [&](const visit* one) {
    return one->fingerprint != all[0]->fingerprint || !(one->call == all[0]->call);
  });
  if (differs != all.end()) {
    const auto pe = static_cast<int>(differs - all.begin());
    tell_all(std::make_exception_ptr(
        world_error(mismatch_text(pe_name(0), all[0]->call, pe_name(pe), (*differs)->call))));
  } else {
    try {
      by_last(all);
    } catch (const std::bad_alloc&) {
      tell_all(std::make_exception_ptr(system_error(
          pe_name(rank_) + ": no memory is left for a collective, or for what PEs share")));
    } catch (...) {
      tell_all(std::current_exception());
    }
  }
  std::size_t bytes = 0;
  for (const visit* one : all) bytes = std::max(bytes, one->data.size());
  team_->over_at = team_->latest + machine_->network().collective(team_->layout.nodes(),
                                                                  team_->largest_node, bytes);
  team_->arrived = 0;
  team_->latest = 0;
  ++team_->rounds;
  for (int pe = 0; pe < size(); ++pe) {
    if (pe != rank_) machine_->ring(in_job(pe), team_->over_at);
  }
}

void simulated_substrate::wait_for_all(std::uint32_t round) {
  const pause_reason why{.on = needs::all,
                         .for_others = true,
                         .world = identity(),
                         .number = std::uint64_t{round} + 1};
  while (team_->rounds == round) {
    const bool in_vain = pause(why);
    if (in_vain && team_->gone >= 0 && team_->rounds == round) report_absence(why);
  }
}

// Waits for the failure of a PE that is about to tell the reason.
void simulated_substrate::wait_for_failure() {
  const pause_reason why{.on = needs::all, .for_others = true, .world = identity()};
  for (;;) static_cast<void>(pause(why));
}

void simulated_substrate::barrier(std::size_t bytes, int root) {
  visit mine;
  round(mine, {collective_kind::barrier, bytes, root}, [](visits) {});
}

void simulated_substrate::broadcast(std::span<std::byte> data, int root, const type_identity& of) {
  visit mine;
  mine.data = data;
  mine.is_result = rank_ != root;
  round(mine, {collective_kind::broadcast, data.size(), root, of}, [root](visits all) {
    const visit* const from = all[static_cast<std::size_t>(root)];
    for (visit* one : all) {
      if (one != from) std::ranges::copy(from->data, one->data.begin());
    }
  });
}

// The contributions of all PEs in the order of their ranks, and where each contribution ends.
struct simulated_substrate::gathered {
  explicit gathered(visits all) {
    std::size_t total = 0;
    for (const visit* one : all) ends.push_back(total += one->data.size());
    bytes.reserve(total);
    for (const visit* one : all) bytes.insert(bytes.end(), one->data.begin(), one->data.end());
  }
  std::vector<std::byte> bytes;
  std::vector<std::size_t> ends;
};

std::shared_ptr<const simulated_substrate::gathered> simulated_substrate::gather_parts(
    std::span<const std::byte> mine, const collective_call& call, int root) {
  visit v;
  v.data = writable(mine);
  round(v, call, [root](visits all) {
    const auto parts = std::make_shared<gathered>(all);
    if (root != every_pe) {
      all[static_cast<std::size_t>(root)]->shared = parts;
    } else {
      for (visit* one : all) one->shared = parts;
    }
  });
  return std::static_pointer_cast<const gathered>(v.shared);
}

void simulated_substrate::all_gather(std::span<const std::byte> mine, std::byte* all,
                                     const type_identity& of) {
  const auto parts =
      gather_parts(mine, {collective_kind::all_gather, mine.size(), 0, of}, every_pe);
  std::ranges::copy(parts->bytes, all);
}

void simulated_substrate::gather(std::span<const std::byte> mine, int root,
                                 const gathering_room& room, const type_identity& of) {
  const auto parts = gather_parts(mine, call_of_gather(root, of), root);
  if (parts == nullptr) return;
  auto next = parts->bytes.begin();
  for (int pe = 0; pe < size(); ++pe) {
    const auto end = parts->bytes.begin() +
                     static_cast<std::ptrdiff_t>(parts->ends[static_cast<std::size_t>(pe)]);
    std::copy(next, end, room(pe, static_cast<std::size_t>(end - next)));
    next = end;
  }
}

void simulated_substrate::all_reduce(std::span<std::byte> values, const combination& how,
                                     const type_identity& of) {
  visit mine;
  mine.data = values;
  mine.is_result = true;
  round(mine, {collective_kind::all_reduce, values.size(), 0, of}, [&how](visits all) {
    const std::span<std::byte> result = all[0]->data;
    if (result.empty()) return;
    const std::size_t elements = result.size() / how.element_bytes;
    for (const visit* one : all.subspan(1)) {
      how.combine(result.data(), one->data.data(), elements);
    }
    for (visit* one : all.subspan(1)) std::ranges::copy(result, one->data.begin());
  });
}

bool simulated_substrate::scan(std::span<std::byte> values, const combination& how,
                               const type_identity& of) {
  visit mine;
  mine.data = values;
  mine.is_result = true;
  round(mine, {collective_kind::scan, values.size(), 0, of}, [&how](visits all) {
    if (all[0]->data.empty()) return;
    std::vector<std::byte> before(all[0]->data.begin(), all[0]->data.end());
    std::vector<std::byte> next;
    for (visit* one : all.subspan(1)) {
      next = before;
      how.combine(next.data(), one->data.data(), next.size() / how.element_bytes);
      std::ranges::copy(before, one->data.begin());
      before.swap(next);
    }
  });
  return rank_ != 0;
}

std::unique_ptr<substrate> simulated_substrate::split(int color, int key) {
  finish_pending_starts();
  struct choice {
    int color;
    int key;
    int new_rank;
    std::uint64_t identity;
  };
  choice my_choice{color, key, -1, identity_of_part(color)};
  visit mine;
  mine.more = &my_choice;
  round(mine, {collective_kind::split, 0}, [this](visits all) {
    const auto choice_of = [all](int pe) -> choice& {
      return *static_cast<choice*>(all[static_cast<std::size_t>(pe)]->more);
    };
    std::map<int, std::vector<int>> parts;  // ranks here
    for (int pe = 0; pe < size(); ++pe) {
      if (choice_of(pe).color >= 0) parts[choice_of(pe).color].push_back(pe);
    }
    for (auto& [its_color, ranks] : parts) {
      std::ranges::stable_sort(ranks, {}, [&](int pe) { return choice_of(pe).key; });
      std::vector<int> members;
      node_layout::builder nodes;
      for (const int pe : ranks) {
        members.push_back(in_job(pe));
        nodes.add(static_cast<std::uint64_t>(node_of(pe)));
      }
      const auto part =
          std::make_shared<team>(rank_list(std::move(members)), std::move(nodes).build(),
                                 choice_of(ranks.front()).identity);
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        choice_of(ranks[i]).new_rank = static_cast<int>(i);
        all[static_cast<std::size_t>(ranks[i])]->shared = part;
      }
    }
  });
  if (my_choice.new_rank < 0) return nullptr;
  auto part = std::make_unique<simulated_substrate>(
      machine_, std::static_pointer_cast<team>(mine.shared), my_choice.new_rank);
  part->others_ = others_;
  return part;
}

// --- Memory and links ----------------------------------------------------------------------------

std::unique_ptr<node_memory> simulated_substrate::share_memory(std::size_t bytes, bool) {
  struct wish {
    std::size_t bytes;
    std::size_t at;
  };
  wish my_wish{node_memory::round_up(bytes), 0};
  visit mine;
  mine.more = &my_wish;
  round(mine, {collective_kind::share_memory, sizeof(std::uint64_t)}, [this](visits all) {
    const node_layout& nodes = layout();
    const auto place = [](int i) { return static_cast<std::size_t>(i); };
    std::vector<std::size_t> total(place(nodes.nodes()));
    for (int node = 0; node < nodes.nodes(); ++node) {
      total[place(node)] = node_memory::front(nodes.local_size(node));
    }
    for (int pe = 0; pe < size(); ++pe) {
      wish& w = *static_cast<wish*>(all[place(pe)]->more);
      std::size_t& so_far = total[place(nodes.node_of(pe))];
      w.at = std::exchange(so_far, so_far + w.bytes);
    }
    std::vector<std::shared_ptr<memory_of_node>> memory;
    for (const std::size_t t : total) {
      memory.push_back(std::make_shared<memory_of_node>(machine_, t));
    }
    for (int pe = 0; pe < size(); ++pe) {
      all[place(pe)]->shared = memory[place(nodes.node_of(pe))];
    }
  });
  return std::make_unique<node_memory>(
      std::make_unique<seen_memory>(std::static_pointer_cast<memory_of_node>(mine.shared)),
      layout().local_rank(rank_), my_wish.at);
}

std::shared_ptr<mailbox> simulated_substrate::make_mailbox() {
  return make_simulated_mailbox(*this);
}

std::unique_ptr<link_set> simulated_substrate::make_remote_links(const link_plan& plan) {
  return make_simulated_links(*this, plan);
}

std::unique_ptr<link_set> simulated_substrate::make_local_links(const link_plan& plan) {
  // An exploration tests the code of other substrates.
  return machine_->runs_by_time() ? make_simulated_links(*this, plan) : nullptr;
}

std::unique_ptr<bulk_offer> simulated_substrate::offer_bulk(int, std::size_t bytes) {
  return machine_->bulk().offer(bytes);
}

std::unique_ptr<bulk_delivery> simulated_substrate::fetch_bulk(int from,
                                                               const bulk_ticket& ticket) {
  machine_->charge(is_local(from) ? machine_->network().near_latency()
                                  : machine_->network().fetch_time(
                                        machine_->layout().node_of(in_job(rank_)),
                                        machine_->layout().node_of(in_job(from)), ticket.bytes));
  return machine_->bulk().fetch(ticket, [on = machine_, pe = in_job(from)] {
    on->ring(pe, on->clock() + on->network().near_latency());
  });
}

// --- Time and waiting ----------------------------------------------------------------------------

std::chrono::nanoseconds simulated_substrate::now() const {
  // A PE that looks at the clock until some time has passed must come to an end.
  constexpr moment time_to_look = 20'000;
  machine_->charge(time_to_look);
  return to_nanoseconds(machine_->clock());
}

bool simulated_substrate::pause(const pause_reason& why) {
  if (others_->yield_in_background(why.acts_by_itself || why.by_time)) {
    machine_->check_failure();
    return !machine_->has_messages_in_flight(in_job(rank_));
  }
  if (others_->make()) {
    machine_->busy();
    return false;
  }
  return machine_->idle(why) && !machine_->has_messages_in_flight(in_job(rank_));
}

void simulated_substrate::keep_going(progress& others) {
  if (!progress::is_fiber()) {
    throw contract_error(
        "take_over on another thread: all PEs of a simulation run on the thread that has called "
        "simulate; leave the world on its PE");
  }
  others_ = &others;
}

void simulated_substrate::idle(const pause_reason& why) {
  if (pause(why) && why.for_others && team_->gone >= 0) report_absence(why);
}

void simulated_substrate::wake(int pe, bool of_use) {
  machine_->charge(machine_->network().near_core_time());
  machine_->ring(in_job(pe), machine_->clock() + machine_->network().near_latency(), of_use);
  if (!others_->is_in_background()) machine_->hand_over();
}

void simulated_substrate::compute(std::chrono::nanoseconds duration) {
  if (duration.count() <= 0) return machine_->check_failure();
  // The adapter goes on meanwhile, with a time of its own for the work.
  if (machine_->network().has_offload()) return sleep(duration);
  machine_->check_failure();
  machine_->charge(to_moment(duration));
  machine_->busy();
}

void simulated_substrate::sleep(std::chrono::nanoseconds duration) {
  machine_->check_failure();
  const moment until = machine_->clock() + to_moment(duration);
  do {
    if (!others_->make()) machine_->wait_until(until);
    machine_->fall_in_step();
  } while (machine_->clock() < until);
}

const stall_watch& simulated_substrate::stall() const {
  // The machine looks for stuck PEs.
  static job_block nothing{};
  static const stall_watch off(nothing, 0, 0, 1, std::chrono::nanoseconds(0));
  return off;
}

void simulated_substrate::report_absence(const pause_reason& why) {
  const std::string doing = others_->watch().doing(why);
  const int absent = team_->gone;
  // The other PE may have failed, and tell the reason a little later.
  const moment until = machine_->clock() + to_moment(max_failure_delay);
  while (machine_->clock() < until) {
    if (!others_->yield_in_background(true)) machine_->wait_until(until);
  }
  const std::string text = absence_text(pe_name(absent), pe_name(rank_), doing);
  fail(text);
  throw world_error(text);
}

}  // namespace boxcar::detail
