// Tests of saved maps: read on other numbers of PEs, and refused if they are of other types.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/distributed_map.hpp>
#include <boxcar/error.hpp>

#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::map_files_test {
namespace {

using texts = distributed_map<std::string, std::vector<int>>;
using numbers = distributed_map<std::uint64_t, double>;

// A folder of the test, removed at its end.
class map_files : public testing::TestWithParam<substrate_kind> {
 protected:
  map_files() {
    std::string name = (std::filesystem::temp_directory_path() / "boxcar-map-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = name;
  }
  ~map_files() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] world_shape of(int pes) const { return {GetParam(), pes, 1}; }
  [[nodiscard]] std::string name() const { return folder_ + "/map"; }

  void save_numbers(int pes, int count) const {
    run_on(of(pes), [&](world& w) {
      numbers map(w);
      const session scope = map.begin();
      for (int i = w.rank(); i < count; i += w.size()) {
        map.insert(static_cast<std::uint64_t>(i), i * 0.5);
      }
      map.finish();
      map.save(name());
    });
  }
  // Expects all PEs to refuse the files.
  template <typename Error, typename Map = numbers>
  void expect_refusal(int pes, std::initializer_list<std::string_view> mentions) const {
    run_on(of(pes), [&](world& w) {
      Map map(w);
      expect_mentions(thrown_by<Error>([&] { map.load(name()); }), mentions);
      w.barrier();  // the world goes on
    });
  }

 private:
  std::string folder_;
};

TEST_P(map_files, of_four_pes_for_three_and_five) {
  save_numbers(4, 10000);
  for (const int pes : {3, 5, 1}) {
    run_on(of(pes), [&](world& w) {
      numbers map(w);
      map.load(name());
      EXPECT_EQ(map.size(), 10000U);
      for (auto [key, value] : map.local()) {
        EXPECT_EQ(map.owner(key), w.rank());
        ASSERT_EQ(value, static_cast<double>(key) * 0.5);
      }
    });
  }
}

// Entries of any size, in several blocks; a save replaces an older save by more PEs.
TEST_P(map_files, of_texts) {
  run_on(of(4), [&](world& w) {
    texts map(w);
    map.save(name());  // without keys
    texts same(w);
    same.load(name());
    EXPECT_EQ(same.size(), 0U);
  });
  run_on(of(2), [&](world& w) {
    texts map(w);
    const auto append =
        map.visitor([](const std::string&, std::vector<int>& value, int n) { value.push_back(n); });
    const session scope = map.begin();
    for (int i = 0; i != 3000; ++i) map.tell("key " + std::to_string(i % 500), append, i);
    map.insert("large", std::vector<int>(1000000, 7));
    map.finish();
    map.save(name());
  });
  run_on(of(3), [&](world& w) {
    texts map(w);
    {
      const session scope = map.begin();
      if (w.rank() == 0) map.insert("large", {1});  // the saved value takes its place
      if (w.rank() == 0) map.insert("other", {1});
      map.finish();
    }
    map.load(name());
    EXPECT_EQ(map.size(), 502U);
    const auto found = map.get(std::vector<std::string>{"large", "key 3", "other"});
    EXPECT_EQ(found[0], std::vector<int>(1000000, 7));
    EXPECT_EQ(found[1]->size(), 12U);
    EXPECT_EQ(found[2], std::vector<int>{1});
  });
}

TEST_P(map_files, of_keys_alone) {
  run_on(of(2), [&](world& w) {
    distributed_map<int> set(w);
    {
      const session scope = set.begin();
      for (int i = 0; i != 100; ++i) set.insert(i);
      set.finish();
    }
    set.save(name());
    distributed_map<int> other(w);
    other.load(name());
    EXPECT_EQ(other.size(), 100U);
  });
  expect_refusal<argument_error, distributed_map<int, int>>(2, {"holds a set, not a map"});
  save_numbers(2, 100);
  expect_refusal<argument_error, distributed_map<std::uint64_t, float>>(
      3, {name(), "std::tuple<unsigned long, double>", "not std::tuple<unsigned long, float>"});
}

INSTANTIATE_TEST_SUITE_P(collections, map_files,
                         testing::Values(substrate_kind::threads, substrate_kind::processes),
                         [](const auto& of) {
                           return of.param == substrate_kind::threads ? "threads" : "processes";
                         });

}  // namespace
}  // namespace boxcar::test::map_files_test
