// A program with the setuid bit that takes all rights of its owner, and does not end by itself.
#include <cstdio>
#include <unistd.h>

int main() {
  if (setreuid(geteuid(), geteuid()) != 0) return 1;
  std::printf("ready\n");
  std::fflush(stdout);
  while (true) pause();
}
