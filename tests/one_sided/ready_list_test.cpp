// A ready list loses no object and hands none out twice, while several threads add objects and the
// owner takes them; and a PE does not look at objects that have nothing to do.
#include "substrate/ready_list.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <boxcar/run.hpp>
#include <boxcar/world.hpp>

#include "one_sided/rpc_engine.hpp"

namespace boxcar::detail::ready_list_test {
namespace {

struct listed_object {
  std::mutex guard;
  ready_link link;
  std::uint64_t added = 0;  // since the object was last taken
};

TEST(a_ready_list, hands_out_each_object_once_after_it_was_added) {
  constexpr std::size_t objects = 5;
  constexpr int rounds = 20'000;
  std::atomic<std::uint64_t> first{0};
  std::array<listed_object, objects + 1> all;  // by number, from 1 on
  std::atomic<int> running{3};
  std::array<std::uint64_t, objects + 1> seen{};
  const auto add = [&](std::size_t thread) {
    ready_list list(first);
    for (int i = 0; i < rounds; ++i) {
      const std::uint64_t number = 1 + (static_cast<std::size_t>(i) * (thread + 1)) % objects;
      listed_object& object = all[number];
      const std::lock_guard lock(object.guard);
      ++object.added;
      list.add(number, object.link);
    }
    --running;
  };
  const auto take = [&] {
    ready_list list(first);
    for (std::uint64_t number = list.take(); number != 0;) {
      listed_object& object = all[number];
      const std::lock_guard lock(object.guard);
      ASSERT_TRUE(object.link.is_listed);
      EXPECT_GT(object.added, 0U);
      seen[number] += object.added;
      object.added = 0;
      object.link.is_listed = false;
      number = object.link.next;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 3; ++t) threads.emplace_back(add, t);
    while (running != 0) take();
  }
  take();
  EXPECT_TRUE(ready_list(first).is_empty());
  std::uint64_t sum = 0;
  for (const std::uint64_t n : seen) sum += n;
  EXPECT_EQ(sum, 3U * rounds);
}

// An object that counts how often the engine lets it work.
class counting_object final : public remote_object {
 public:
  void execute(const request&, std::span<const std::byte>, reply_room&) override {}
  bool work() override {
    ++works;
    if (left != 0) --left;
    return true;
  }
  [[nodiscard]] bool has_work() override { return left != 0; }
  int works = 0;
  int left = 0;
};

TEST(a_poll, leaves_idle_objects_alone) {
  run(2, [](world& w) {
    rpc_engine& rpc = rpc_engine::of(*w.substrate());
    std::vector<counting_object*> all;
    for (int i = 0; i < 100; ++i) {
      all.push_back(
          static_cast<counting_object*>(&rpc.make({}, "object", "an object's", [](std::uint64_t) {
            return std::make_unique<counting_object>();
          })));
    }
    rpc.work_within_node();
    {
      const auto lock = rpc.acquire_lock();
      all[42]->left = 3;
      rpc.activate(*all[42]);
      rpc.activate(*all[42]);
    }
    for (int i = 0; i < 10; ++i) rpc_engine::serve(*w.substrate());
    for (const counting_object* one : all) EXPECT_EQ(one->works, one == all[42] ? 3 : 0);
    w.barrier();
    for (counting_object* one : all) rpc.drop(*one);
  });
}

}  // namespace
}  // namespace boxcar::detail::ready_list_test
