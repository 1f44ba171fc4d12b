// Tests of pools of posted receives: nothing is lost, however few receives are posted at a time.
#include "substrate/ofi/receive_pool.hpp"

#include <cstdint>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/error.hpp>

#include "ofi/counting_owner.hpp"
#include "ofi/several_pes.hpp"
#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi::receive_pool_test {
namespace {

using number = std::uint64_t;
constexpr std::size_t buffer_size = sizeof(number) + seal_bytes;
const receive_pool::match ours{tag_of(first_of_pool, 0), any_rank};

// Receives numbers, and keeps each buffer until `give_back_all`.
class keeping_receiver final : public operation_owner {
 public:
  keeping_receiver(endpoint& at, std::size_t count, std::size_t max_posted)
      : pool_(at, {at, *this, count, buffer_size, own_memory(count * buffer_size)}, max_posted,
              ours) {
    pool_.post();
  }
  ~keeping_receiver() { EXPECT_TRUE(pool_.end()); }
  void received(operation& op, std::size_t bytes, std::uint64_t /*tag*/) override {
    EXPECT_EQ(bytes, sizeof(number));
    pool_.note_end();
    number n = 0;
    std::memcpy(&n, pool_.buffer(op.index), sizeof n);
    numbers.push_back(n);
    kept_.push_back(op.index);
    pool_.post();
  }
  void refused(operation& op) override { pool_.post_again(op); }
  void sent(operation& /*op*/) override {}
  void failed(operation& /*op*/, const std::string& reason) override { ADD_FAILURE() << reason; }

  void give_back_all() {
    while (!kept_.empty()) {
      pool_.give_back(kept_.front());
      kept_.pop_front();
    }
  }
  std::vector<number> numbers;

 private:
  std::deque<std::size_t> kept_;
  receive_pool pool_;
};

// Sends `count` numbers from 0 on, all at once.
class number_sender {
 public:
  number_sender(endpoint& at, std::size_t count)
      : at_(at), messages_(at, owner_, count, buffer_size, own_memory(count * buffer_size)) {
    for (number n = 0; n < count; ++n) std::memcpy(messages_.buffer(n), &n, sizeof n);
  }
  void send_all() {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      messages_.send(i, 0, sizeof(number), tag_of(first_of_pool, at_.rank()));
    }
  }

 private:
  endpoint& at_;
  test::counting_owner owner_;
  message_buffers messages_;
};

class ofi_receive_pool : public testing::TestWithParam<const char*> {};

TEST_P(ofi_receive_pool, takes_as_many_as_it_has_buffers) {
  several_pes pes(2, GetParam());
  keeping_receiver to(pes.at(0), 6, 2);
  number_sender from(pes.at(1), 10);
  from.send_all();
  ASSERT_TRUE(pes.poll_until([&] { return to.numbers.size() == 6; }));
  for (int i = 0; i < 100; ++i) pes.poll_all();
  EXPECT_EQ(to.numbers.size(), 6U);
  to.give_back_all();
  ASSERT_TRUE(pes.poll_until([&] { return to.numbers.size() == 10; }));
  for (number n = 0; n < 10; ++n) EXPECT_EQ(to.numbers[n], n);
}

TEST_P(ofi_receive_pool, lets_the_endpoint_have_its_receives_again) {
  several_pes pes(1, GetParam());
  const std::size_t all = pes.at(0).book_receives(1 << 20);
  pes.at(0).give_back_receives(all);
  for (int round = 0; round < 3; ++round) {
    const keeping_receiver large(pes.at(0), all, all);
    EXPECT_THROW(keeping_receiver(pes.at(0), 1, 1), system_error);
  }
  EXPECT_EQ(pes.at(0).book_receives(all), all);
}

INSTANTIATE_TEST_SUITE_P(with, ofi_receive_pool, testing::Values("", "tcp;ofi_rxm"),
                         [](const auto& provider) { return name_in_test(provider.param); });

}  // namespace
}  // namespace boxcar::detail::ofi::receive_pool_test
