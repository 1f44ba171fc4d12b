// crosswise WHEN: two worlds with windows end in one order on even PEs, and in the opposite order
// on odd PEs: within the function of `boxcar::run` ("run"), in a program with `boxcar::join`
// ("join"), or there after the world of all PEs ("after-join"). "barriers": even PEs are in a
// barrier of the first world, odd PEs in a barrier of the second world. Each PE prints "ready"
// before.
#include <cstdio>
#include <cstring>
#include <optional>

#include <boxcar/boxcar.hpp>

namespace {

struct shared_counts {
  explicit shared_counts(boxcar::world& whole) : world(whole.split(0)), counts(*world, 1) {}

  std::optional<boxcar::world> world;
  boxcar::window<long> counts;
};

class pair {
 public:
  void make(boxcar::world& whole) {
    std::printf("ready\n");
    is_even_ = whole.rank() % 2 == 0;
    first_.emplace(whole);
    second_.emplace(whole);
  }
  void end() {
    (is_even_ ? first_ : second_).reset();
    (is_even_ ? second_ : first_).reset();
  }
  void wait() { (is_even_ ? first_ : second_)->world->barrier(); }

 private:
  bool is_even_ = false;
  std::optional<shared_counts> first_;
  std::optional<shared_counts> second_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const char* const when = argv[1];
  pair worlds;
  if (std::strstr(when, "join") != nullptr) {
    std::optional<boxcar::world> whole = boxcar::join();
    worlds.make(*whole);
    if (std::strcmp(when, "after-join") == 0) whole.reset();
    worlds.end();
    return 0;
  }
  return boxcar::run([&](boxcar::world& whole) {
    worlds.make(whole);
    if (std::strcmp(when, "barriers") == 0) worlds.wait();
    worlds.end();
  });
}
