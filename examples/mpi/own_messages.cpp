// An ordinary MPI program, with its own MPI_Init and its own messages, that gains one exchange:
// every process draws random numbers, and each number goes to its counting process. Messages of the
// program are received with wildcards while Boxcar's messages are in flight; they never mix.
//
// Build the program with the MPI's own compiler: docs/clusters.md.
#include <cstdint>
#include <cstdio>
#include <mpi.h>
#include <random>
#include <vector>

#include <boxcar/exchange.hpp>
#include <boxcar/mpi.hpp>

namespace {

constexpr std::uint64_t numbers_per_process = 100'000;
constexpr std::uint64_t kinds_per_process = 1000;
constexpr int report = 1;

// Returns the count of numbers that came to the process.
std::uint64_t count_numbers(MPI_Comm communicator) {
  boxcar::world world = boxcar::mpi::world_of(communicator);
  const auto processes = static_cast<std::uint64_t>(world.size());
  std::mt19937_64 random(static_cast<std::uint64_t>(world.rank()));
  std::vector<std::uint64_t> counts(kinds_per_process);
  boxcar::exchange<std::uint64_t>(
      world,
      [&](auto& out) {
        for (std::uint64_t i = 0; i < numbers_per_process; ++i) {
          const std::uint64_t number = random() % (processes * kinds_per_process);
          out.push(number / processes, static_cast<int>(number % processes));
        }
      },
      [&](std::uint64_t kind, int) { ++counts[kind]; });
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) all += count;
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  // A message of the program's own is in flight all the time.
  std::uint64_t before = 0;
  MPI_Request waiting = MPI_REQUEST_NULL;
  MPI_Irecv(&before, 1, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting);
  const std::uint64_t mine = count_numbers(MPI_COMM_WORLD);
  MPI_Send(&mine, 1, MPI_UINT64_T, (rank + 1) % size, report, MPI_COMM_WORLD);
  MPI_Wait(&waiting, MPI_STATUS_IGNORE);

  std::uint64_t sums[2] = {mine, before};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  const std::uint64_t expected = numbers_per_process * static_cast<std::uint64_t>(size);
  const bool right = sums[0] == expected && sums[1] == expected;
  if (rank == 0) {
    std::printf("%llu numbers counted, %s\n", static_cast<unsigned long long>(sums[0]),
                right ? "as many as were drawn" : "which is wrong");
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
