#include "substrate/cluster/join_cluster.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/agreed_error.hpp"
#include "substrate/agreement.hpp"
#include "substrate/cluster/cluster_substrate.hpp"
#include "substrate/cluster/exit_watch.hpp"
#include "substrate/cluster/machine.hpp"
#include "substrate/environment.hpp"
#include "substrate/largest.hpp"
#include "substrate/processes/process_memory.hpp"
#include "substrate/shared_memory/shared_memory_substrate.hpp"
#include "substrate/usable_cores.hpp"

namespace boxcar::detail {
namespace {

agreement::reduction reduction_over(job_start& job) {
  return [&job](std::span<std::byte> value, const agreement::combination& combine) {
    job.reduce_at_start(value, combine);
  };
}

// --- Which PEs are on one node -------------------------------------------------------------------

// A stretch is a run of successive PEs on one node. Plain bytes, to be combined.
struct stretch {
  machine_identity at;
  std::int32_t block;  // of the pretended nodes
  std::int32_t pes;

  [[nodiscard]] bool same_node(const stretch& other) const {
    return at.memory == other.at.memory && block == other.block;
  }
};

// The stretches of successive ranks; only their number if there is no room for all.
class stretches {
 public:
  stretches(std::size_t room, const stretch& mine) : words_(1 + room * words_of_one) {
    words_[0] = 1;
    write(words_.data(), 0, mine);
  }

  void gather(job_start& job) {
    const auto append = [room = room()](std::byte* into, const std::byte* next) {
      join(reinterpret_cast<std::uint64_t*>(into), reinterpret_cast<const std::uint64_t*>(next),
           room);
    };
    job.reduce_at_start(std::as_writable_bytes(std::span(words_)), append);
  }

  // Returns the number of stretches, or an upper bound of the number if not all had room.
  [[nodiscard]] std::size_t count() const { return words_[0]; }
  [[nodiscard]] bool complete() const { return count() <= room(); }
  [[nodiscard]] stretch at(std::size_t i) const { return read(words_.data(), i); }

 private:
  static_assert(sizeof(stretch) % sizeof(std::uint64_t) == 0);
  static constexpr std::size_t words_of_one = sizeof(stretch) / sizeof(std::uint64_t);

  [[nodiscard]] std::size_t room() const { return (words_.size() - 1) / words_of_one; }

  static stretch read(const std::uint64_t* words, std::size_t i) {
    stretch s;
    std::memcpy(static_cast<void*>(&s), words + 1 + i * words_of_one, sizeof s);
    return s;
  }
  static void write(std::uint64_t* words, std::size_t i, const stretch& s) {
    std::memcpy(words + 1 + i * words_of_one, &s, sizeof s);
  }

  static void join(std::uint64_t* into, const std::uint64_t* next, std::size_t room) {
    std::size_t count = into[0];
    if (count > room || next[0] > room) {
      into[0] = count + next[0];
      return;
    }
    for (std::size_t i = 0; i < next[0]; ++i) {
      const stretch s = read(next, i);
      stretch last = read(into, count - 1);
      if (i == 0 && last.same_node(s)) {
        last.pes += s.pes;
        write(into, count - 1, last);
        continue;
      }
      if (count < room) write(into, count, s);
      ++count;
    }
    into[0] = count;
  }

  std::vector<std::uint64_t> words_;
};

struct placement {
  node_layout nodes{0};
  int pes_on_machine = 0;  // of this PE
  // The ranks of all PEs on machines with more than one node; ascending.
  std::vector<int> on_divided_machines;
};

rank_list ranks_on_node(const node_layout& nodes, int node) {
  std::vector<int> ranks(static_cast<std::size_t>(nodes.local_size(node)));
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = nodes.pe_at(node, static_cast<int>(i));
  return rank_list(std::move(ranks));
}

// The PEs of a node usually have successive ranks, so that few words describe all nodes.
stretches gather_stretches(job_start& job, const machine_identity& here, int pretended) {
  const auto block = std::int64_t{job.rank()} * pretended / job.size();
  const stretch mine{here, static_cast<std::int32_t>(block), 1};
  constexpr std::size_t room_at_first = 64;
  stretches all(room_at_first, mine);
  all.gather(job);
  if (all.complete()) return all;
  stretches more(all.count(), mine);
  more.gather(job);
  return more;
}

placement find_places(job_start& job, const machine_identity& here, int pretended) {
  const stretches all = gather_stretches(job, here, pretended);
  std::map<std::pair<std::uint64_t, int>, std::uint64_t> numbers;  // of nodes
  std::map<std::uint64_t, std::set<std::uint64_t>> on_machine;     // the nodes
  node_layout::builder nodes;
  placement found;
  for (std::size_t i = 0; i < all.count(); ++i) {
    const stretch s = all.at(i);
    const auto number = numbers.try_emplace({s.at.memory, s.block}, numbers.size()).first->second;
    nodes.add(number, s.pes);
    on_machine[s.at.machine].insert(number);
    if (s.at.machine == here.machine) found.pes_on_machine += s.pes;
  }
  found.nodes = std::move(nodes).build();
  int rank = 0;
  for (std::size_t i = 0; i < all.count(); ++i) {
    const stretch s = all.at(i);
    const bool divided = on_machine[s.at.machine].size() > 1;
    for (int pe = 0; pe < s.pes; ++pe, ++rank) {
      if (divided) found.on_divided_machines.push_back(rank);
    }
  }
  return found;
}

// --- Memory that the PEs of a node share ---------------------------------------------------------

// Collective. Throws system_error on all PEs if a PE has a problem.
void agree(job_start& job, const std::string& problem) {
  agreement went_well;
  went_well.object(problem);
  if (const auto found = went_well.reach(reduction_over(job), job.rank())) {
    throw system_error("PE " + std::to_string(found->pe) +
                       " cannot share memory with the PEs of its node: " + found->problem);
  }
}

// Collective. Returns the handle of the memory created by the first PE of this node.
memory_handle handle_of_node(job_start& job, const node_layout& nodes, const memory_handle& mine) {
  const auto node = static_cast<std::size_t>(nodes.node_of(job.rank()));
  if (nodes.nodes() == nodes.pes()) return mine;
  std::vector<memory_handle> all(static_cast<std::size_t>(nodes.nodes()));
  all[node] = mine;  // empty except on the first PE
  job.reduce_at_start(std::as_writable_bytes(std::span(all)),
                      [n = all.size() * sizeof mine](std::byte* into, const std::byte* next) {
                        for (std::size_t i = 0; i < n; ++i) into[i] |= next[i];
                      });
  return all[node];
}

// Collective. Returns the memory by which the PEs of a node find each other.
std::unique_ptr<shared_memory> share_control_block(job_start& job, const node_layout& nodes) {
  const int node = nodes.node_of(job.rank());
  const int pes = nodes.local_size(node);
  const bool leads = nodes.local_rank(job.rank()) == 0;
  const auto source = make_process_memory();
  std::unique_ptr<created_memory> created;
  std::unique_ptr<shared_memory> attached;
  memory_handle handle;
  std::string problem;
  const auto attempt = [&problem](const auto& action) {
    try {
      action();
    } catch (const std::exception& e) {
      problem = e.what();
    }
  };
  if (leads) {
    attempt([&] {
      created = source->create(job_bytes(pes));
      describe_job(created->data(), pes, 1);
      handle = created->handle();
    });
  }
  agree(job, problem);
  handle = handle_of_node(job, nodes, handle);
  if (!leads) attempt([&] { attached = source->attach(handle, job_bytes(pes)); });
  agree(job, problem);
  return leads ? created->seal() : std::move(attached);
}

// --- Cores ---------------------------------------------------------------------------------------

// Returns the number of core sets in `sets` with a core of `mine`; `sets` holds a set per PE.
int count_overlapping(const std::vector<std::uint64_t>& sets, const core_set& mine) {
  int pes = 0;
  for (std::size_t at = 0; at < sets.size(); at += mine.size()) {
    if (overlap(&sets[at], mine.data(), mine.size())) ++pes;
  }
  return pes;
}

// Collective. Returns the number of PEs able to run on a core of this PE, itself included.
// (Launchers give each process cores of its own, or many processes the same cores.) The PEs of a
// node exchange their core sets locally; only a machine with several nodes (pretended nodes or
// containers) needs the network.
int count_pes_on_my_cores(job_start& job, substrate& local, const placement& places,
                          const machine_identity& here) {
  core_set mine = usable_cores();
  const std::vector<int>& divided = places.on_divided_machines;
  if (divided.empty()) {
    mine.resize(largest<1>(local, {mine.size()})[0]);
    std::vector<std::uint64_t> all(mine.size() * static_cast<std::size_t>(local.size()));
    local.all_gather(std::as_bytes(std::span(mine)), reinterpret_cast<std::byte*>(all.data()));
    return count_overlapping(all, mine);
  }
  std::uint64_t words = mine.size();
  static_cast<void>(agreement().reach(reduction_over(job), job.rank(), std::span(&words, 1)));
  mine.resize(words);
  // Each PE contributes its machine, followed by its cores.
  const std::size_t step = words + 1;
  std::vector<std::uint64_t> all(divided.size() * step);
  const auto me = std::ranges::lower_bound(divided, job.rank());
  if (me != divided.end() && *me == job.rank()) {
    const auto at = all.begin() + (me - divided.begin()) * static_cast<std::ptrdiff_t>(step);
    *at = here.machine;
    std::ranges::copy(mine, at + 1);
  }
  job.reduce_at_start(std::as_writable_bytes(std::span(all)),
                      [n = all.size() * sizeof all[0]](std::byte* into, const std::byte* next) {
                        for (std::size_t i = 0; i < n; ++i) into[i] |= next[i];
                      });
  std::vector<std::uint64_t> of_machine;
  for (std::size_t at = 0; at < all.size(); at += step) {
    if (all[at] != here.machine) continue;
    const auto cores = all.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    of_machine.insert(of_machine.end(), cores, cores + static_cast<std::ptrdiff_t>(words));
  }
  return count_overlapping(of_machine, mine);
}

// Collective over the node. Each PE watches the next PE of the node.
void watch_one_another(job_membership& member, substrate& local) {
  const int me = local.rank();
  const int next = (me + 1) % local.size();
  const pid_t mine = getpid();
  std::vector<pid_t> all(static_cast<std::size_t>(local.size()));
  local.all_gather(std::as_bytes(std::span(&mine, 1)), reinterpret_cast<std::byte*>(all.data()));
  if (next == me) return;
  member.wait->watch(member.ranks_in_job[me], {.pe = member.ranks_in_job[next],
                                               .process = all[static_cast<std::size_t>(next)],
                                               .presence = member.job->pe(next).presence});
}

struct watched_membership : job_membership {
  using job_membership::job_membership;
  exit_watch watch{[this] { depart(); },
                   [this] {
                     wait->check_failure();
                     return others_departed();
                   },
                   [this] { return ends_with_program; }};
};

struct agreed_request {
  world_request asked;
  std::uint64_t identity;  // of the job: unique among the jobs of a trace
};

// Throws argument_error if a thread is required, and the job cannot have one.
bool may_have_thread(const job_start& job, progress_wish wish) {
  if (wish == progress_wish::no_thread) return false;
  try {
    job.require_many_threads();
    return true;
  } catch (const argument_error&) {
    if (wish == progress_wish::thread) throw;
    return false;
  }
}

// Collective. Throws the same error on all PEs.
agreed_request agree_on_request(job_start& job, const std::function<world_request()>& asked_for) {
  world_request asked;
  agreement same;
  try {
    asked = asked_for();
    if (!may_have_thread(job, asked.progress_thread)) {
      asked.progress_thread = progress_wish::no_thread;
    }
    // Malformed variables must lead to an error on all PEs now.
    stall_time_from_environment();
    loss_time_from_environment();
    static_cast<void>(ofi_rma_bytes_from_environment());
  } catch (const argument_error& e) {
    same.object(e.what());
  }
  same.on("the number of pretended nodes", std::to_string(asked.pretended_nodes));
  auto identity =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  if (const auto found = same.reach(reduction_over(job), job.rank(), std::span(&identity, 1))) {
    if (!found->problem.empty()) {
      throw agreed_error("PE " + std::to_string(found->pe) + ": " + found->problem);
    }
    throw agreed_error("the PEs disagree on the number of pretended nodes: PE 0 gives " +
                       found->first + ", PE " + std::to_string(found->pe) + " gives " + found->its +
                       "; set BOXCAR_NODES to the same on all PEs");
  }
  const int pes = job.size();
  if (asked.pretended_nodes >= 1 && asked.pretended_nodes <= pes) return {asked, identity};
  throw agreed_error(std::to_string(pes) + " PEs cannot be spread over " +
                     std::to_string(asked.pretended_nodes) + " nodes: give a number from 1 to " +
                     std::to_string(pes));
}

// The components of a world before the network between its nodes is involved.
struct beginning {
  world_request asked;
  std::uint64_t identity;
  placement places;
  std::unique_ptr<substrate> local;  // of this node
};

beginning begin(job_start& job, const std::function<world_request()>& asked_for) {
  const auto [asked, identity] = agree_on_request(job, asked_for);
  const machine_identity here = identify_machine();
  placement places = find_places(job, here, asked.pretended_nodes);
  const node_layout& nodes = places.nodes;
  wait_config around;
  around.has_network = nodes.nodes() > 1;
  around.stall_after = stall_time_from_environment();
  around.pes_on_machine = places.pes_on_machine;
  around.pes_in_job = nodes.pes();
  around.ranks_in_job = ranks_on_node(nodes, nodes.node_of(job.rank()));

  const auto member = std::make_shared<watched_membership>(job.name(), make_process_memory(),
                                                           share_control_block(job, nodes),
                                                           nodes.local_rank(job.rank()), around);
  member->find_counterpart = job.finds_counterparts();
  auto local = join_job(member);
  member->wait->share_cores(count_pes_on_my_cores(job, *local, places, here));
  watch_one_another(*member, *local);
  return {asked, identity, std::move(places), std::move(local)};
}

std::unique_ptr<substrate> world_of_node(beginning begun) {
  if (begun.asked.progress_thread != progress_wish::no_thread) begun.local->get_progress_thread();
  return std::move(begun.local);
}

}  // namespace

std::unique_ptr<substrate> join_node(job_start& job,
                                     const std::function<world_request()>& asked_for) {
  return world_of_node(begin(job, asked_for));
}

std::unique_ptr<substrate> join_cluster(std::shared_ptr<network> net,
                                        const std::function<world_request()>& asked_for) {
  beginning begun = begin(*net, asked_for);
  if (begun.places.nodes.nodes() == 1) return world_of_node(std::move(begun));

  net->watch_nodes(begun.places.nodes);
  const int rank = net->rank();
  const rank_list everybody(net->size());
  network& engine = *net;
  auto world =
      std::make_unique<cluster_substrate>(std::move(net), std::move(begun.local), everybody,
                                          std::move(begun.places.nodes), rank, begun.identity);
  const auto own_name = [](int pe) { return pe; };
  world->plant_tree(world->make_remote_links(
                        tree_collectives::plan(place_in_tree(rank, world->size()), own_name)),
                    everybody);
  world->look_for_stalls(true);
  if (begun.asked.progress_thread != progress_wish::no_thread) {
    world->get_progress_thread();
    world->add_background_task(engine);
  }
  return world;
}

}  // namespace boxcar::detail
