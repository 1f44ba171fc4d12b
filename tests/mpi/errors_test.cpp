// Tests of refused calls of MPI in an existing world. The refused PE gets a system_error with MPI's
// text, the other PEs a world_error with the same text, and the next world works. Run as a job of
// several processes, all of which run all tests.
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "mpi/refusing_mpi.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::errors_test {
namespace {

constexpr int unlucky = 1;  // the PE whose calls MPI refuses

const conveyor_options with_buffers{.buffer_bytes = 4096};

using action = std::function<void()>;

// --- Programs of the PEs; `begin` is called when MPI may refuse something ------------------------

void meet(world& w, const action& begin) {
  begin();
  for (int i = 0; i < 200; ++i) w.barrier();
}

// Every PE sends `items` items to each PE.
void exchange_items(world& w, conveyor<int>& c, int items) {
  int pulled = 0;
  {
    const session s = c.begin();
    int pushed = 0;
    while (c.advance(pushed == items * w.size())) {
      while (pushed < items * w.size() && c.push(pushed, pushed % w.size())) ++pushed;
      for (int item = 0; c.pull(item);) ++pulled;
    }
  }
  EXPECT_EQ(pulled, items * w.size());
}

constexpr int many_items = 50000;  // enough to fill tens of buffers

void run_session(world& w, const action& begin) {
  conveyor<int> c(w, with_buffers);
  begin();
  exchange_items(w, c, many_items);
}

void make_conveyor(world& w, const action& begin) {
  begin();
  conveyor<int> c(w, with_buffers);
  exchange_items(w, c, 100);
}

void send_large_items(world& w, const action& begin) {
  elastic_conveyor c(w, least_of_items);
  const std::vector<std::byte> item(least_of_items, std::byte{7});
  begin();
  const session s = c.begin();
  int pushed = 0;
  while (c.advance(pushed == w.size())) {
    while (pushed < w.size() && c.push(item, pushed)) ++pushed;
    while (const auto arrived = c.pull()) EXPECT_EQ(arrived->bytes.size(), item.size());
  }
}

void make_parts(world& w, const action& begin) {
  begin();
  world part = *w.split(0);
  meet(part, [] {});
}

// --- Refused calls -------------------------------------------------------------------------------

struct refused_call {
  std::string name;
  std::function<void(world&, const action&)> program;
  refusal unwanted;
  int sure;  // number of calls sure to come
  std::string operation;
};

std::string name_of(const refused_call& call) {
  return call.name + (call.unwanted.spared == 0 ? "" : "_later");
}

const std::vector<refused_call> first_calls{
    {"sending_for_a_collective", meet, {"MPI_Isend"}, 100, "sending a buffer"},
    {"asking_what_was_sent_for_a_collective", meet, {"MPI_Test", "MPI_Isend"}, 100, "MPI_Test"},
    {"asking_what_came_for_a_collective",
     meet,
     {"MPI_Testsome", "MPI_Irecv", least_of_pieces, most_of_pieces},
     100,
     "MPI_Testsome"},
    {"its_length", meet, {"MPI_Get_count"}, 100, "MPI_Get_count"},
    {"receiving_the_next_for_a_collective",
     meet,
     {"MPI_Irecv", {}, least_of_pieces, most_of_pieces},
     100,
     "MPI_Irecv"},
    {"asking_for_notices",
     meet,
     {"MPI_Test", "MPI_Irecv", least_of_notices, most_of_notices},
     100,
     "MPI_Test"},
    {"receiving_in_a_part",
     make_parts,
     {"MPI_Irecv", {}, least_of_pieces, most_of_pieces},
     2,
     "MPI_Irecv"},
    {"receiving_of_buffers", make_conveyor, {"MPI_Irecv", {}, least_of_buffers}, 2, "MPI_Irecv"},
    {"sending_of_a_buffer", run_session, {"MPI_Issend"}, 20, "sending a buffer"},
    {"asking_what_was_sent", run_session, {"MPI_Test", "MPI_Issend"}, 10, "MPI_Test"},
    {"asking_what_came",
     run_session,
     {"MPI_Testsome", "MPI_Irecv", least_of_buffers},
     20,
     "MPI_Testsome"},
    {"length_of_a_buffer", run_session, {"MPI_Get_count"}, 20, "MPI_Get_count"},
    {"receiving_the_next_buffer",
     run_session,
     {"MPI_Irecv", {}, least_of_buffers},
     10,
     "MPI_Irecv"},
    {"sending_of_a_large_item",
     send_large_items,
     {"MPI_Issend", {}, least_of_items},
     1,
     "MPI_Issend"},
    {"receiving_of_a_large_item",
     send_large_items,
     {"MPI_Irecv", {}, least_of_items},
     1,
     "MPI_Irecv"},
    {"asking_whether_a_large_item_was_sent",
     send_large_items,
     {"MPI_Testall", "MPI_Issend", least_of_items},
     1,
     "MPI_Testall"},
    {"asking_whether_a_large_item_came",
     send_large_items,
     {"MPI_Testall", "MPI_Irecv", least_of_items},
     1,
     "MPI_Testall"},
};

// The first call, and the last that is sure to come.
std::vector<refused_call> all_calls() {
  std::vector<refused_call> all;
  for (const refused_call& call : first_calls) {
    all.push_back(call);
    if (call.sure == 1) continue;
    all.push_back(call);
    all.back().unwanted.spared = call.sure - 1;
  }
  return all;
}

class mpi_refuses : public testing::TestWithParam<shaped<refused_call>> {
 protected:
  ~mpi_refuses() override { refuse_nothing(); }

  // Further refusals start later.
  static world_report observe_call(const std::vector<refusal>& also = {}) {
    const refused_call& call = GetParam().detail;
    return observe(GetParam().shape, [&](world& w) {
      call.program(w, [&] {
        if (w.rank() != unlucky) return;
        refuse(call.unwanted);
        for (const refusal& other : also) refuse(other);
      });
    });
  }

  static void expect_words_of_mpi(const world_report& report) {
    const pe_report& pe = report.pes[unlucky];
    EXPECT_EQ(pe.end, ending::system_error) << pe.what;
    expect_mentions(pe.what, {GetParam().detail.operation + " failed: " + text_of_refusal()});
  }
};

TEST_P(mpi_refuses, and_every_pe_hears_why) {
  const world_report report = observe_call();
  EXPECT_LE(count_refused(), 1);
  EXPECT_TRUE(report.failed);
  expect_words_of_mpi(report);
  const std::string who = "PE " + std::to_string(unlucky) + ": ";
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    if (pe == unlucky) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << "PE " << pe << report.pes[pe].what;
    expect_mentions(report.pes[pe].what,
                    {who + GetParam().detail.operation + " failed: " + text_of_refusal()});
  }
  refuse_nothing();
  run_on(GetParam().shape, [](world& w) { run_session(w, [] {}); });
}

// MPI may also refuse the notices to the other PEs: no PE waits for a PE that has left.
TEST_P(mpi_refuses, and_no_pe_waits_for_word_of_it) {
  const world_report report = observe_call(
      {{.function = "MPI_Isend", .at_least = least_of_notices, .refused = all_of_them}});
  EXPECT_NE(count_refused(), 1);  // with the notice
  EXPECT_TRUE(report.failed);
  expect_words_of_mpi(report);
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    if (pe == unlucky) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << "PE " << pe << report.pes[pe].what;
  }
}

INSTANTIATE_TEST_SUITE_P(mpi, mpi_refuses, testing::ValuesIn(on_shapes(all_shapes(), all_calls())),
                         by_name{});

class a_world : public testing::TestWithParam<world_shape> {
 protected:
  ~a_world() override { refuse_nothing(); }
};

// The program goes on regardless.
TEST_P(a_world, that_has_failed_by_mpi_stays_failed) {
  run_on(GetParam(), [](world& w) {
    const auto run = [&] {
      run_session(w, [&] {
        if (w.rank() == unlucky) refuse({"MPI_Issend"});
      });
    };
    if (w.rank() == unlucky) {
      thrown_by<system_error>(run);
    } else {
      thrown_by<world_error>(run);
    }
    for (int i = 0; i < 3; ++i) {
      expect_mentions(thrown_by<world_error>([&] { w.barrier(); }),
                      {"PE 1: sending a buffer failed: " + text_of_refusal()});
    }
  });
}

// No PE waits for a PE that could not announce that it leaves.
TEST_P(a_world, of_which_a_pe_leaves_a_part_unheard) {
  run_on(GetParam(), [](world& w) {
    std::optional<world> part = w.split(0);
    if (w.rank() == unlucky) {
      part->barrier();
      refuse({.function = "MPI_Isend", .at_most = 1});
      part.reset();
    } else {
      // The failure comes in the first barrier already, if PE 1 leaves it earlier.
      expect_mentions(thrown_by<world_error>([&] { meet(*part, [] {}); }), {"PE 1"});
    }
  });
}

// Requests that MPI does not release stay with MPI.
TEST_P(a_world, goes_on_when_mpi_does_not_end_what_is_left) {
  for (const char* function : {"MPI_Cancel", "MPI_Testall"}) {
    run_on(GetParam(), [function](world& w) {
      {
        conveyor<int> c(w, with_buffers);
        exchange_items(w, c, 1000);
        if (w.rank() == unlucky) refuse({.function = function, .refused = all_of_them});
      }
      if (w.rank() == unlucky) {
        EXPECT_GT(count_refused(), 0);
      }
      run_session(w, [] {});
    });
    refuse_nothing();
  }
}

INSTANTIATE_TEST_SUITE_P(mpi, a_world, testing::ValuesIn(all_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::errors_test
