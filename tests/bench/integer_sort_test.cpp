// Tests that the integer sort has the ranks of the NAS Parallel Benchmarks, in all iterations, and
// notices misplaced keys.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/exchange.hpp>
#include <boxcar/run.hpp>

#include "integer_sort_class.hpp"
#include "integer_sort_job.hpp"
#include "problem_of.hpp"

namespace boxcar::bench::integer_sort_test {
namespace {

constexpr int iterations = 10;

// Collective. `send(item, pe, out)` sends the item, or something else.
template <typename Send>
void exchange_keys(world& w, integer_sort_job& job, const Send& send) {
  job.clear();
  exchange<std::uint32_t>(
      w,
      [&](auto& out) {
        for (std::uint64_t i = 0; i < job.items(); ++i) send(job.at(i), job.destination(i), out);
      },
      [&](std::uint32_t key) { job.apply(key); });
}

const auto as_it_should = [](std::uint32_t key, int pe, auto& out) { out.push(key, pe); };

TEST(integer_sort, has_the_right_ranks_in_every_iteration) {
  for (const char* name : {"S", "W"}) {
    for (const int pes : {1, 3, 4}) {
      run(pes, [&](world& w) {
        integer_sort_job job(w, integer_sort_class_of(name));
        for (int i = 0; i < iterations + 1; ++i) {
          exchange_keys(w, job, as_it_should);
          EXPECT_EQ(problem_of(w, job), "") << "class " << name << ", iteration " << i;
        }
      });
    }
  }
}

TEST(integer_sort, works_where_there_are_fewer_buckets_than_pes) {
  const integer_sort_class four_buckets{"tiny", 8, 5, 2, integer_sort_class_of("S").tested};
  run(6, [&](world& w) {
    integer_sort_job job(w, four_buckets);
    exchange_keys(w, job, as_it_should);
    const int without_keys = w.reduce(job.max_arriving() == 0 ? 1 : 0);
    EXPECT_GE(without_keys, 2);
    EXPECT_EQ(w.reduce(std::uint64_t{job.items()}), 256U);
  });
}

TEST(integer_sort, notices_a_rank_that_is_wrong) {
  for (const std::size_t which : {0U, 4U}) {
    integer_sort_class wrong = integer_sort_class_of("S");
    ++wrong.tested[which].rank;
    run(2, [&](world& w) {
      integer_sort_job job(w, wrong);
      exchange_keys(w, job, as_it_should);
      EXPECT_NE(problem_of(w, job).find("tested key " + std::to_string(which) + " has rank"),
                std::string::npos);
    });
  }
}

TEST(integer_sort, notices_keys_that_are_wrong) {
  run(3, [](world& w) {
    integer_sort_job job(w, integer_sort_class_of("S"));
    const bool sends_wrong = w.rank() == 1;
    const auto expect = [&](const char* problem, const auto& send) {
      exchange_keys(w, job, send);
      EXPECT_NE(problem_of(w, job).find(problem), std::string::npos) << problem;
    };
    std::uint64_t sent = 0;
    const auto one_of_many = [&] { return sends_wrong && ++sent == 100; };
    expect("not those that were sent", [&](std::uint32_t key, int pe, auto& out) {
      if (!one_of_many()) out.push(key, pe);
    });
    sent = 0;
    expect("not those that were sent", [&](std::uint32_t key, int pe, auto& out) {
      out.push(one_of_many() ? key ^ 1 : key, pe);
    });
    sent = 0;
    expect("can be none", [&](std::uint32_t key, int pe, auto& out) {
      out.push(one_of_many() ? 1U << 31 : key, pe);
    });
    sent = 0;
    expect("not all larger", [&](std::uint32_t key, int pe, auto& out) {
      out.push(key, one_of_many() ? (pe + 1) % 3 : pe);
    });
    exchange_keys(w, job, as_it_should);
    EXPECT_EQ(problem_of(w, job), "");
  });
}

}  // namespace
}  // namespace boxcar::bench::integer_sort_test
