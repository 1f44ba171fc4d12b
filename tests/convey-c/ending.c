/* A program with a given end:
 *   return | exit | leak | middle | atexit | fork    with status 0
 *   refused   after a constructor with bad options, which is the last common call of the PEs
 *   status                                           with status 3
 *   abort                                            by a signal
 *   unjoined  with status 0, if BOXCAR_SUBSTRATE allows no world: the program ignores all results
 *   lost      PE 0 ends in the middle of a session, the other PEs notice and end with status 0 */
#define _POSIX_C_SOURCE 200809L
#include <boxcar_world.h>
#include <convey.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static convey_t* conveyor;

static void run_session(void) {
  uint64_t item = 7;
  convey_begin(conveyor, 8, 0);
  bool pushed = false;
  while (convey_advance(conveyor, pushed) > 0) {
    if (!pushed) pushed = convey_push(conveyor, &item, 0) == convey_OK;
    while (convey_pull(conveyor, &item, NULL) > 0) continue;
  }
  convey_reset(conveyor);
}

static void free_at_exit(void) {
  if (convey_free(conveyor) != convey_OK) _exit(9);
}

int main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  const char* way = argv[1];
  if (strcmp(way, "unjoined") == 0) {
    boxcar_my_pe();
    exit(EXIT_SUCCESS);
  }
  if (strcmp(way, "atexit") == 0) atexit(free_at_exit);
  conveyor = convey_new(SIZE_MAX, 0, NULL, 0);
  if (conveyor == NULL) return 2;
  run_session();
  boxcar_barrier();
  if (strcmp(way, "return") == 0) convey_free(conveyor);
  if (strcmp(way, "exit") == 0) exit(EXIT_SUCCESS);
  if (strcmp(way, "refused") == 0) {
    setenv("CONVEY_BUFFER_SIZE", "large", 1);
    return convey_new(SIZE_MAX, 0, NULL, convey_opt_QUIET) == NULL ? 0 : 5;
  }
  if (strcmp(way, "middle") == 0) convey_begin(conveyor, 8, 0);
  if (strcmp(way, "status") == 0 && boxcar_my_pe() == boxcar_n_pes() - 1) return 3;
  if (strcmp(way, "abort") == 0 && boxcar_my_pe() == boxcar_n_pes() - 1) abort();
  if (strcmp(way, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) exit(EXIT_SUCCESS); /* not the end of the PE */
    int status;
    waitpid(child, &status, 0);
    run_session();
    boxcar_barrier();
  }
  if (strcmp(way, "lost") == 0) {
    convey_begin(conveyor, 8, 0);
    if (boxcar_my_pe() == 0) return 0;
    int status;
    do {
      uint64_t item;
      convey_pull(conveyor, &item, NULL);
      status = convey_advance(conveyor, true);
    } while (status > 0);
    return status == convey_error_WORLD ? 0 : 4;
  }
  return 0;
}
