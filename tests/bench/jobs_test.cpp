// Tests of all benchmarks: each does its job, in every form and with every kind of conveyor, and no
// job accepts a wrong result.
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

#include <boxcar/run.hpp>

#include "benchmark.hpp"
#include "random_permutation.hpp"

namespace boxcar::bench::jobs_test {
namespace {

struct words_of_pe {
  std::uint64_t* words;
};

}  // namespace
}  // namespace boxcar::bench::jobs_test

// All PEs are threads.
template <>
inline constexpr bool boxcar::allow_pointers<boxcar::bench::jobs_test::words_of_pe> = true;

namespace boxcar::bench::jobs_test {
namespace {

setting small(const description& what, int pes) {
  return completed(what, {.pes = pes,
                          .items = what.classes.empty() ? 3000U : 0U,
                          .table_bytes = what.table == table_size::none ? 0U : 4096U});
}

// Collective. Does one session of each contender, and checks the result.
void expect_right(world& w, const description& what, const setting& s) {
  const auto b = what.make(w, s);
  auto contenders = b->ours();
  for (const auto& c : contenders) {
    b->job().clear();
    c->prepare();
    const std::uint64_t sessions = b->job().can_repeat() ? 2 : 1;
    for (std::uint64_t session = 0; session < sessions; ++session) c->run();
    c->finish();
    EXPECT_NO_THROW(b->job().check(w, sessions)) << what.name << ", " << c->name();
    w.barrier();
  }
  const auto limit = b->limit();
  if (limit == nullptr) return;
  b->job().clear();
  limit->run();
  if (w.rank() == 0) {
    EXPECT_NO_THROW(b->job().check_alone(1)) << what.name;
  }
}

TEST(jobs, are_done_right_with_any_number_of_pes) {
  for (const description& what : benchmarks()) {
    for (const int pes : {1, 5}) {
      if (pes < what.least_pes) continue;
      run(pes, [&](world& w) { expect_right(w, what, small(what, pes)); });
    }
  }
}

TEST(jobs, are_done_right_with_every_kind_of_conveyor) {
  for (const description& what : benchmarks()) {
    for (const carrier kind :
         {carrier::simple, carrier::twohop, carrier::tensor, carrier::elastic}) {
      if (!what.by_conveyor && kind != carrier::simple) continue;  // once, between two nodes
      setting s = small(what, 4);
      s.kind = kind;
      run(4, [&](world& w) { expect_right(w, what, s); }, {.nodes = 2});
    }
  }
}

TEST(jobs, are_done_right_with_every_size_of_items) {
  for (const description& what : benchmarks()) {
    for (const std::size_t bytes : what.item_sizes) {
      setting s = small(what, 2);
      s.item_bytes = bytes;
      if (bytes >= 65536) s.items = 50;
      run(2, [&](world& w) {
        EXPECT_EQ(what.make(w, s)->job().item_bytes(), bytes);
        expect_right(w, what, s);
      });
    }
  }
}

TEST(jobs, of_which_nothing_was_done_are_not_right) {
  for (const description& what : benchmarks()) {
    run(2, [&](world& w) {
      const auto b = what.make(w, small(what, 2));
      b->job().clear();
      EXPECT_THROW(b->job().check(w, 1), wrong_result) << what.name;
      EXPECT_THROW(b->job().check_alone(1), wrong_result) << what.name;
    });
  }
}

TEST(jobs, that_can_repeat_know_how_often_they_were_done) {
  for (const description& what : benchmarks()) {
    run(2, [&](world& w) {
      const auto b = what.make(w, small(what, 2));
      if (!b->job().can_repeat() || b->ours().empty()) return;
      b->job().clear();
      const auto ours = b->ours();
      ours.front()->run();
      EXPECT_THROW(b->job().check(w, 2), wrong_result) << what.name;
    });
  }
}

// A PE processes its items itself instead of the destination PE: then all is wrong, for two PEs.
TEST(jobs, know_whether_items_went_where_they_should) {
  for (const char* name : {"histogram", "alltoall", "streaming", "randomaccess", "permute", "kmer",
                           "session", "integersort"}) {
    const description& what = benchmark_of(name);
    run(2, [&](world& w) {
      const auto b = what.make(w, small(what, 2));
      one_way_job& job = *b->job().as_one_way();
      job.clear();
      const std::uint64_t n = job.items();
      std::vector<std::byte> items(n * job.item_bytes());
      std::vector<std::size_t> places(2);
      job.count(0, n, places);
      places = {0, places[0]};
      job.scatter(0, n, items.data(), places, {});
      job.apply_all(items.data(), n);
      EXPECT_THROW(job.check(w, 1), wrong_result) << what.name;
      w.barrier();
      EXPECT_NO_THROW(job.check_alone(1)) << what.name;
    });
  }
}

// Makes an access per item, by the PE with the item. Leaves out one item if `but_one`.
void access_tables(world& w, job& job, bool but_one) {
  table_job& mine = *job.as_table();
  const auto tables = w.all_gather(words_of_pe{mine.table().data()});
  for (int pe = 0; pe < w.size(); ++pe) {  // one PE after the other
    for (std::uint64_t i = but_one ? 1 : 0; pe == w.rank() && i < job.items(); ++i) {
      const auto [owner, slot] = mine.target_of(i);
      std::uint64_t& word = tables[static_cast<std::size_t>(owner)].words[slot];
      switch (mine.kind()) {
        case table_job::access::add_one:
          ++word;
          break;
        case table_job::access::combine_xor:
          word ^= mine.value_of(i);
          break;
        case table_job::access::fetch:
          mine.fetched(i, word);
          break;
        case table_job::access::store:
          word = mine.value_of(i);
          break;
      }
    }
    w.barrier();
  }
}

TEST(jobs, can_be_done_by_access_to_tables) {
  for (const char* name : {"histogram", "indexgather", "randomaccess", "permute"}) {
    const description& what = benchmark_of(name);
    run(3, [&](world& w) {
      const auto b = what.make(w, small(what, 3));
      job& job = b->job();
      for (const bool but_one : {false, true, false}) {
        job.clear();
        w.barrier();
        access_tables(w, job, but_one);
        std::string problem;
        try {
          job.check(w, 1);
        } catch (const wrong_result& e) {
          problem = e.what();
        }
        const bool wrong = w.reduce(problem.empty() ? 0 : 1) != 0;
        EXPECT_EQ(wrong, but_one) << what.name << ": " << problem;
      }
    });
  }
}

TEST(jobs, can_be_done_in_blocks) {
  run(1, [](world& w) {
    for (const description& what : benchmarks()) {
      const auto b = what.make(w, small(what, 1));
      if (b->job().as_one_way() == nullptr && b->job().as_two_way() == nullptr) continue;
      b->job().clear();
      constexpr std::uint64_t block = 700;
      const std::uint64_t n = b->job().items();
      std::vector<std::byte> items(block * b->job().item_bytes());
      std::vector<std::byte> replies(block * 8);
      std::vector<std::uint32_t> kept(block);
      for (std::uint64_t first = 0; first < n; first += block) {
        const std::uint64_t last = std::min(first + block, n);
        std::vector<std::size_t> places{0};
        if (one_way_job* one = b->job().as_one_way()) {
          one->scatter(first, last, items.data(), places, {});
          one->apply_all(items.data(), last - first);
        } else {
          two_way_job& two = *b->job().as_two_way();
          ASSERT_EQ(two.reply_bytes(), 8U);
          two.scatter(first, last, items.data(), places, kept);
          two.answer_all(items.data(), last - first, replies.data());
          two.receive_all(first, last, replies.data(), kept);
        }
        EXPECT_EQ(places[0], last - first);
      }
      EXPECT_NO_THROW(b->job().check(w, 1)) << what.name;
    }
  });
}

TEST(random_permutation, has_every_number_once) {
  for (const std::uint64_t n : {1U, 2U, 3U, 64U, 1000U, 4096U, 5000U}) {
    const random_permutation p(n);
    std::vector<int> seen(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      ASSERT_LT(p(i), n);
      ++seen[p(i)];
    }
    EXPECT_EQ(seen, std::vector<int>(n, 1));
  }
}

}  // namespace
}  // namespace boxcar::bench::jobs_test
