#include "substrate/cluster/join_cluster.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/agreed_error.hpp"
#include "substrate/cluster/cluster_substrate.hpp"
#include "substrate/cluster/exit_watch.hpp"
#include "substrate/cluster/machine.hpp"
#include "substrate/environment.hpp"
#include "substrate/processes/process_memory.hpp"
#include "substrate/shared_memory/shared_memory_substrate.hpp"
#include "substrate/usable_cores.hpp"

namespace boxcar::detail {
namespace {

template <typename T>
std::vector<T> gather(network& net, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(net.size()));
  net.gather_at_start(std::as_bytes(std::span(&mine, 1)), reinterpret_cast<std::byte*>(all.data()));
  return all;
}

// Which PEs are on one node, by rank; nodes are numbered in the order of their lowest rank.
std::vector<int> number_nodes(const std::vector<machine_identity>& machines, int pretended) {
  const auto pes = static_cast<int>(machines.size());
  std::vector<std::pair<std::uint64_t, int>> seen;
  std::vector<int> nodes;
  for (int pe = 0; pe < pes; ++pe) {
    const auto block = static_cast<int>(std::int64_t{pe} * pretended / pes);
    const std::pair place{machines[static_cast<std::size_t>(pe)].memory, block};
    const auto found = std::ranges::find(seen, place);
    nodes.push_back(static_cast<int>(found - seen.begin()));
    if (found == seen.end()) seen.push_back(place);
  }
  return nodes;
}

// Those that may run on one of this PE's cores, itself included. (Launchers give each process cores
// of its own, or many processes the same ones.)
int count_pes_on_my_cores(network& net, const std::vector<machine_identity>& machines) {
  const cpu_set_t mine = usable_cores();
  const std::vector<cpu_set_t> cores = gather(net, mine);
  const std::uint64_t here = machines[static_cast<std::size_t>(net.rank())].machine;
  int pes = 0;
  for (std::size_t pe = 0; pe < machines.size(); ++pe) {
    cpu_set_t shared;
    CPU_AND(&shared, &mine, &cores[pe]);
    if (machines[pe].machine == here && CPU_COUNT(&shared) > 0) ++pes;
  }
  return pes;
}

// Everybody learns whether it went well for everybody.
void agree(network& net, const std::string& problem) {
  struct outcome {
    std::uint32_t failed = 0;
    char why[200] = {};
  };
  outcome mine;
  mine.failed = problem.empty() ? 0 : 1;
  problem.copy(mine.why, sizeof mine.why - 1);
  const auto all = gather(net, mine);
  for (std::size_t pe = 0; pe < all.size(); ++pe) {
    if (all[pe].failed == 0) continue;
    throw system_error("PE " + std::to_string(pe) +
                       " cannot share memory with the PEs of its node: " + all[pe].why);
  }
}

// The memory in which the PEs of this node find one another.
std::unique_ptr<shared_memory> share_control_block(network& net, const std::vector<int>& here) {
  const int pes = static_cast<int>(here.size());
  const bool leads = here.front() == net.rank();
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
  agree(net, problem);
  const auto handles = gather(net, handle);
  if (!leads) {
    attempt([&] {
      attached = source->attach(handles[static_cast<std::size_t>(here.front())], job_bytes(pes));
    });
  }
  agree(net, problem);
  return leads ? created->seal() : std::move(attached);
}

struct watched_membership : job_membership {
  using job_membership::job_membership;
  exit_watch watch{[this] { depart(); },
                   [this] {
                     wait->check_failure();
                     return others_departed();
                   }};
};

// Throws the same on all PEs.
int agree_on_nodes(network& net, const std::function<int()>& given_here) {
  struct answer {
    int nodes = 0;
    char problem[200] = {};
  };
  answer mine;
  try {
    mine.nodes = given_here();
    stall_time_from_environment();  // if it is malformed, all PEs are to know it now
  } catch (const argument_error& e) {
    std::string(e.what()).copy(mine.problem, sizeof mine.problem - 1);
  }
  const auto given = gather(net, mine);
  const int nodes = given.front().nodes;
  for (std::size_t pe = 0; pe < given.size(); ++pe) {
    if (given[pe].problem[0] != '\0') {
      throw agreed_error("PE " + std::to_string(pe) + ": " + given[pe].problem);
    }
    if (given[pe].nodes == nodes) continue;
    throw agreed_error("the PEs disagree on the number of pretended nodes: PE 0 gives " +
                       std::to_string(nodes) + ", PE " + std::to_string(pe) + " gives " +
                       std::to_string(given[pe].nodes) +
                       "; set BOXCAR_NODES to the same on all PEs");
  }
  const int pes = net.size();
  if (nodes >= 1 && nodes <= pes) return nodes;
  throw agreed_error(std::to_string(pes) + " PEs cannot be spread over " + std::to_string(nodes) +
                     " nodes: give a number from 1 to " + std::to_string(pes));
}

}  // namespace

std::unique_ptr<substrate> join_cluster(std::shared_ptr<network> net,
                                        const std::function<int()>& pretended_nodes) {
  const int pretended = agree_on_nodes(*net, pretended_nodes);
  const int rank = net->rank();
  const machine_identity mine = identify_machine();
  const auto machines = gather(*net, mine);
  const std::vector<int> nodes = number_nodes(machines, pretended);

  std::vector<int> here;
  for (int pe = 0; pe < net->size(); ++pe) {
    if (nodes[static_cast<std::size_t>(pe)] == nodes[static_cast<std::size_t>(rank)]) {
      here.push_back(pe);
    }
  }
  const bool several_nodes = static_cast<int>(here.size()) < net->size();
  surroundings around;
  around.pes_on_cores = count_pes_on_my_cores(*net, machines);
  around.has_network = several_nodes;
  around.stall_after = stall_time_from_environment();
  around.pes_in_job = net->size();
  around.ranks_in_job = here;

  const int local_rank = static_cast<int>(std::ranges::find(here, rank) - here.begin());
  auto local = join_job(std::make_shared<watched_membership>(
      net->name(), make_process_memory(), share_control_block(*net, here), local_rank, around));
  if (!several_nodes) return local;

  std::vector<int> everybody(static_cast<std::size_t>(net->size()));
  std::iota(everybody.begin(), everybody.end(), 0);
  constexpr std::uint64_t identity_of_job = 1;
  auto world = std::make_unique<cluster_substrate>(std::move(net), std::move(local), everybody,
                                                   nodes, rank, identity_of_job);
  const auto own_name = [](int pe) { return pe; };
  world->plant_tree(world->make_remote_links(
                        tree_collectives::plan(place_in_tree(rank, world->size()), own_name)),
                    everybody);
  world->look_for_stalls();
  return world;
}

}  // namespace boxcar::detail
