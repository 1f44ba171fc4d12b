// deed PE WHAT: that PE does something untoward while the others wait for it in a barrier.
// Each PE prints "ready" before, and "done" if all goes well.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <boxcar/boxcar.hpp>

namespace {

using deed = std::function<void()>;

[[noreturn]] void hang() {
  while (true) pause();
}

// To see that it does not matter whether PEs mind being asked to end.
void ignore_requests() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) std::signal(signal, SIG_IGN);
}

const std::map<std::string, deed>& deeds() {
  static const std::map<std::string, deed> all{
      {"exit-3", [] { std::exit(3); }},
      {"exit-0", [] { std::exit(0); }},
      {"abort", [] { std::abort(); }},
      {"kill", [] { std::raise(SIGKILL); }},
      {"print-and-kill",
       [] {
         std::printf("last words\n");
         std::raise(SIGKILL);
       }},
      {"throw", [] { throw std::runtime_error("the reactor is too hot"); }},
      {"hang", hang},
      {"stop", [] { std::raise(SIGSTOP); }},
      {"nothing", [] {}},
  };
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const int culprit = argc > 1 ? std::atoi(argv[1]) : -1;
  const std::string what = argc > 2 ? argv[2] : "nothing";
  const std::string others = argc > 3 ? argv[3] : "";
  return boxcar::run([&](boxcar::world& w) {
    if (others == "stubborn") ignore_requests();
    w.barrier();
    std::printf("ready\n");
    if (w.rank() == culprit) {
      if (what == "leave") return;
      deeds().at(what)();
    }
    w.barrier();
    std::printf("done\n");
  });
}
