// Tests of endpoints, many of them in one process. Messages of many senders to one receiver arrive
// whole and in order, also messages that the provider rejects at first for lack of resources.
// Messages that cannot arrive end with an error.
#include "substrate/ofi/endpoint.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <gtest/gtest.h>
#include <malloc.h>
#include <memory>
#include <span>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <boxcar/error.hpp>

#include "ofi/several_pes.hpp"
#include "substrate/ofi/answers.hpp"
#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi::endpoint_test {
namespace {

constexpr channel test_channel = first_of_pool;

// A message with room for a seal.
struct sealed_number {
  std::uint64_t number = 0;
  std::uint64_t seal = 0;
};
std::span<std::byte> bytes_of(std::uint64_t& number) {
  return std::as_writable_bytes(std::span(&number, 1));
}

// Messages of a number each, in posted buffers.
class receiver : public operation_owner {
 public:
  receiver(endpoint& at, std::size_t buffers)
      : at_(at),
        operations_(buffers),
        numbers_(buffers),
        memory_(at, reinterpret_cast<std::byte*>(numbers_.data()), buffers * sizeof(sealed_number)),
        next_(static_cast<std::size_t>(at.size())) {
    EXPECT_EQ(at_.book_receives(buffers), buffers);
    for (std::size_t i = 0; i < buffers; ++i) {
      operations_[i].owner = this;
      operations_[i].index = static_cast<std::uint32_t>(i);
      post(operations_[i]);
    }
  }
  ~receiver() { EXPECT_TRUE(at_.cancel(operations_)); }

  void received(operation& op, std::size_t bytes, std::uint64_t tag) override {
    EXPECT_EQ(bytes, sizeof(std::uint64_t));
    const auto from = static_cast<std::size_t>(rank_in(tag));
    EXPECT_EQ(numbers_[op.index].number, next_[from]++) << "from PE " << from;
    ++count_;
    post(op);
  }
  void refused(operation& op) override {
    ++refused_;
    post(op);
  }
  void sent(operation& /*op*/) override {}
  void failed(operation& /*op*/, const std::string& reason) override { ADD_FAILURE() << reason; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t refused_messages() const { return refused_; }

 private:
  void post(operation& op) {
    EXPECT_TRUE(at_.receive(op, std::as_writable_bytes(std::span(&numbers_[op.index], 1)), memory_,
                            tag_of(test_channel, 0), any_rank));
  }

  endpoint& at_;
  std::vector<operation> operations_;
  std::vector<sealed_number> numbers_;
  registered memory_;
  std::vector<std::uint64_t> next_;
  std::size_t count_ = 0;
  std::size_t refused_ = 0;
};

// Sends the numbers from 0, all at once.
class sender : public operation_owner {
 public:
  sender(endpoint& at, std::size_t messages)
      : at_(at),
        operations_(messages),
        numbers_(messages),
        memory_(at, reinterpret_cast<std::byte*>(numbers_.data()),
                messages * sizeof(sealed_number)) {
    for (std::size_t i = 0; i < messages; ++i) numbers_[i].number = i;
    for (operation& op : operations_) op.owner = this;
  }
  ~sender() { EXPECT_TRUE(at_.end_soon(operations_)); }
  void send_all(int to) {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      at_.send(operations_[i], to, bytes_of(numbers_[i].number), memory_,
               tag_of(test_channel, at_.rank()));
    }
  }
  void received(operation& /*op*/, std::size_t /*bytes*/, std::uint64_t /*tag*/) override {}
  void refused(operation& /*op*/) override {}
  void sent(operation& /*op*/) override { ++sent_; }
  void failed(operation& /*op*/, const std::string& reason) override {
    ++failed_;
    reason_ = reason;
  }
  [[nodiscard]] std::size_t sent_messages() const { return sent_; }
  [[nodiscard]] std::size_t failed_messages() const { return failed_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  endpoint& at_;
  std::vector<operation> operations_;
  std::vector<sealed_number> numbers_;
  registered memory_;
  std::size_t sent_ = 0;
  std::size_t failed_ = 0;
  std::string reason_;
};

void many_send_to_one(several_pes& pes, int senders, std::size_t messages) {
  receiver to(pes.at(0), 16);
  std::vector<std::unique_ptr<sender>> from;
  for (int pe = 1; pe <= senders; ++pe) {
    from.push_back(std::make_unique<sender>(pes.at(pe), messages));
    from.back()->send_all(0);
  }
  const std::size_t all = static_cast<std::size_t>(senders) * messages;
  EXPECT_TRUE(pes.poll_until([&] {
    std::size_t sent = 0;
    for (const auto& s : from) sent += s->sent_messages();
    return to.count() == all && sent == all;
  })) << to.count()
      << " of " << all << " arrived";
  EXPECT_EQ(to.count(), all);
}

// The receiver grants credits as links do: a received message lets its sender send another message.
class answering_receiver final : public receiver {
 public:
  answering_receiver(endpoint& at, std::size_t buffers) : receiver(at, buffers), answers_(at) {}
  void received(operation& op, std::size_t bytes, std::uint64_t tag) override {
    receiver::received(op, bytes, tag);
    answers_.send(rank_in(tag), test_channel);
  }

 private:
  answers answers_;
};

// Sends the numbers from 0 to PE 0, and has so few of them unanswered.
class patient_sender final : public operation_owner, answer_listener {
 public:
  static constexpr std::size_t max_outstanding = 2;

  patient_sender(endpoint& at, std::size_t messages) : at_(at), answers_(at), messages_(messages) {
    for (operation& op : operations_) op.owner = this;
    answers_.listen(test_channel, *this);
  }
  ~patient_sender() { EXPECT_TRUE(at_.end_soon(operations_)); }
  void go_on() {
    while (begun_ != messages_ && begun_ - answered_ < max_outstanding) {
      operation& op = operations_[begun_ % max_outstanding];
      if (op.under_way) return;
      numbers_[begun_ % max_outstanding].number = begun_;
      at_.send(op, 0, bytes_of(numbers_[begun_ % max_outstanding].number), {},
               tag_of(test_channel, at_.rank()));
      ++begun_;
    }
  }
  void received(operation& /*op*/, std::size_t /*bytes*/, std::uint64_t /*tag*/) override {}
  void refused(operation& /*op*/) override {}
  void sent(operation& /*op*/) override { go_on(); }
  void failed(operation& /*op*/, const std::string& reason) override { ADD_FAILURE() << reason; }
  void answered(int /*from*/) override {
    ++answered_;
    go_on();
  }
  [[nodiscard]] bool has_begun() const { return answered_ != 0; }
  [[nodiscard]] bool is_done() const { return answered_ == messages_; }

 private:
  endpoint& at_;
  answers answers_;
  std::array<operation, max_outstanding> operations_;
  std::array<sealed_number, max_outstanding> numbers_{};
  std::uint64_t messages_;
  std::uint64_t begun_ = 0;
  std::uint64_t answered_ = 0;
};

// The number of open files of an endpoint.
constexpr std::size_t files_of_endpoint = 10;

// The number of possible senders here, 1000 at most.
int many_senders() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  return static_cast<int>(
      std::min<std::size_t>(1000, files.rlim_cur / files_of_endpoint - files_of_endpoint));
}

// PE 0 has room for 16 messages in all; the senders take turns.
TEST(ofi_endpoints, of_a_thousand_senders_lose_nothing) {
  const int senders = many_senders();
  constexpr std::size_t messages = 10;
  several_pes pes(senders + 1, "");
  answering_receiver to(pes.at(0), 16);
  std::deque<patient_sender> from;
  for (int pe = 1; pe <= senders; ++pe) from.emplace_back(pes.at(pe), messages).go_on();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto poll_while = [&](const auto& is_so) {
    std::size_t most = 0;
    while (is_so() && std::chrono::steady_clock::now() < until) {
      for (int pe = 1; pe <= senders; ++pe) {
        pes.at(pe).poll_now();
        if (pe % 20 == 0) pes.at(0).poll_now();
      }
      most = std::max(most, mallinfo2().uordblks);
    }
    return most;
  };
  // The memory of connections is complete when each connection has carried a message.
  const std::size_t connected =
      poll_while([&] { return !std::ranges::all_of(from, &patient_sender::has_begun); });
  const std::size_t most =
      poll_while([&] { return !std::ranges::all_of(from, &patient_sender::is_done); });
  EXPECT_EQ(to.count(), static_cast<std::size_t>(senders) * messages);
  EXPECT_TRUE(std::ranges::all_of(from, &patient_sender::is_done));
  // Further messages take no more memory of any PE.
  EXPECT_LE(most, connected + (std::size_t{1} << 20));
}

// (The test shows that the row "manual_progress" makes a difference.)
TEST(ofi_endpoints, whose_progress_is_manual_send_when_they_are_polled) {
  several_pes pes(2, "tcp;ofi_rxm", "manual_progress");
  many_send_to_one(pes, 1, 1);  // they are connected now
  receiver to(pes.at(0), 1);
  sender from(pes.at(1), 1);
  from.send_all(0);
  for (int i = 0; i < 100; ++i) pes.at(0).poll_now();
  EXPECT_EQ(to.count(), 0U);
  EXPECT_TRUE(pes.poll_until([&] { return to.count() == 1; }));
}

class ofi_endpoint : public testing::TestWithParam<const char*> {};

TEST_P(ofi_endpoint, what_many_send_to_one_arrives_in_order) {
  several_pes pes(41, GetParam());
  many_send_to_one(pes, 40, 50);
}

// Far more than there are places in the provider's queues.
TEST_P(ofi_endpoint, what_the_provider_cannot_take_at_once_waits) {
  several_pes pes(3, GetParam());
  many_send_to_one(pes, 2, 10000);
}

TEST_P(ofi_endpoint, memory_is_registered_where_that_is_wanted) {
  several_pes pes(3, GetParam(), "verbs");
  many_send_to_one(pes, 2, 500);
}

TEST_P(ofi_endpoint, receives_are_booked_until_there_are_no_more) {
  several_pes pes(1, GetParam());
  std::size_t booked = 0;
  const auto book_all = [&] {
    for (;;) booked += pes.at(0).book_receives(100);
  };
  EXPECT_THROW(book_all(), system_error);
  pes.at(0).give_back_receives(booked);
  EXPECT_EQ(pes.at(0).book_receives(100), 100U);
}

TEST_P(ofi_endpoint, pes_that_do_not_fit_together_are_named) {
  several_pes pes(3, GetParam());
  const auto problem = [&](int to) -> std::string {
    try {
      pes.at(0).send_small(to, {}, 0);
    } catch (const system_error& e) {
      return e.what();
    }
    return {};
  };
  std::string& shown = pes.lookup(1);
  const std::string before = shown;
  shown = "another" + before.substr(before.find('\n'));
  EXPECT_NE(problem(1).find("PE 1 runs Boxcar another"), std::string::npos);
  const std::size_t second = before.find('\n') + 1;
  shown = before.substr(0, second) + "other" + before.substr(before.find('\n', second));
  EXPECT_NE(problem(1).find("PE 1 uses libfabric's provider other"), std::string::npos);
  // The provider would read on behind an address that is too short.
  shown = before.substr(0, before.size() - 1);
  EXPECT_NE(problem(1).find("PE 1 has told an address of"), std::string::npos);
  pes.lookup(2) = before.substr(0, second) + "\n\n\n";
  EXPECT_NE(problem(2).find("PE 2 has no endpoint"), std::string::npos);
}

// Replaces the secret in a PE's published address by the secret of another job.
void show_another_secret(std::string& shown) {
  std::size_t at = 0;
  for (int line = 0; line < 3; ++line) at = shown.find('\n', at) + 1;
  for (std::size_t i = at; shown[i] != '\n'; ++i) shown[i] = shown[i] == '0' ? '1' : '0';
}

// Messages of a sender without the PE's secret are dropped, however many; messages of other senders
// arrive.
TEST_P(ofi_endpoint, what_does_not_show_the_secret_is_dropped) {
  several_pes pes(3, GetParam());
  receiver to(pes.at(0), 4);
  const std::string shown = pes.lookup(0);
  show_another_secret(pes.lookup(0));
  sender stranger(pes.at(1), 50);
  stranger.send_all(0);
  pes.lookup(0) = shown;
  sender friendly(pes.at(2), 50);
  friendly.send_all(0);
  EXPECT_TRUE(pes.poll_until([&] { return to.count() == 50 && to.refused_messages() == 50; }))
      << to.count() << " taken, " << to.refused_messages() << " refused";
  EXPECT_EQ(to.count(), 50U);
}

// (Some providers close the connection that delivered the message.)
TEST_P(ofi_endpoint, what_is_longer_than_all_that_the_job_sends_is_dropped) {
  several_pes pes(3, GetParam());
  receiver to(pes.at(0), 4);
  std::array<operation, 1> operations;
  std::vector<std::byte> much(100'000);
  sender ordinary(pes.at(2), 5);
  class ignoring final : public operation_owner {
   public:
    void received(operation& /*op*/, std::size_t /*bytes*/, std::uint64_t /*tag*/) override {}
    void refused(operation& /*op*/) override {}
    void sent(operation& /*op*/) override {}
    void failed(operation& /*op*/, const std::string& /*reason*/) override {}
  } nobody;
  operations[0].owner = &nobody;
  pes.at(1).send(operations[0], 0, std::span(much).first(much.size() - seal_bytes), {},
                 tag_of(test_channel, 1));
  ordinary.send_all(0);
  EXPECT_TRUE(pes.poll_until([&] { return to.count() == 5 && to.refused_messages() == 1; }))
      << to.count() << " taken, " << to.refused_messages() << " refused";
  EXPECT_TRUE(pes.at(1).end_soon(operations));
}

// The sender has drawn its number from the 24 bits for ranks.
TEST_P(ofi_endpoint, a_message_of_a_pe_that_is_none_is_an_error) {
  several_pes pes(2, GetParam());
  std::string problem;
  class hearing final : public operation_owner {
   public:
    explicit hearing(std::string& problem) : problem_(problem) {}
    void received(operation& /*op*/, std::size_t /*bytes*/, std::uint64_t /*tag*/) override {
      ADD_FAILURE() << "it was taken";
    }
    void refused(operation& /*op*/) override { ADD_FAILURE() << "it has the seal"; }
    void sent(operation& /*op*/) override {}
    void failed(operation& /*op*/, const std::string& reason) override { problem_ = reason; }

   private:
    std::string& problem_;
  } owner(problem);
  std::array<operation, 1> receives;
  std::array<std::byte, 64> room{};
  receives[0].owner = &owner;
  EXPECT_TRUE(pes.at(0).receive(receives[0], room, {}, tag_of(test_channel, 0), any_rank));
  pes.at(1).send_small(0, {}, tag_of(test_channel, 5'000'000));
  EXPECT_TRUE(pes.poll_until([&] { return !problem.empty(); }));
  EXPECT_NE(problem.find("PE 5000000 has sent a message, and the job has 2 PEs"), std::string::npos)
      << problem;
  EXPECT_TRUE(pes.at(0).cancel(receives));
}

// The provider retries for ever to reach a PE that was never reached: see ofi_network.cpp.
TEST_P(ofi_endpoint, sends_to_one_that_is_gone_fail_with_a_reason) {
  several_pes pes(2, GetParam());
  many_send_to_one(pes, 1, 1);  // to PE 0 from PE 1
  pes.end(0);
  sender from(pes.at(1), 3);
  from.send_all(0);
  // (The first message may have left before the provider notices the lack of receivers.)
  EXPECT_TRUE(pes.poll_until([&] { return from.failed_messages() + from.sent_messages() == 3; }));
  EXPECT_GE(from.failed_messages(), 1U);
  EXPECT_NE(from.reason(), "");
}

TEST_P(ofi_endpoint, a_send_that_nobody_awaits_any_more_may_fail) {
  several_pes pes(2, GetParam());
  many_send_to_one(pes, 1, 1);
  {
    sender from(pes.at(1), 5000);  // more than are under way at a time
    from.send_all(0);
    test::refuse({.function = "fi_tsend", .refused = test::all_of_them});
  }
  EXPECT_GE(test::count_refused(), 1);
  test::refuse_nothing();
}

INSTANTIATE_TEST_SUITE_P(with, ofi_endpoint, testing::Values("", "tcp;ofi_rxm"),
                         [](const auto& provider) { return name_in_test(provider.param); });

}  // namespace
}  // namespace boxcar::detail::ofi::endpoint_test
