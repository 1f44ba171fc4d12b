// A program with the setuid bit that takes all rights of its owner, and does not end by itself. Its
// status is 7 if the system does not give it the rights.
#include <cstdio>
#include <unistd.h>

int main() {
  constexpr int no_rights = 7;
  if (getuid() == geteuid()) return no_rights;
  if (setreuid(geteuid(), geteuid()) != 0) return 1;
  std::printf("ready\n");
  std::fflush(stdout);
  while (true) pause();
}
