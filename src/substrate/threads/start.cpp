#include "substrate/threads/start.hpp"

#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/environment.hpp"
#include "substrate/shared_memory/shared_memory_substrate.hpp"
#include "substrate/threads/thread_memory.hpp"

namespace boxcar::detail {

void start_threads(int pes, int nodes, const std::function<void(std::unique_ptr<substrate>)>& pe) {
  job_block numbers{};
  describe_job(reinterpret_cast<std::byte*>(&numbers), pes, nodes);  // throws before allocating

  const auto source = make_thread_memory();
  const auto created = source->create(job_bytes(pes));
  const memory_handle handle = created->handle();
  std::vector<std::unique_ptr<shared_memory>> control;
  control.reserve(static_cast<std::size_t>(pes));
  for (int rank = 0; rank < pes; ++rank) control.push_back(source->attach(handle, job_bytes(pes)));
  describe_job(control[0]->data(), pes, nodes);
  auto* job = reinterpret_cast<job_block*>(control[0]->data());

  const wait_config around{.pes_on_cores = pes, .stall_after = stall_time_from_environment()};
  const auto be = [&](int rank) {
    pe(join_job(std::make_shared<job_membership>("threads", make_thread_memory(),
                                                 std::move(control[static_cast<std::size_t>(rank)]),
                                                 rank, around)));
  };
  std::vector<std::thread> others;
  std::string problem;
  for (int rank = 1; rank < pes; ++rank) {
    try {
      others.emplace_back(be, rank);
    } catch (const std::system_error& e) {
      problem = "cannot start thread " + std::to_string(rank) + " of " + std::to_string(pes) +
                ": " + e.what();
      fail_job(*job, rank, problem);
      break;
    }
  }
  if (problem.empty()) be(0);
  for (std::thread& other : others) other.join();
  if (!problem.empty()) throw system_error(problem);
}

}  // namespace boxcar::detail
