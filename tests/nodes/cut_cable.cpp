// A program for PEs of two nodes whose cable is cut: each PE must learn the lost node. Before the
// cut, a PE computes and a PE is stopped, for longer than a node may be silent: no node may be lost
// by these pauses. Run by two_nodes.sh with BOXCAR_TEST_CUT=yes, which cuts the cable on request.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

#include <boxcar/boxcar.hpp>

namespace {

constexpr auto longer_than_silence = std::chrono::seconds(4);

void stop_for_a_while() {
  const pid_t self = getpid();
  if (fork() == 0) {
    std::this_thread::sleep_for(longer_than_silence);
    kill(self, SIGCONT);
    _exit(0);
  }
  std::raise(SIGSTOP);
}

std::string file(const std::string& name) {
  return std::string(std::getenv("TMPDIR")) + "/" + name;
}

std::string heard_by(int pe) {
  return file("heard." + std::to_string(pe));
}

// The launcher ends the PEs of a node when the first of them fails; the message of each PE is of
// interest.
void wait_until_all_have_heard(int pes) {
  for (int pe = 0; pe < pes; ++pe) {
    while (access(heard_by(pe).c_str(), F_OK) != 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

}  // namespace

int main() {
  return boxcar::run([](boxcar::world& w) {
    w.barrier();
    if (w.rank() == 1) std::this_thread::sleep_for(longer_than_silence);
    if (w.rank() == w.size() - 1) stop_for_a_while();
    w.barrier();
    if (w.rank() == 0) std::ofstream(file("cut"));
    try {
      while (true) w.barrier();
    } catch (const boxcar::world_error& e) {
      std::ofstream(heard_by(w.rank())) << e.what() << std::endl;
      wait_until_all_have_heard(w.size());
      throw;
    }
  });
}
