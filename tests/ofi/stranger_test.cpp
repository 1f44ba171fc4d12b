// A stranger on the same machine, a separate program outside any job, sends arbitrary messages to
// the ports of a running job: the PEs still communicate correctly, or the job ends with a message,
// and no memory is changed or read.
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "ofi/listening_sockets.hpp"
#include "ofi/pes_at_work.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::stranger_test {
namespace {

struct deed {
  const char* name;
  // The job may end, with a message.
  bool may_end_job;
};
std::string name_of(const deed& d) {
  return d.name;
}

// A process that runs BOXCAR_TEST_STRANGER.
class stranger {
 public:
  stranger(const char* what, const std::set<int>& ports) {
    const char* const provider = std::getenv("BOXCAR_OFI_PROVIDER");
    std::vector<std::string> words{std::getenv("BOXCAR_TEST_STRANGER"),
                                   provider == nullptr ? "net" : provider, what};
    for (const int port : ports) words.push_back(std::to_string(port));
    std::vector<char*> arguments;
    for (std::string& w : words) arguments.push_back(w.data());
    arguments.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
      execv(arguments[0], arguments.data());
      _exit(127);
    }
  }
  stranger(const stranger&) = delete;
  stranger& operator=(const stranger&) = delete;
  ~stranger() {
    if (process_ > 0) kill(process_, SIGKILL);
    if (process_ > 0) waitpid(process_, nullptr, 0);
  }
  // Returns whether the process has ended; `status` is valid then.
  [[nodiscard]] bool has_ended() {
    if (process_ > 0 && waitpid(process_, &status_, WNOHANG) == process_) process_ = -1;
    return process_ < 0;
  }
  [[nodiscard]] int status() const { return status_; }

 private:
  pid_t process_ = -1;
  int status_ = 0;
};

std::vector<world_shape> on_two_nodes() {
  std::vector<world_shape> shapes = all_shapes();
  std::erase_if(shapes, [](const world_shape& shape) { return shape.nodes != 2; });
  return shapes;
}

class a_stranger : public testing::TestWithParam<shaped<deed>> {};

TEST_P(a_stranger, does_no_harm) {
  const char* const what = GetParam().detail.name;
  const world_report report = observe(GetParam().shape, [what](world& w) {
    constexpr std::size_t elements = 2000;
    // No PE writes `numbers` after the barrier: only a stranger's put would change an element.
    window<std::uint64_t> numbers(w, elements);
    const auto value = [&w](int pe, std::size_t i) {
      return static_cast<std::uint64_t>(pe + 1) << 32 | i;
    };
    const int next = (w.rank() + 1) % w.size();
    std::vector<std::uint64_t> given(elements);
    for (std::size_t i = 0; i < elements; ++i) given[i] = value(next, i);
    numbers.put(given, next, 0);
    numbers.flush();
    use_window(w, 20'000);  // by RMA, with registered memory
    w.barrier();
    stranger s(what, ports_that_listen());
    for (bool has_ended = false; !has_ended;) {
      meet(w, 5);
      exchange_items(w, 300);
      use_window(w, 5000);
      count_puts(w, 10'000, 3, counts::bytes);
      exchange_large_items(w, 100'000);
      has_ended = w.reduce(s.has_ended() ? 0 : 1) == 0;
    }
    EXPECT_EQ(s.status(), 0);
    for (std::size_t i = 0; i < elements; ++i) {
      EXPECT_EQ(numbers.local()[i], value(w.rank(), i)) << "element " << i;
    }
    w.barrier();
  });
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    const pe_report& its = report.pes[pe];
    if (its.end == ending::returned) continue;
    const bool is_told = its.end == ending::system_error || its.end == ending::world_error;
    EXPECT_TRUE(GetParam().detail.may_end_job && is_told && !its.what.empty())
        << "PE " << pe << ": " << its.what;
  }
}

// A put with a number given to no PE ends the job.
const std::vector<deed> deeds{{"messages", false}, {"bytes", false}, {"memory", true}};

INSTANTIATE_TEST_SUITE_P(that_sends, a_stranger,
                         testing::ValuesIn(on_shapes(on_two_nodes(), deeds)), by_name{});

}  // namespace
}  // namespace boxcar::test::stranger_test
