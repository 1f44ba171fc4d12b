// Tests of the files of containers: a file that is missing, holds something else, or of which any
// byte was changed, is refused on all PEs by an error that names the file.
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <boxcar/bag.hpp>
#include <boxcar/collection.hpp>
#include <boxcar/distributed_array.hpp>
#include <boxcar/distributed_map.hpp>
#include <boxcar/error.hpp>

#include "scratch_folder.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::container_files_test {
namespace {

constexpr std::uintmax_t header_bytes = 512;

using map = distributed_map<std::string, std::vector<int>>;
using texts = bag<std::string>;
using numbers = distributed_array<std::uint16_t>;
using objects = collection<std::string>;

// A kind of container, as functions on a name of a file.
struct container {
  std::string name;
  std::function<void(world&, const std::string&)> save;
  std::function<void(world&, const std::string&)> load;
};

std::vector<container> all_containers() {
  return {
      {"map",
       [](world& w, const std::string& name) {
         map m(w);
         const session scope = m.begin();
         for (int i = w.rank(); i < 50; i += w.size()) m.insert(std::to_string(i), {i, i + 1});
         m.finish();
         m.save(name);
       },
       [](world& w, const std::string& name) { map(w).load(name); }},
      {"bag",
       [](world& w, const std::string& name) {
         texts b(w);
         for (int i = w.rank(); i < 50; i += w.size()) b.add(std::to_string(i * i));
         b.save(name);
       },
       [](world& w, const std::string& name) { static_cast<void>(texts::load(w, name)); }},
      {"distributed_array",
       [](world& w, const std::string& name) {
         numbers a(w, 101);
         a.fill(7);
         a.save(name);
       },
       [](world& w, const std::string& name) { static_cast<void>(numbers::load(w, name)); }},
      {"collection",
       [](world& w, const std::string& name) {
         objects c(w, 50, [](std::int64_t i) { return std::to_string(i); });
         c.save(name);
       },
       [](world& w, const std::string& name) {
         static_cast<void>(objects::load(w, collection_mapping<std::int64_t>::cyclic(50), name));
       }},
  };
}

class container_files : public testing::TestWithParam<world_shape> {};

template <typename Error>
void expect_refused(world& w, const container& c, const std::string& name,
                    std::initializer_list<std::string_view> parts) {
  const std::string text = thrown_by<Error>([&] { c.load(w, name); });
  expect_mentions(text, {"loading a " + c.name, name});
  expect_mentions(text, parts);
}

TEST_P(container_files, that_hold_something_else_are_refused) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    const std::vector<container> all = all_containers();
    for (const container& c : all) {
      const std::string name = files.file(c.name);
      expect_refused<system_error>(w, c, name, {"No such file"});
      c.save(w, name);
      c.load(w, name);
      EXPECT_FALSE(std::filesystem::exists(name + ".unfinished"));
    }
    for (std::size_t i = 0; i != all.size(); ++i) {
      const container& other = all[(i + 1) % all.size()];
      expect_refused<argument_error>(w, all[i], files.file(other.name),
                                     {"holds a " + other.name, "not a " + all[i].name});
    }
    const auto other_type = [&] {
      static_cast<void>(collection<std::int64_t>::load(
          w, collection_mapping<std::int64_t>::block(50), files.file("collection")));
    };
    expect_mentions(thrown_by<argument_error>(other_type),
                    {"std::pair<long, std::basic_string", "not std::pair<long, long>"});
    const auto other_index = [&] {
      using index = std::array<std::int32_t, 2>;
      static_cast<void>(collection<std::string, index>::load(
          w, collection_mapping<index>::block({5, 10}), files.file("collection")));
    };
    expect_mentions(thrown_by<argument_error>(other_index), {"std::array<int, 2>", "not"});
    const auto smaller_box = [&] {
      static_cast<void>(
          objects::load(w, collection_mapping<std::int64_t>::block(49), files.file("collection")));
    };
    expect_mentions(thrown_by<argument_error>(smaller_box),
                    {files.file("collection"), "index 49 has no home", "give a mapping"});
  });
}

// One byte of the header's numbers or of the data is changed, or the end is missing.
TEST_P(container_files, that_were_changed_are_refused) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    dice d(program_seed(99));
    for (const container& c : all_containers()) {
      const std::string name = files.file(c.name);
      c.save(w, name);
      const std::uintmax_t bytes = std::filesystem::file_size(name);
      constexpr int numbers_of_header = 64;
      for (int i = 0; i != 24; ++i) {
        const std::uintmax_t at = static_cast<std::uintmax_t>(
            d.below(i % 3 == 0 ? numbers_of_header : static_cast<int>(bytes - header_bytes)));
        const std::uintmax_t offset = i % 3 == 0 ? at : header_bytes + at;
        const char by = static_cast<char>(1 << d.below(8));
        const auto change = [&] {
          std::fstream f(name, std::ios::in | std::ios::out | std::ios::binary);
          f.seekg(static_cast<std::streamoff>(offset));
          const char byte = static_cast<char>(f.get());
          f.seekp(static_cast<std::streamoff>(offset));
          f.put(static_cast<char>(byte ^ by));
        };
        files.on_first_pe(change);
        SCOPED_TRACE(c.name + ": byte " + std::to_string(offset) + " of " + std::to_string(bytes));
        expect_refused<argument_error>(w, c, name, {});
        files.on_first_pe(change);
      }
      c.load(w, name);
      files.cut(name,
                bytes - 1 - static_cast<std::uintmax_t>(d.below(static_cast<int>(bytes) - 1)));
      expect_refused<argument_error>(w, c, name, {"cut short"});
    }
  });
}

// A save that fails leaves the former file.
TEST_P(container_files, that_cannot_be_written_stay_as_they_were) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    for (const container& c : all_containers()) {
      const std::string name = files.file(c.name);
      c.save(w, name);
      expect_mentions(thrown_by<system_error>([&] { c.save(w, files.file("no/such")); }),
                      {"saving a " + c.name, "No such file"});
      c.load(w, name);
    }
  });
}

TEST_P(container_files, are_replaced_where_a_link_leads) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    for (const container& c : all_containers()) {
      const std::string link = files.file(c.name + "_link");
      const std::string name = files.file(c.name);
      files.on_first_pe([&] { std::filesystem::create_symlink(name, link); });
      for (int i = 0; i != 2; ++i) {  // there is no file at first
        c.save(w, link);
        EXPECT_TRUE(std::filesystem::is_symlink(link));
        c.load(w, name);
        c.load(w, link);
      }
    }
  });
}

// The other end of a pipe may never come.
TEST_P(container_files, that_are_pipes_are_refused) {
  run_on(GetParam(), [](world& w) {
    const scratch_folder files(w);
    const std::string name = files.file("pipe");
    files.on_first_pe([&] { EXPECT_EQ(mkfifo(name.c_str(), 0600), 0); });
    for (const container& c : all_containers()) {
      EXPECT_THROW(c.load(w, name), error) << c.name;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, container_files, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::container_files_test
