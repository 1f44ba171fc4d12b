// Tests of worlds of a program's own communicators. Run as a job of 4 processes, all of which run
// all tests. The argument says how the program initialises MPI: none (Boxcar initialises MPI),
// single, funneled, serialized or multiple.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <gtest/gtest.h>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/mpi.hpp>

#include "support/thrown.hpp"

namespace boxcar::test::world_of_test {
namespace {

int rank_of(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

// A communicator of the program, freed at the end.
class own_communicator {
 public:
  explicit own_communicator(MPI_Comm made) : communicator_(made) {}
  own_communicator(const own_communicator&) = delete;
  own_communicator& operator=(const own_communicator&) = delete;
  ~own_communicator() {
    if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
  }
  [[nodiscard]] MPI_Comm get() const { return communicator_; }

 private:
  MPI_Comm communicator_;
};

MPI_Comm split(MPI_Comm communicator, int color, int key) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(communicator, color, key, &part);
  return part;
}

template <typename Error, typename Action>
void expect_thrown(const Action& action, std::initializer_list<std::string_view> mentions) {
  expect_mentions(thrown_by<Error>(action), mentions);
}

// Every PE sends its rank to all PEs.
void exchange_ranks(world& w) {
  int arrived = 0;
  int sum = 0;
  exchange<int>(
      w,
      [&](auto& out) {
        for (int pe = 0; pe < w.size(); ++pe) out.push(w.rank(), pe);
      },
      [&](int rank) {
        ++arrived;
        sum += rank;
      });
  EXPECT_EQ(arrived, w.size());
  EXPECT_EQ(sum, w.size() * (w.size() - 1) / 2);
}

// Must stand first: here Boxcar initialises MPI if the program did not.
TEST(world_of, the_whole_program_has_its_ranks) {
  world w = mpi::world_of(MPI_COMM_WORLD);
  EXPECT_EQ(w.rank(), rank_of(MPI_COMM_WORLD));
  EXPECT_EQ(w.size(), 4);
  exchange_ranks(w);
}

TEST(world_of, ranks_in_another_order_has_that_order) {
  const own_communicator reversed(split(MPI_COMM_WORLD, 0, -rank_of(MPI_COMM_WORLD)));
  world w = mpi::world_of(reversed.get(), {.nodes = 2});
  EXPECT_EQ(w.rank(), 3 - rank_of(MPI_COMM_WORLD));
  exchange_ranks(w);
}

TEST(world_of, a_communicator_outlives_it) {
  std::optional<own_communicator> part(split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) / 2, 0));
  world w = mpi::world_of(part->get(), {.nodes = 2});
  part.reset();
  EXPECT_EQ(w.size(), 2);
  exchange_ranks(w);
}

// Rows and columns of a square, and all: conveyors of three worlds are active at the same time.
TEST(world_of, several_communicators_work_at_once) {
  const int rank = rank_of(MPI_COMM_WORLD);
  const own_communicator row(split(MPI_COMM_WORLD, rank / 2, rank));
  const own_communicator column(split(MPI_COMM_WORLD, rank % 2, rank));
  world of_row = mpi::world_of(row.get(), {.nodes = 2});
  world of_column = mpi::world_of(column.get(), {.nodes = 2});
  world of_all = mpi::world_of(MPI_COMM_WORLD, {.nodes = 4});
  const conveyor_options small{.buffer_bytes = 256};
  conveyor<int> in_row(of_row, small);
  conveyor<int> in_column(of_column, small);
  conveyor<int> everywhere(of_all, small);

  struct traffic {
    conveyor<int>& c;
    world& w;
    int left = 5000;
    int arrived = 0;
  };
  std::array<traffic, 3> all{traffic{in_row, of_row}, {in_column, of_column}, {everywhere, of_all}};
  {
    const session first = in_row.begin();
    const session second = in_column.begin();
    const session third = everywhere.begin();
    for (bool active = true; active;) {
      active = false;
      for (traffic& t : all) {
        active |= static_cast<bool>(t.c.advance(t.left == 0));
        while (t.left > 0 && t.c.push(t.w.size(), t.left % t.w.size())) --t.left;
        for (int item = 0; t.c.pull(item); ++t.arrived) EXPECT_EQ(item, t.w.size());
      }
    }
  }
  for (traffic& t : all) EXPECT_EQ(t.w.reduce(t.arrived), 5000 * t.w.size());
}

// The program receives from anybody, with any tag, while a conveyor is at work.
TEST(world_of, no_message_of_it_reaches_a_receive_of_the_program) {
  world w = mpi::world_of(MPI_COMM_WORLD, {.nodes = 4});
  const int rank = w.rank();
  int received = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  exchange_ranks(w);
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % w.size(), 7, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(received, (rank + 3) % w.size());
}

TEST(world_of, no_communicator_is_refused) {
  expect_thrown<argument_error>([] { (void)mpi::world_of(MPI_COMM_NULL); }, {"MPI_COMM_NULL"});
}

TEST(world_of, an_intercommunicator_is_refused) {
  const int rank = rank_of(MPI_COMM_WORLD);
  const own_communicator half(split(MPI_COMM_WORLD, rank / 2, rank));
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create(half.get(), 0, MPI_COMM_WORLD, rank / 2 == 0 ? 2 : 0, 1, &between);
  const own_communicator owned(between);
  expect_thrown<argument_error>([&] { (void)mpi::world_of(between); },
                                {"intercommunicator", "MPI_Intercomm_merge"});
}

TEST(world_of, too_many_nodes_are_refused) {
  expect_thrown<argument_error>([] { (void)mpi::world_of(MPI_COMM_WORLD, {.nodes = 5}); },
                                {"5 nodes"});
}

// A thread without the right to call MPI gets an error; a thread with the right can have a world of
// its own.
TEST(world_of, another_thread_may_make_it_if_mpi_allows) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  std::thread([level] {
    const auto make_and_use = [] {
      world w = mpi::world_of(MPI_COMM_WORLD);
      exchange_ranks(w);
    };
    if (level >= MPI_THREAD_SERIALIZED) {
      make_and_use();
    } else {
      expect_thrown<contract_error>(make_and_use, {"main thread", "MPI_THREAD_SERIALIZED"});
    }
  }).join();
}

// The threads call MPI at the same time, each for its own world.
TEST(world_of, threads_have_worlds_of_their_own_at_once) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "MPI does not allow it";
  std::array<std::optional<own_communicator>, 3> communicators;
  std::vector<std::thread> threads;
  for (auto& own : communicators) own.emplace(split(MPI_COMM_WORLD, 0, 0));
  for (const auto& own : communicators) {
    threads.emplace_back([&own] {
      for (int i = 0; i < 5; ++i) {
        world w = mpi::world_of(own->get(), {.nodes = i % 2 == 0 ? 4 : 1});
        for (int j = 0; j < 10; ++j) exchange_ranks(w);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// PE 0 computes until a put has come, which only a progress thread can have received.
TEST(world_of, progress_threads_need_an_mpi_for_several_threads) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  const auto make_and_use = [] {
    world w = mpi::world_of(MPI_COMM_WORLD, {.nodes = 2, .progress_thread = true});
    window<long> flags(w, 1);
    if (w.rank() == w.size() - 1) flags.store(1, 0, 0);
    const std::atomic_ref<long> flag(flags.local()[0]);
    while (w.rank() == 0 && flag.load(std::memory_order_acquire) == 0) std::this_thread::yield();
    w.barrier();
  };
  if (level == MPI_THREAD_MULTIPLE) {
    make_and_use();
  } else {
    expect_thrown<argument_error>(make_and_use,
                                  {"PE 0", "MPI_THREAD_MULTIPLE", "initialised with MPI_THREAD_",
                                   "BOXCAR_PROGRESS_THREAD=1"});
  }
}

// Returns false if the argument is unknown.
bool initialise(const std::string& how) {
  const std::array<const char*, 4> names{"single", "funneled", "serialized", "multiple"};
  const std::array<int, 4> levels{MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                  MPI_THREAD_MULTIPLE};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (how != names[i]) continue;
    int provided = 0;
    return MPI_Init_thread(nullptr, nullptr, levels[i], &provided) == MPI_SUCCESS;
  }
  return how == "none";
}

// The end of MPI: after all tests nothing can be made or used any more, and nothing crashes.
void check_after_the_end() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  world left_over =
      mpi::world_of(MPI_COMM_WORLD, {.nodes = 2, .progress_thread = level == MPI_THREAD_MULTIPLE});
  const window<long> left_with_it(left_over, 1);
  MPI_Finalize();
  const auto use = [&] { left_over.barrier(); };
  const auto make = [] { (void)mpi::world_of(MPI_COMM_WORLD); };
  expect_thrown<contract_error>(use, {"MPI has been finalised"});
  expect_thrown<contract_error>(make, {"MPI has been finalised"});
}

}  // namespace
}  // namespace boxcar::test::world_of_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2 || !boxcar::test::world_of_test::initialise(argv[1])) {
    std::fprintf(stderr, "usage: %s none|single|funneled|serialized|multiple\n", argv[0]);
    return 2;
  }
  int status = RUN_ALL_TESTS();
  if (std::string(argv[1]) != "none") {
    boxcar::test::world_of_test::check_after_the_end();
    if (testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()) status = 1;
  }
  return status;
}
