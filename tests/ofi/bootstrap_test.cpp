// PEs reduce values by the job's bootstrap. The test acts as a launcher that speaks PMI.
#include "substrate/ofi/bootstrap.hpp"

#include <array>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <sstream>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/ofi/bootstraps.hpp"
#include "substrate/ofi/one_node.hpp"

namespace boxcar::detail::ofi::bootstrap_test {
namespace {

// A launcher serves each process on a separate descriptor, in lines, as MPICH's launcher does.
class pmi_launcher {
 public:
  // The launcher expects values of at most `longest` bytes. `mapping` is the value of
  // PMI_process_mapping, unless empty.
  pmi_launcher(int pes, std::size_t longest, std::string mapping)
      : longest_(longest), in_barrier_(pes) {
    if (!mapping.empty()) values_["PMI_process_mapping"] = std::move(mapping);
    for (int pe = 0; pe < pes; ++pe) {
      std::array<int, 2> ends{};
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
      serving_.emplace_back([this, end = ends[0]] { serve(end); });
      setenv("PMI_FD", std::to_string(ends[1]).c_str(), 1);
      setenv("PMI_RANK", std::to_string(pe).c_str(), 1);
      setenv("PMI_SIZE", std::to_string(pes).c_str(), 1);
      bootstraps_.push_back(bootstrap_by_pmi());
      ends_of_pes_.push_back(ends[1]);
    }
    for (const char* name : {"PMI_FD", "PMI_RANK", "PMI_SIZE"}) unsetenv(name);
  }
  pmi_launcher(const pmi_launcher&) = delete;
  pmi_launcher& operator=(const pmi_launcher&) = delete;
  ~pmi_launcher() {
    for (const int end : ends_of_pes_) close(end);
    for (std::thread& t : serving_) t.join();
    EXPECT_LE(max_value_, longest_);
  }

  // All PEs call `deed` concurrently.
  template <typename Deed>
  void on_all(const Deed& deed) {
    std::vector<std::thread> pes;
    for (auto& m : bootstraps_) pes.emplace_back([&deed, &m] { deed(*m); });
    for (std::thread& t : pes) t.join();
  }

 private:
  void serve(int end) {
    FILE* const stream = fdopen(end, "r+");
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), line.size(), stream) != nullptr) {
      const std::string answer = answer_to(line.data()) + '\n';
      if (write(end, answer.data(), answer.size()) < 0) break;
    }
    std::fclose(stream);
  }

  std::string answer_to(const std::string& line) {
    std::map<std::string, std::string> words;
    std::istringstream text(line);
    for (std::string word; text >> word;) {
      const std::size_t at = word.find('=');
      words[word.substr(0, at)] = word.substr(at + 1);
    }
    const std::string& command = words["cmd"];
    if (command == "init") return "cmd=response_to_init rc=0";
    if (command == "get_my_kvsname") return "cmd=my_kvsname kvsname=space";
    if (command == "get_maxes") {
      return "cmd=maxes kvsname_max=64 keylen_max=64 vallen_max=" + std::to_string(longest_);
    }
    if (command == "barrier_in") {
      in_barrier_.arrive_and_wait();
      return "cmd=barrier_out";
    }
    const std::lock_guard lock(guard_);
    if (command == "put") {
      max_value_ = std::max(max_value_, words["value"].size());
      values_[words["key"]] = words["value"];
      return "cmd=put_result rc=0";
    }
    const auto found = values_.find(words["key"]);
    if (found == values_.end()) return "cmd=get_result rc=-1 msg=key_not_found";
    return "cmd=get_result rc=0 value=" + found->second;
  }

  std::size_t longest_;
  std::barrier<> in_barrier_;
  std::mutex guard_;  // protects values_ and max_value_
  std::map<std::string, std::string> values_;
  std::size_t max_value_ = 0;
  std::vector<std::thread> serving_;
  std::vector<int> ends_of_pes_;
  std::vector<std::unique_ptr<bootstrap>> bootstraps_;
};

constexpr std::size_t short_values = 32;
constexpr std::size_t long_values = 1024;
constexpr const char* on_one = "(vector,(0,1,3))";

void append(std::byte* into, const std::byte* next) {
  // The first byte counts the following ranks.
  auto& count = *reinterpret_cast<unsigned char*>(into);
  const auto more = static_cast<unsigned char>(*next);
  std::memcpy(into + 1 + count, next + 1, more);
  count = static_cast<unsigned char>(count + more);
}

TEST(bootstrap, all_get_what_is_combined_in_the_order_of_ranks) {
  for (const int pes : {1, 2, 5}) {
    for (const std::size_t longest : {short_values, long_values}) {
      pmi_launcher job(pes, longest, on_one);
      job.on_all([pes](bootstrap& m) {
        for (int turn = 0; turn < 3; ++turn) {
          std::array<std::byte, 200> ranks{};
          ranks[0] = std::byte{1};
          ranks[1] = static_cast<std::byte>(m.rank());
          m.reduce(ranks, append);
          ASSERT_EQ(ranks[0], static_cast<std::byte>(pes));
          for (int pe = 0; pe < pes; ++pe) {
            ASSERT_EQ(ranks[static_cast<std::size_t>(pe) + 1], static_cast<std::byte>(pe));
          }
        }
      });
    }
  }
}

TEST(bootstrap, nothing_is_reduced_too) {
  pmi_launcher job(3, short_values, on_one);
  job.on_all([](bootstrap& m) {
    m.reduce({}, [](std::byte*, const std::byte*) {});
    EXPECT_EQ(m.fence_count(), 2);
  });
}

TEST(bootstrap, what_is_shown_comes_in_as_many_pieces_as_the_launcher_wants) {
  constexpr int pes = 3;
  for (const std::size_t bytes : {0, 1, 11, 12, 13, 23, 24, 25, 500}) {
    pmi_launcher job(pes, short_values, on_one);
    const auto text_of = [bytes](int pe) { return std::string(bytes, static_cast<char>(pe - 1)); };
    job.on_all([&text_of](bootstrap& m) {
      m.publish(text_of(m.rank()));
      for (int pe = 0; pe < pes; ++pe) ASSERT_EQ(m.lookup(pe, 0), text_of(pe));
    });
  }
}

TEST(bootstrap, others_of_another_size_are_of_another_version) {
  pmi_launcher job(2, long_values, on_one);
  job.on_all([](bootstrap& m) {
    std::vector<std::byte> value(m.rank() == 0 ? 8 : 16);
    try {
      m.reduce(value, [](std::byte*, const std::byte*) {});
      ADD_FAILURE() << "PE " << m.rank();
    } catch (const system_error& e) {
      EXPECT_NE(std::string(e.what()).find("install the same version"), std::string::npos);
    }
  });
}

TEST(bootstrap, a_launcher_says_whether_all_are_on_one_machine) {
  const auto is_told = [](const char* mapping) {
    pmi_launcher job(1, long_values, mapping);
    bool told = false;
    job.on_all([&told](bootstrap& m) { told = m.is_on_one_machine(); });
    return told;
  };
  EXPECT_TRUE(is_told("(vector,(0,1,16))"));
  EXPECT_TRUE(is_told("(vector,(3,1,1))"));
  EXPECT_FALSE(is_told("(vector,(0,2,8))"));
  EXPECT_FALSE(is_told("(vector,(0,1,8),(1,1,8))"));
  EXPECT_FALSE(is_told("(vector,(0,1,8)"));
  EXPECT_FALSE(is_told("nonsense"));
  EXPECT_FALSE(is_told(""));
}

TEST(bootstrap, one_node_is_one_where_all_could_do_without_a_network) {
  const auto is_found = [](const char* mapping, int pe_that_could_not) {
    constexpr int pes = 3;
    pmi_launcher job(pes, long_values, mapping);
    std::array<job_extent, pes> found{};
    job.on_all([&found, pe_that_could_not](bootstrap& m) {
      found[static_cast<std::size_t>(m.rank())] = find_extent(m, m.rank() != pe_that_could_not);
    });
    for (const job_extent& its : found) {
      EXPECT_EQ(its.is_one_node, found[0].is_one_node);
      EXPECT_EQ(its.is_one_machine, found[0].is_one_machine);
    }
    // Pretended nodes of a machine are on a single machine all the same.
    EXPECT_EQ(found[0].is_one_machine, mapping == std::string_view(on_one));
    return found[0].is_one_node;
  };
  EXPECT_TRUE(is_found(on_one, -1));
  EXPECT_FALSE(is_found(on_one, 0));
  EXPECT_FALSE(is_found(on_one, 2));
  EXPECT_FALSE(is_found("(vector,(0,3,1))", -1));
}

}  // namespace
}  // namespace boxcar::detail::ofi::bootstrap_test
