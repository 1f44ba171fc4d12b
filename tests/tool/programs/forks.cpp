// forks PE WHAT: the given PE forks a child, and the child does WHAT, while all PEs are in a world.
// The program prints the end of the child, and "done" if the world has come to no harm.
//
// WHAT: "exit", "return", "throw": the end of the child; "session": the child returns from the
// middle of a session; "barrier", "put", "run", "join": the child calls the function of Boxcar.
// "static-...": as without "static-", in a world of static storage made by `boxcar::join`.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <boxcar/boxcar.hpp>

namespace {

constexpr int wrong = 9;

std::string to_do;
std::optional<boxcar::world> of_program;

// Forks. Returns true in a child that must return as well.
bool does(boxcar::world& w, boxcar::window<long>& counts) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) {
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) {
      std::printf("the child has ended with status %d\n", WEXITSTATUS(status));
    } else {
      std::printf("the child has ended by signal %d\n", WTERMSIG(status));
    }
    return false;
  }
  if (to_do == "exit") std::exit(0);
  if (to_do == "throw") throw std::runtime_error("the child throws");
  try {
    if (to_do == "barrier") w.barrier();
    if (to_do == "put") counts.put(7, (w.rank() + 1) % w.size(), 0);
    if (to_do == "run") {
      if (boxcar::run([](boxcar::world&) {}) != 0) std::exit(1);
    }
    if (to_do == "join") static_cast<void>(boxcar::join());
  } catch (const boxcar::contract_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::exit(1);
  }
  return true;
}

int use(boxcar::world& w, int pe) {
  boxcar::window<long> counts(w, 1);
  w.barrier();
  boxcar::conveyor<int> c(w);
  {
    const boxcar::session s = c.begin();
    if (w.rank() == pe && to_do == "session" && does(w, counts)) return 0;
    int got = 0;
    while (c.advance(true)) {
      while (c.pull(got)) continue;
    }
  }
  if (w.rank() == pe && to_do != "session" && does(w, counts)) return 0;
  counts.add(1, 0, 0);
  counts.flush();
  w.barrier();
  if (counts.get(0, 0) != w.size()) return wrong;
  std::printf("done\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int pe = std::atoi(argv[1]);
  to_do = argv[2];
  if (!to_do.starts_with("static-")) {
    return boxcar::run([pe](boxcar::world& w) { return use(w, pe); });
  }
  to_do.erase(0, to_do.find('-') + 1);
  of_program.emplace(boxcar::join());
  return use(*of_program, pe);
}
