// deed PE WHAT [HOW]: the given PE does WHAT while the other PEs wait in a barrier. Each PE prints
// "ready" before, and "done" if all goes well.
//
// HOW: "stubborn": the PEs ignore requests to end; "session": WHAT happens in the middle of a
// session in which all PEs send to all PEs; "counter": the other PEs wait for a counter that the PE
// should count up; "slow-words": the PE prints its errors slowly.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

#include <boxcar/boxcar.hpp>

namespace {

using deed = std::function<void()>;

[[noreturn]] void hang() {
  while (true) pause();
}

// NOLINTNEXTLINE(misc-no-recursion): the stack is to overflow
int overflow(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow(depth + 1) + room[0];
}

// Ignores requests to end: the launcher must end the PEs nevertheless.
void ignore_requests() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) std::signal(signal, SIG_IGN);
}

const std::map<std::string, deed>& deeds() {
  static const std::map<std::string, deed> all{
      {"exit-3", [] { std::exit(3); }},
      {"exit-0", [] { std::exit(0); }},
      {"_exit-0", [] { _exit(0); }},
      {"_Exit-0", [] { std::_Exit(0); }},
      {"quick_exit-0", [] { std::quick_exit(0); }},
      {"quick_exit-3", [] { std::quick_exit(3); }},
      {"abort", [] { std::abort(); }},
      {"kill", [] { std::raise(SIGKILL); }},
      {"print-and-kill",
       [] {
         std::printf("last words\n");
         std::raise(SIGKILL);
       }},
      {"throw", [] { throw std::runtime_error("the reactor is too hot"); }},
      {"terminate",
       [] { std::thread([] { throw std::runtime_error("nobody catches this"); }).join(); }},
      {"segfault", [] { std::raise(SIGSEGV); }},
      {"overflow", [] { std::printf("%d", overflow(0)); }},
      {"hang", hang},
      {"compute", [] { std::this_thread::sleep_for(std::chrono::milliseconds(600)); }},
      {"read-clock",
       [] {
         for (int i = 0; i < 3; ++i) std::chrono::steady_clock::now();
       }},
      {"stop", [] { std::raise(SIGSTOP); }},
      {"nothing", [] {}},
      {"leave", [] {}},
      {"forget-to-pull", [] {}},
  };
  return all;
}

// Slows down stderr: another PE, notified of the failure, must not end the job meanwhile.
void speak_slowly() {
  constexpr auto write_slowly = [](void*, const char* text, std::size_t bytes) -> ssize_t {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    return write(STDERR_FILENO, text, bytes);
  };
  stderr = fopencookie(nullptr, "w",
                       {.read = nullptr, .write = write_slowly, .seek = nullptr, .close = nullptr});
}

// Runs a session until all items were pulled, and calls `act` on the way.
void communicate(boxcar::world& w, const deed& act, bool pulls) {
  constexpr int items = 200'000;
  boxcar::conveyor<int> c(w);
  const boxcar::session s = c.begin();
  int pushed = 0;
  int pulled = 0;
  do {
    while (pushed < items && c.push(pushed, pushed % w.size())) {
      if (++pushed == items / 2) act();
    }
    while (pulls && c.pull(pulled)) continue;
  } while (c.advance(pushed == items));
}

}  // namespace

int main(int argc, char** argv) {
  const int culprit = argc > 1 ? std::atoi(argv[1]) : -1;
  const std::string what = argc > 2 ? argv[2] : "nothing";
  const std::string how = argc > 3 ? argv[3] : "";
  return boxcar::run([&](boxcar::world& w) {
    if (how == "stubborn") ignore_requests();
    if (how == "slow-words" && w.rank() == culprit) speak_slowly();
    // The lookup comes before anything happens: an exiting PE destroys the table for all threads.
    const deed mine = deeds().at(w.rank() == culprit ? what : "nothing");
    w.barrier();
    std::printf("ready\n");
    std::fflush(stdout);
    w.barrier();  // all PEs have printed before anything happens
    if (w.rank() == culprit && what == "leave") return;
    if (how == "session") {
      communicate(w, mine, w.rank() != culprit || what != "forget-to-pull");
    } else if (how == "counter") {
      boxcar::counter c(w);
      mine();
      c.wait(1);
    } else {
      mine();
    }
    w.barrier();
    std::printf("done\n");
  });
}
