// from_thread PROGRAM [ARGUMENT]...: starts the program by a thread that soon ends, as tools with
// worker threads do, and returns its exit status.
#include <chrono>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

int main(int, char** argv) {
  pid_t child = -1;
  std::thread([&] {
    child = fork();
    if (child == 0) {
      execv(argv[1], argv + 1);
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }).join();
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
