#include "biconveyor/checked_biconveyor.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "support/item_content.hpp"

namespace boxcar::test {
namespace {

// The beginning of a query that is large enough.
struct origin_of_query {
  std::uint32_t asker;
  std::uint32_t number;
};

}  // namespace

checked_biconveyor::checked_biconveyor(world& w, question_sizes sizes,
                                       const conveyor_options& options, ledger& book)
    : biconveyor_(make_biconveyor(w, sizes, options)),
      sizes_(sizes),
      book_(book),
      witness_(book, w.rank(), w.size()),
      rank_(w.rank()),
      asked_(index(w.size())),
      answered_(index(w.size())) {
  witness_.expect_state(biconveyor_->state());
}

void checked_biconveyor::write_query(int pe, std::span<std::byte> query) const {
  const std::uint64_t number = asked_[index(pe)];
  write_item({scramble_all({book_.stream(), sessions_}), rank_, pe, number}, query);
  const origin_of_query origin{static_cast<std::uint32_t>(rank_),
                               static_cast<std::uint32_t>(number)};
  if (query.size() >= sizeof origin) std::memcpy(query.data(), &origin, sizeof origin);
}

// The reply depends on every byte of the query, on the answering PE, and on the session.
void checked_biconveyor::write_reply(std::span<const std::byte> query, int answerer,
                                     std::span<std::byte> reply) const {
  std::uint64_t sum = sessions_;
  for (const std::byte b : query) sum = scramble(sum + static_cast<std::uint64_t>(b) + 1);
  write_item({.stream = sum, .source = answerer}, reply);
}

void checked_biconveyor::answer(std::span<const std::byte> query, std::span<std::byte> reply) {
  check_order(query);
  write_reply(query, rank_, reply);
  ++answers_;
}

void checked_biconveyor::check_order(std::span<const std::byte> query) {
  origin_of_query origin;
  if (query.size() < sizeof origin) return;
  std::memcpy(&origin, query.data(), sizeof origin);
  witness_.require(origin.asker < answered_.size(), "a query comes from nobody");
  const std::uint64_t expected = answered_[origin.asker]++;
  witness_.require(origin.number == expected, "query " + std::to_string(origin.number) + " of PE " +
                                                  std::to_string(origin.asker) +
                                                  " came instead of " + std::to_string(expected));
}

void checked_biconveyor::in_session(const std::function<void()>& body) {
  ++sessions_;
  for (int pe = 0; pe < size(); ++pe) book_.sent(rank_, pe) = 0;
  std::fill(asked_.begin(), asked_.end(), 0);
  std::fill(answered_.begin(), answered_.end(), 0);
  answers_ = 0;
  open_.clear();
  witness_.begins();
  const auto answer_query = [this](std::span<const std::byte> query, std::span<std::byte> reply) {
    answer(query, reply);
  };
  biconveyor_->in_session(answer_query, [&] {
    witness_.has_begun(biconveyor_->state());
    body();
    if (state() == conveyor_state::complete) witness_.resets();
  });
  if (state() == conveyor_state::complete) witness_.has_reset(biconveyor_->state());
}

bool checked_biconveyor::push(int pe) {
  std::vector<std::byte> query(sizes_.query);
  write_query(pe, query);
  const bool pushed = biconveyor_->push(query, pe);
  witness_.expect_state(biconveyor_->state());
  if (!pushed) return false;
  open_.push_back({pe, std::move(query)});
  book_.sent(rank_, pe) = ++asked_[index(pe)];
  return true;
}

bool checked_biconveyor::pull() {
  std::vector<std::byte> reply(sizes_.reply);
  const bool pulled = biconveyor_->pull(reply);
  witness_.expect_state(biconveyor_->state());
  if (!pulled) return false;
  witness_.require(!open_.empty(), "there is a reply, but nothing was asked");
  std::vector<std::byte> expected(sizes_.reply);
  write_reply(open_.front().query, open_.front().whom, expected);
  witness_.require(reply == expected, "what was pulled is not the reply of PE " +
                                          std::to_string(open_.front().whom) +
                                          " to the oldest query");
  open_.pop_front();
  return true;
}

advance_result checked_biconveyor::advance(bool done) {
  witness_.advances(done);
  const advance_result result = biconveyor_->advance(done);
  witness_.has_advanced(done, result, biconveyor_->state());
  if (result == advance_result::near) {
    witness_.require(!open_.empty(), "the end is near, but there is nothing left to pull");
  }
  if (result == advance_result::done) check_everything_answered();
  return result;
}

std::uint64_t checked_biconveyor::answered() const {
  return answers_;
}

void checked_biconveyor::check_everything_answered() const {
  witness_.require(open_.empty(), "the session is complete, but replies are missing");
  std::uint64_t expected = 0;
  for (int pe = 0; pe < size(); ++pe) expected += book_.sent(pe, rank_);
  witness_.require(answers_ == expected, std::to_string(answers_) + " queries were answered, not " +
                                             std::to_string(expected));
}

void checked_biconveyor::reset() {
  witness_.resets();
  biconveyor_->reset();
  witness_.has_reset(biconveyor_->state());
}

void checked_biconveyor::pull_all() {
  while (pull()) {
  }
}

void checked_biconveyor::finish() {
  while (advance(true)) pull_all();
}

void checked_biconveyor::drain() {
  while (!open_.empty()) witness_.require(pull(), "the end is near, but a reply cannot be pulled");
  witness_.require(!pull(), "there are more replies than queries");
}

}  // namespace boxcar::test
