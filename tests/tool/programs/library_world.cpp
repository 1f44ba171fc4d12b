// library_world WHEN [HOW]: a library that does not own main keeps a world and a window in a static
// variable, and uses them when the variable is destroyed. The variable gets its world before main
// ("before-main") or in main ("in-main"); "only": a static variable has a world and nothing else.
// "run-again": `boxcar::run` is called before main and when a static variable is destroyed. HOW:
// "exit-3": PE 1 ends by `exit(3)`.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <boxcar/boxcar.hpp>

namespace {

// Returns whether the command line contains a word; usable before main.
bool is_asked_for(const char* word) {
  char line[4096] = {};
  std::FILE* const file = std::fopen("/proc/self/cmdline", "r");
  if (file == nullptr) return false;
  const std::size_t length = std::fread(line, 1, sizeof line - 1, file);
  std::fclose(file);
  for (const char* at = line; at < line + length; at += std::strlen(at) + 1) {
    if (std::strcmp(at, word) == 0) return true;
  }
  return false;
}

class library {
 public:
  void begin() {
    world_.emplace(boxcar::join());
    window_.emplace(*world_, 1);
  }
  int rank() const { return world_->rank(); }
  library() {
    if (is_asked_for("before-main")) begin();
  }
  library(const library&) = delete;
  library& operator=(const library&) = delete;
  ~library() {
    if (!world_ || !window_) return;
    window_->add(1, 0, 0);
    window_->flush();
    world_->barrier();
    // No PE waits for the other PEs here: the end of the world waits for all PEs.
    if (world_->rank() == 1)
      std::printf("at the end %ld of %d\n", window_->get(0, 0), world_->size());
    std::fflush(stdout);
  }

 private:
  std::optional<boxcar::world> world_;
  std::optional<boxcar::window<long>> window_;
};

void run_once() {
  const int status = boxcar::run([](boxcar::world& w) {
    const int sum = w.reduce(1);
    if (w.rank() == 0) std::printf("sum %d\n", sum);
    std::fflush(stdout);
  });
  if (status != 0) std::printf("run has failed\n");
}

struct runs {
  runs() {
    if (is_asked_for("run-again")) run_once();
  }
  runs(const runs&) = delete;
  runs& operator=(const runs&) = delete;
  ~runs() {
    if (is_asked_for("run-again")) run_once();
  }
};

std::optional<boxcar::world> only_world;
library of_program;
runs before_and_after;

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (std::strcmp(argv[1], "only") == 0) only_world.emplace(boxcar::join());
  if (std::strcmp(argv[1], "in-main") == 0) of_program.begin();
  if (argc > 2 && std::strcmp(argv[2], "exit-3") == 0 && of_program.rank() == 1) std::exit(3);
  return 0;
}
