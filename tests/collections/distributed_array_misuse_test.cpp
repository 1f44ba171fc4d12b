// Tests of distributed arrays that are used in a wrong way, and of files that hold something else.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/bag.hpp>
#include <boxcar/distributed_array.hpp>

#include "collections/scratch_folder.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::distributed_array_misuse_test {
namespace {

constexpr std::uintmax_t header_bytes = 512;

class array_misuse : public testing::TestWithParam<world_shape> {};

// The new array often has its visitors at the address of the visitors of the destroyed array.
TEST_P(array_misuse, of_a_visitor_of_a_destroyed_array_is_an_error) {
  run_on(GetParam(), [](world& w) {
    std::optional<distributed_array<int>> a(std::in_place, w, 10);
    const auto add = a->visitor([](int& x) { ++x; });
    a.reset();
    a.emplace(w, 10);
    static_cast<void>(a->visitor([](int& x) { --x; }));
    const session scope = a->begin();
    expect_mentions(thrown_by<argument_error>([&] { a->tell(1, add); }),
                    {"another distributed_array"});
    a->finish();
    EXPECT_EQ(a->reduce(std::plus<>(), 0), 0);
  });
}

TEST_P(array_misuse, of_indices_is_an_error_on_the_pe) {
  run_on(GetParam(), [](world& w) {
    distributed_array<int> a(w, 10);
    const auto add = a.visitor([](int& x) { ++x; });
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(a.get(10)); }),
                    {"get: index 10", "10 elements", "give 0 to size() - 1"});
    expect_mentions(thrown_by<argument_error>([&] { a.put(std::size_t(-1), 1); }),
                    {"put: index 18446744073709551615"});
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(a.owner(11)); }),
                    {"owner: index 11"});
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(a.index_of(11)); }),
                    {"index_of", "index 11"});
    const session scope = a.begin();
    expect_mentions(thrown_by<argument_error>([&] { a.tell(10, add); }), {"tell: index 10"});
    a.finish();
    EXPECT_EQ(a.reduce(std::plus<>(), 0), 0);
  });
}

TEST_P(array_misuse, of_batches_is_an_error_on_all_pes) {
  run_on(GetParam(), [](world& w) {
    distributed_array<int> a(w, 10);
    const bool is_wrong = w.rank() == w.size() - 1;
    const std::string pe = "PE " + std::to_string(w.size() - 1);
    const std::vector<std::size_t> indices{1, is_wrong ? 10U : 2U};
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(a.gather(indices)); }),
                    {"gather of a distributed_array", pe.c_str(), "index 10, number 1 of the batch",
                     "give 0 to size() - 1"});
    const std::vector<std::size_t> right{1, 2};
    const std::vector<int> values(is_wrong ? 3 : 2);
    expect_mentions(thrown_by<argument_error>([&] { a.scatter(right, values); }),
                    {"scatter", pe.c_str(), "2 indices and 3 values", "a value for each index"});
    expect_mentions(thrown_by<argument_error>([&] {
                      static_cast<void>(a.ask(
                          right, [](int& x, int n) { return x += n; }, values));
                    }),
                    {"ask", "2 indices and 3 values"});
    EXPECT_EQ(a.gather(right), std::vector<int>(2));
  });
}

TEST_P(array_misuse, of_sessions_is_an_error) {
  run_on(GetParam(), [](world& w) {
    distributed_array<int> a(w, 10);
    distributed_array<int> b(w, 10);
    expect_mentions(thrown_by<contract_error>([&] { const session s = a.begin(); }),
                    {"begin", "no visitor", "call visitor first"});
    const auto add = a.visitor([](int& x) { ++x; });
    expect_mentions(thrown_by<contract_error>([&] { a.tell(0, add); }),
                    {"tell", "no session", "call begin first"});
    expect_mentions(thrown_by<contract_error>([&] { a.finish(); }), {"finish", "no session"});
    expect_mentions(thrown_by<argument_error>([&] { b.tell(0, add); }),
                    {"tell", "another distributed_array"});
    {
      const session scope = a.begin();
      for (const auto& call : std::vector<std::function<void()>>{
               [&] { const session s = a.begin(); },
               [&] { static_cast<void>(a.visitor([](int&) {})); }, [&] { a.save("x"); }}) {
        expect_mentions(thrown_by<contract_error>(call), {"has a session", "call finish first"});
      }
      a.finish();
    }
    expect_mentions(thrown_by<contract_error>([&] { a.tell(0, add); }), {"begin"});
  });
}

TEST_P(array_misuse, by_different_arguments_is_an_error_on_all_pes) {
  run_on(GetParam(), [](world& w) {
    if (w.size() == 1) return;
    const auto last = static_cast<std::size_t>(w.rank() == w.size() - 1 ? 1 : 0);
    expect_mentions(thrown_by<argument_error>([&] { distributed_array<int>(w, 10 + last); }),
                    {"type, size or layout", "10 elements", "11 elements", "in blocks"});
    distributed_array<int> a(w, 10);
    if (last == 0) {
      static_cast<void>(a.visitor([](int& x, int n) { x += n; }));
    } else {
      static_cast<void>(a.visitor([](int& x, float n) { x += static_cast<int>(n); }));
    }
    expect_mentions(thrown_by<argument_error>([&] { const session s = a.begin(); }),
                    {"distributed_array visitors", "lambda", "give the same"});
  });
}

TEST_P(array_misuse, by_a_size_that_cannot_be) {
  run_on(GetParam(), [](world& w) {
    expect_mentions(thrown_by<argument_error>([&] { distributed_array<int>(w, std::size_t(-1)); }),
                    {"making a distributed_array", "the size is 18446744073709551615",
                     "give a smaller size", "negative"});
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, array_misuse, testing::ValuesIn(small_shapes()), by_name{});

class array_files : public testing::TestWithParam<world_shape> {
 protected:
  using array = distributed_array<std::int64_t>;

  // Expects all PEs to get an error with the texts.
  template <typename Error, typename T = std::int64_t>
  static void expect_refused(world& w, const std::string& name,
                             std::initializer_list<std::string_view> parts) {
    expect_mentions(
        thrown_by<Error>([&] { static_cast<void>(distributed_array<T>::load(w, name)); }), parts);
  }
};

TEST_P(array_files, are_loaded_by_fewer_pes) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    for (const std::size_t size : {0U, 1U, 3U, 100U}) {
      array a(w, size, {.layout = array_layout::cyclic});
      a.for_each_local(
          [](std::size_t i, std::int64_t& x) { x = static_cast<std::int64_t>(3 * i); });
      a.save(files.file("a"));
      EXPECT_FALSE(std::filesystem::exists(files.file("a.unfinished")));
      auto fewer = w.split(w.rank() == 0 && w.size() > 1 ? 1 : 0);
      ASSERT_TRUE(fewer.has_value());
      auto loaded = array::load(*fewer, files.file("a"));
      ASSERT_EQ(loaded.size(), size);
      loaded.for_each_local(
          [](std::size_t i, std::int64_t x) { EXPECT_EQ(x, static_cast<std::int64_t>(3 * i)); });
      w.barrier();
    }
  });
}

TEST_P(array_files, that_are_not_right_are_errors_on_all_pes) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    const std::string name = files.file("a");
    expect_refused<system_error>(w, name, {"loading a distributed_array", name, "No such file"});
    files.write(name, "Once upon a time");
    expect_refused<argument_error>(w, name,
                                   {name, "not one that a container of Boxcar", "16 bytes"});
    files.write(name, std::string(2000, 'x'));
    expect_refused<argument_error>(w, name, {"not one that a container of Boxcar"});
    files.write(name, "");
    expect_refused<argument_error>(w, name, {"0 bytes"});

    array(w, 100).save(name);
    expect_refused<argument_error, double>(w, name, {"elements of type long", "not double"});
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(bag<long>::load(w, name)); }),
                    {"holds a distributed_array, not a bag"});
    files.cut(name, header_bytes + 799);
    expect_refused<argument_error>(w, name, {"claims 800 bytes", "has 799", "cut short"});
    files.cut(name, header_bytes - 1);
    expect_refused<argument_error>(w, name, {"cut short", "511 bytes"});
  });
}

// Numbers of the header: an attacker's or a broken disk's.
TEST_P(array_files, are_believed_only_as_far_as_they_are_long) {
  run_on(GetParam(), [](world& w) {
    constexpr std::streamoff version = 8;
    constexpr std::streamoff elements = 32;
    constexpr std::streamoff bytes = 40;
    const scratch_folder files(w);
    const std::string name = files.file("a");
    array(w, 100).save(name);
    files.patch(name, elements, (std::uint64_t{1} << 61) + 100);  // times 8: 800
    expect_refused<argument_error>(w, name, {"elements in 800 bytes", "was changed"});
    files.patch(name, elements, 99);
    expect_refused<argument_error>(w, name, {"claims 99 elements in 800 bytes"});
    files.patch(name, elements, 100);
    files.patch(name, bytes, std::uint64_t{1} << 62);
    expect_refused<argument_error>(w, name, {"claims 4611686018427387904 bytes", "has 800"});
    files.patch(name, bytes, 800);
    EXPECT_EQ(array::load(w, name).size(), 100U);
    files.patch(name, version, 7);
    expect_refused<argument_error>(w, name, {"version 7", "reads version 2"});
  });
}

TEST_P(array_files, that_cannot_be_written_are_errors_on_all_pes) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    array a(w, 10);
    expect_mentions(thrown_by<system_error>([&] { a.save(files.file("no/such")); }),
                    {"saving a distributed_array", "PE 0", "creating", "No such file"});
    expect_mentions(thrown_by<system_error>([&] { a.save(files.file("")); }),
                    {"not that of a regular file", "give another name"});
    expect_mentions(thrown_by<argument_error>([&] { a.save(""); }), {"empty", "give a name"});
    if (w.size() > 1) {
      const std::string name = files.file(w.rank() == 1 ? "a" : "b");
      expect_mentions(thrown_by<argument_error>([&] { a.save(name); }), {"name", "PE 1"});
    }
    EXPECT_FALSE(std::filesystem::exists(files.file("b.unfinished")));
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, array_files, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::distributed_array_misuse_test
