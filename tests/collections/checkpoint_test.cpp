// Tests of collections that are saved in the middle of a random program, and go on after a restart
// on another number of PEs with another mapping: against a model on one PE.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/collection.hpp>
#include <boxcar/error.hpp>

#include "scratch_folder.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::checkpoint_test {

// An object without a default and without copies.
class account {
 public:
  explicit account(std::string name) : name_(std::move(name)) {}
  account(account&&) = default;
  account& operator=(account&&) = default;

  std::string name_;
  std::vector<std::int64_t> sums_ = std::vector<std::int64_t>(4);
};

}  // namespace boxcar::test::checkpoint_test

template <>
struct boxcar::serializer<boxcar::test::checkpoint_test::account> {
  static void write(byte_writer& out, const test::checkpoint_test::account& a) {
    if (a.name_ == "unsaveable") throw std::runtime_error("this account cannot be saved");
    out.put(a.name_);
    out.put(a.sums_);
  }
  static test::checkpoint_test::account read(byte_reader& in) {
    test::checkpoint_test::account a(in.get<std::string>());
    a.sums_ = in.get<std::vector<std::int64_t>>();
    return a;
  }
};

namespace boxcar::test::checkpoint_test {
namespace {

using index = std::array<std::int32_t, 2>;
using accounts = collection<account, index>;
using mapping = collection_mapping<index>;

constexpr index extents{5, 7};

struct payment {
  std::int32_t slot;
  std::int64_t amount;
};

std::string name_of_account(const index& i) {
  return std::string(static_cast<std::size_t>(i[0]), 'x') + std::to_string(i[1]);
}

// What all PEs together have sent, on each PE.
class model {
 public:
  void pay(const index& to, const payment& p) {
    sums_[to].resize(4);
    sums_[to][static_cast<std::size_t>(p.slot)] += p.amount;
  }
  void expect(accounts& c, const world& w, const mapping& by) const {
    const detail::collection_placement<index> placement(by, w.size(), w.rank());
    std::uint64_t here = 0;
    c.for_each_local([&](const index& i, const account& a) {
      ++here;
      EXPECT_EQ(placement.home(i), w.rank());
      EXPECT_EQ(a.name_, name_of_account(i));
      const auto found = sums_.find(i);
      EXPECT_EQ(a.sums_, found == sums_.end() ? std::vector<std::int64_t>(4) : found->second);
      EXPECT_EQ(c.load(i), static_cast<double>(i[0] + 8 * i[1]));
    });
    EXPECT_EQ(here, c.local_size());
    EXPECT_EQ(c.size(), static_cast<std::uint64_t>(extents[0] * extents[1]));
  }

 private:
  std::map<index, std::vector<std::int64_t>> sums_;
};

// A session of random payments and migrations. `d` is the same on all PEs.
void work(accounts& c, const world& w, dice& d, model& all) {
  const auto pay = c.on_item<payment>(
      [](account& a, const payment& p) { a.sums_[static_cast<std::size_t>(p.slot)] += p.amount; });
  const session scope = c.begin();
  for (int i = 0; i != 200; ++i) {
    const index to{d.below(extents[0]), d.below(extents[1])};
    const payment p{d.below(4), d.below(1000)};
    const int pe = d.below(1 << 20) % w.size();
    if (d.chance(20) && i % w.size() == w.rank()) c.migrate(to, pe);
    all.pay(to, p);
    if (i % w.size() == w.rank()) c.send(pay, to, p);
  }
  c.finish();
  c.for_each_local([&](const index& i, const account&) { c.set_load(i, i[0] + 8 * i[1]); });
}

mapping some_mapping(int number) {
  switch (number % 4) {
    case 0:
      return mapping::cyclic(extents);
    case 1:
      return mapping::hashed();
    case 2:
      return mapping::block({extents[0] + 3, extents[1]});  // a larger box
    default:
      return mapping::by([](const index&) { return 0; });
  }
}

class checkpoint : public testing::TestWithParam<world_shape> {};

TEST_P(checkpoint, goes_on_with_other_pes_and_another_mapping) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    dice d(program_seed(7));
    model all;
    accounts c(w, extents, [](const index& i) { return account(name_of_account(i)); });
    work(c, w, d, all);
    c.save(files.file("0"));
    for (int round = 0; round != 4; ++round) {
      const std::string name = files.file(std::to_string(round));
      const std::string next = files.file(std::to_string(round + 1));
      const mapping by = some_mapping(round);
      // The first PE alone, and all others, restart from the same file.
      auto part = w.split(w.rank() == 0 && w.size() > 1 ? 1 : 0);
      ASSERT_TRUE(part.has_value());
      accounts loaded = accounts::load(*part, by, name);
      all.expect(loaded, *part, by);
      work(loaded, *part, d, all);
      if (w.size() == 1 || w.rank() != 0) loaded.save(next);
      w.barrier();
    }
    accounts last = accounts::load(w, mapping::cyclic(extents), files.file("4"));
    all.expect(last, w, mapping::cyclic(extents));
  });
}

TEST_P(checkpoint, without_objects_and_with_one) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    accounts none(w, mapping::hashed());
    none.save(files.file("none"));
    EXPECT_EQ(accounts::load(w, mapping::hashed(), files.file("none")).size(), 0U);
    if (w.rank() == 0) none.insert({1, 2}, [] { return account("alone"); });
    if (w.rank() == 0) {
      expect_mentions(thrown_by<contract_error>([&] { none.save("x"); }), {"call commit first"});
    }
    none.commit();
    none.save(files.file("one"));
    accounts one = accounts::load(w, mapping::block({2, 3}), files.file("one"));
    EXPECT_EQ(one.size(), 1U);
    const account* const a = one.local({1, 2});
    EXPECT_EQ(w.reduce(a != nullptr && a->name_ == "alone" ? 1 : 0), 1);
    const session scope = none.begin();
    expect_mentions(thrown_by<contract_error>([&] { none.save("x"); }), {"call finish first"});
    none.finish();
  });
}

// A save that fails on one PE fails on all, and leaves the former file.
TEST_P(checkpoint, that_fails_leaves_the_former_file) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    const std::string name = files.file("a");
    accounts c(w, extents, [](const index& i) { return account(name_of_account(i)); });
    c.save(name);
    const index last{extents[0] - 1, extents[1] - 1};
    if (account* const a = c.local(last)) a->name_ = "unsaveable";
    expect_mentions(thrown_by<argument_error>([&] { c.save(name); }),
                    {"saving a collection in " + name, "PE " + std::to_string(w.size() - 1),
                     "this account cannot be saved"});
    EXPECT_EQ(accounts::load(w, mapping::hashed(), name).size(), 35U);
    const auto to_nobody = mapping::by([&](const index&) { return w.size(); });
    expect_mentions(
        thrown_by<argument_error>([&] { static_cast<void>(accounts::load(w, to_nobody, name)); }),
        {name, "has no home", "give a mapping"});
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, checkpoint, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::checkpoint_test
