// Tests of the memory of small objects: each object has zeroed memory of its own until all PEs of
// the node have dropped the object, and many objects share few chunks.
#include "substrate/shared_memory/object_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "substrate/memory_errors.hpp"
#include "substrate/processes/process_memory.hpp"
#include "substrate/threads/thread_memory.hpp"
#include "support/by_name.hpp"

namespace boxcar::test::object_pool_test {
namespace {

constexpr int pes = 3;

struct source_case {
  const char* name;
  std::unique_ptr<detail::memory_source> (*make)();
};

std::string name_of(const source_case& c) {
  return c.name;
}

// A source that has no memory of more than `most` bytes.
class short_source final : public detail::memory_source {
 public:
  short_source(detail::memory_source& of, std::size_t most) : of_(of), most_(most) {}
  [[nodiscard]] bool is_one_process() const override { return of_.is_one_process(); }
  std::unique_ptr<detail::created_memory> create(std::size_t bytes) override {
    if (bytes > most_) throw detail::shortage("there is no more");
    return of_.create(bytes);
  }
  std::unique_ptr<detail::shared_memory> attach(detail::memory_handle handle,
                                                std::size_t bytes) override {
    return of_.attach(handle, bytes);
  }

 private:
  detail::memory_source& of_;
  std::size_t most_;
};

// An object as all PEs see its memory; null: dropped by the PE.
struct made_object {
  std::vector<std::unique_ptr<detail::shared_memory>> seen;
  std::size_t bytes = 0;
  std::uint8_t mark = 0;

  [[nodiscard]] std::byte* data(std::size_t pe) const { return seen[pe]->data(); }
  [[nodiscard]] bool has(int value) const {
    const std::vector<std::byte> wanted(bytes, static_cast<std::byte>(value));
    return std::ranges::all_of(seen, [&](const auto& m) {
      return m == nullptr || std::memcmp(m->data(), wanted.data(), bytes) == 0;
    });
  }
};

// The pools of all PEs of a node.
class pools {
 public:
  explicit pools(detail::memory_source& source)
      : all_{detail::object_pool(source), detail::object_pool(source),
             detail::object_pool(source)} {}

  made_object make(std::size_t bytes) {
    made_object made;
    made.bytes = bytes;
    made.mark = ++marks_;
    const auto place = all_[0].reserve(bytes, pes);
    if (chunks_.insert(place.chunk_number).second) bytes_ += place.chunk_bytes;
    for (detail::object_pool& p : all_) made.seen.push_back(p.attach(place, bytes));
    for (const auto& m : made.seen) m->seal();
    return made;
  }
  // The number of chunks that objects were in so far.
  [[nodiscard]] std::size_t chunks() const { return chunks_.size(); }
  // The sum of the lengths of these chunks.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  detail::object_pool all_[pes];
  std::set<std::uint64_t> chunks_;
  std::size_t bytes_ = 0;
  std::uint8_t marks_ = 0;
};

class object_pool : public testing::TestWithParam<source_case> {
 protected:
  std::unique_ptr<detail::memory_source> source = GetParam().make();
};

TEST_P(object_pool, gives_each_object_memory_of_its_own_until_all_pes_have_dropped_it) {
  pools all(*source);
  std::minstd_rand random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same in every run
  std::vector<made_object> alive;
  for (int step = 0; step < 20'000; ++step) {
    if (alive.size() < 40 && random() % 2 == 0) {
      made_object made = all.make(1 + random() % 3000);
      ASSERT_TRUE(made.has(0)) << step;
      std::memset(made.data(random() % pes), made.mark, made.bytes);
      alive.push_back(std::move(made));
    } else if (!alive.empty()) {
      // A PE drops the object before the others.
      made_object& some = alive[random() % alive.size()];
      ASSERT_TRUE(some.has(some.mark)) << step;
      some.seen[random() % pes] = nullptr;
      std::erase_if(alive, [](const made_object& o) {
        return std::ranges::all_of(o.seen, [](const auto& m) { return m == nullptr; });
      });
    }
  }
  EXPECT_LT(all.chunks(), 200U);
}

TEST_P(object_pool, uses_the_room_of_dropped_objects_again) {
  pools all(*source);
  std::vector<made_object> living_on;
  for (int i = 0; i < 50; ++i) {
    living_on.push_back(all.make(64));
    std::vector<made_object> last_ones;
    for (int k = 0; k < 1000; ++k) {
      last_ones.push_back(all.make(1000));
      if (last_ones.size() > 10) last_ones.erase(last_ones.begin());
    }
  }
  EXPECT_LT(all.bytes(), std::size_t{150} << 10);
}

TEST_P(object_pool, needs_few_chunks_for_many_objects) {
  pools all(*source);
  std::vector<made_object> alive;
  for (int i = 0; i < 20'000; ++i) alive.push_back(all.make(200));
  EXPECT_LT(all.chunks(), 12U);
}

TEST_P(object_pool, gives_memory_to_objects_that_outlive_it) {
  made_object made;
  {
    pools all(*source);
    made = all.make(5000);
    std::memset(made.data(0), made.mark, made.bytes);
  }
  EXPECT_TRUE(made.has(made.mark));
}

TEST_P(object_pool, takes_what_there_is_if_memory_is_short) {
  short_source little(*source, 5000);
  pools all(little);
  const made_object first = all.make(4500);
  const made_object second = all.make(4500);
  EXPECT_NE(first.data(0), second.data(0));
  EXPECT_THROW(all.make(6000), detail::shortage);
  EXPECT_TRUE(all.make(4000).has(0));
}

INSTANTIATE_TEST_SUITE_P(all, object_pool,
                         testing::Values(source_case{"threads", detail::make_thread_memory},
                                         source_case{"processes", detail::make_process_memory}),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::object_pool_test
