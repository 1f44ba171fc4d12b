// Tests of the promises of every set of links (src/substrate/links.hpp): links within a node and
// between nodes, with memory of their own and of a client.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include <boxcar/allocator.hpp>

#include "porter/shared_memory_links.hpp"
#include "substrate/substrate.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::link_sets_test {
namespace {

using detail::arrival;
using detail::arrival_queue;
using detail::link_plan;
using detail::link_set;

constexpr std::size_t buffer_bytes = 192;

// Memory with the worst possible alignment.
class odd_allocator final : public allocator {
 public:
  void* grab(std::size_t bytes, const char*) override {
    blocks_.push_back(std::make_unique<std::byte[]>(bytes + 1));
    return blocks_.back().get() + 1;
  }
  void free(void* memory) noexcept override {
    EXPECT_EQ(memory, blocks_.back().get() + 1);
    blocks_.pop_back();
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

struct link_case {
  bool remote;
  int buffers_per_link;
  bool own_memory;  // the client has an allocator
};

std::string name_of(const link_case& c) {
  return std::string(c.remote ? "remote" : "local") + "_x" + std::to_string(c.buffers_per_link) +
         (c.own_memory ? "_allocator" : "");
}

std::vector<shaped<link_case>> cases() {
  std::vector<link_case> all;
  for (const bool remote : {false, true}) {
    for (const int buffers : {1, 2, 4}) {
      for (const bool own_memory : {false, true}) all.push_back({remote, buffers, own_memory});
    }
  }
  auto everywhere = on_all_shapes(small_shapes(), all);
  // Remote links connect nodes.
  std::erase_if(everywhere, [](const auto& c) { return c.detail.remote && c.shape.nodes == 1; });
  return tier_cases(
      std::move(everywhere), [](const auto& c) { return c.detail.remote; },
      [](const auto& c) { return c.detail.buffers_per_link; },
      [](const auto& c) { return c.detail.own_memory; });
}

std::uint64_t word_of(int from, int to, int number) {
  return static_cast<std::uint64_t>(from * 1000 + to) * 1000 + static_cast<std::uint64_t>(number);
}

void expect_boundary(const std::byte* buffer) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer) % 64, 0U);
}

class link_sets : public testing::TestWithParam<shaped<link_case>> {
 protected:
  // The links of one PE to all PEs on its node, or on other nodes; every second PE sends to none.
  class pe_links {
   public:
    pe_links(world& w, const link_case& c) : world_(w) {
      plan_.buffer_bytes = buffer_bytes;
      plan_.buffers_per_link = c.buffers_per_link;
      if (c.own_memory) plan_.memory = &allocator_;
      for (int pe = 0; pe < w.size(); ++pe) {
        if ((w.node_of(pe) == w.node_of(w.rank())) == c.remote) continue;
        if (w.rank() % 2 == 0) plan_.outgoing.push_back(pe);
        if (pe % 2 == 0) plan_.incoming.push_back(pe);
      }
      links_ = c.remote ? w.substrate()->make_remote_links(plan_)
                        : detail::make_shared_memory_links(*w.substrate(), plan_);
      arrived_.reserve(plan_.incoming.size() * depth());
    }

    // Sends on every link, as many buffers as there are, and not one more.
    void send_all(int first, bool last) {
      for (int link = 0; link < static_cast<int>(plan_.outgoing.size()); ++link) {
        const int to = plan_.outgoing[static_cast<std::size_t>(link)];
        EXPECT_TRUE(links_->poll_returned(link));
        for (int i = 0; i < plan_.buffers_per_link; ++i) {
          std::byte* buffer = links_->open(link);
          ASSERT_NE(buffer, nullptr);
          expect_boundary(buffer);
          const std::uint64_t word = word_of(world_.rank(), to, first + i);
          std::memset(buffer, i, buffer_bytes);
          std::memcpy(buffer, &word, sizeof word);
          links_->send(link, i == 1 ? buffer_bytes : sizeof word,
                       last && i + 1 == plan_.buffers_per_link);
        }
        EXPECT_EQ(links_->open(link), nullptr);
        EXPECT_FALSE(links_->poll_returned(link));
      }
      world_.barrier();
    }

    // Receives the buffers of all PEs, in order; returned in the reverse order.
    void receive_all(int first, bool last) {
      links_->poll(arrived_);
      ASSERT_EQ(arrived_.size(), plan_.incoming.size() * depth());
      std::vector<int> seen(plan_.incoming.size());
      std::vector<arrival> read;
      while (!arrived_.empty()) {
        const arrival a = arrived_.pop();
        const int i = seen[a.link]++;
        EXPECT_EQ(a.source, plan_.incoming[a.link]);
        EXPECT_EQ(a.bytes, i == 1 ? buffer_bytes : sizeof(std::uint64_t));
        EXPECT_EQ(a.last, last && i + 1 == plan_.buffers_per_link);
        expect_boundary(a.data);
        std::uint64_t word;
        std::memcpy(&word, a.data, sizeof word);
        EXPECT_EQ(word, word_of(a.source, world_.rank(), first + i));
        if (i == 1) {
          EXPECT_EQ(a.data[buffer_bytes - 1], std::byte{1});
        }
        read.push_back(a);
      }
      for (; !read.empty(); read.pop_back()) links_->give_back(read.back());
      world_.barrier();
    }

    void start_session() {
      links_->start_session();
      world_.barrier();
    }

   private:
    [[nodiscard]] std::size_t depth() const {
      return static_cast<std::size_t>(plan_.buffers_per_link);
    }

    world& world_;
    odd_allocator allocator_;
    link_plan plan_;
    std::unique_ptr<link_set> links_;
    arrival_queue arrived_;
  };
};

TEST_P(link_sets, carry_aligned_buffers_in_order) {
  const auto& [shape, c] = GetParam();
  run_on(shape, [&c = c](world& w) {
    pe_links links(w, c);
    for (int session = 0; session < 3; ++session) {
      links.start_session();
      for (int round = 0; round < 4; ++round) {
        links.send_all(round, round == 3);
        links.receive_all(round, round == 3);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(porter, link_sets, testing::ValuesIn(cases()), by_name{});

}  // namespace
}  // namespace boxcar::test::link_sets_test
