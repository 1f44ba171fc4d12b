/* The interface of AML, the active messages of the Graph500 reference: programs written for AML
 * become programs on Boxcar without a change of their sources. The header is for C11 and C++.
 * docs/graph500.md explains the interface with an example.
 *
 * Handlers run within aml_send and aml_barrier only, and one at a time. Messages from one PE to
 * another are handled in the order of their sends. A mistake of a program is reported on standard
 * error, and the job ends with status 1; where PEs are threads of boxcar::run, the functions throw
 * boxcar::error instead.
 *
 * Source: aml/aml.h of the Graph500 reference, version 3 (github.com/graph500/graph500).
 */
#ifndef BOXCAR_AML_H
#define BOXCAR_AML_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Internal objects of the functions below; not for programs -------------------------------- */

typedef void (*boxcar_aml_handler)(int from, void* data, int length);

/* The open batch of messages to a PE. Messages of one handler and length lie next to each other. */
struct boxcar_aml_lane {
  char* cursor;  /* the place of the next message */
  char* limit;   /* the end of the room */
  uint64_t kind; /* handler and length of the messages that may be put at the cursor */
  char* run;     /* the head of these messages, or NULL */
};

/* The state of a PE between aml_init and aml_finalize. */
struct boxcar_aml_pe {
  struct boxcar_aml_lane* lanes; /* by destination */
  boxcar_aml_handler* handlers;
  int rank;
  int size; /* 0 outside of aml_init and aml_finalize */
  /* The PE itself if its messages to itself may be handled at once; negative otherwise. */
  int direct;
  int usual_direct; /* the value of `direct` outside of handlers */
};
/* Every PE is a thread or a process. */
extern __thread struct boxcar_aml_pe boxcar_aml;

enum boxcar_aml_reduction { boxcar_aml_sum, boxcar_aml_min, boxcar_aml_max };

void boxcar_aml_send(const void* data, int type, int length, int pe);
int boxcar_aml_my_pe(void);
int boxcar_aml_n_pes(void);
double boxcar_aml_time(void);
int boxcar_aml_reduce(void* value, enum boxcar_aml_reduction how);

static inline uint64_t boxcar_aml_kind(int type, int length) {
  return (uint64_t)(uint32_t)type << 32 | (uint32_t)length;
}

/* --- The functions of AML --------------------------------------------------------------------- */

/* Collective. The first call of a program. Joins the world of the program's launcher: under
 * mpiexec, also calls MPI_Init if the program has not. The arguments may be NULL, and are left
 * alone. Returns 0. */
int aml_init(int* argc, char*** argv);

/* Collective. Waits as aml_barrier does; no other function but aml_init may be called afterwards.
 * MPI is finalized at the end of the program. */
void aml_finalize(void);

/* Collective. Waits until all messages that any PE has sent before its call have been handled, also
 * those that handlers have sent (quiescence). Handlers run meanwhile. Not legal in a handler. */
void aml_barrier(void);

/* Collective. Waits as aml_barrier does, and sets the handler of a number from 0 to 255. The
 * handler gets the sender, the message and its length. A handler may change the message; the memory
 * is valid until the handler returns. A handler may send; it does not wait, and calls no other
 * function but aml_my_pe and aml_n_pes. */
void aml_register_handler(void (*f)(int from, void* data, int length), int number);

/* Return the number of this PE, and the number of PEs. */
static inline int aml_my_pe(void) {
  return boxcar_aml.size != 0 ? boxcar_aml.rank : boxcar_aml_my_pe();
}
static inline int aml_n_pes(void) {
  return boxcar_aml.size != 0 ? boxcar_aml.size : boxcar_aml_n_pes();
}

/* Local. Sends `length` bytes, 0 or more, to `pe`, where handler number `type` is called. The data
 * may be changed when the function returns. A message to the PE itself is handled before the
 * function returns, unless a handler runs or has sent to its own PE since the last barrier. Other
 * messages travel together, at the latest in aml_barrier. A handler that changes a message of the
 * PE to itself may change the data of the sender. */
static inline void aml_send(void* data, int type, int length, int pe) {
  if (pe == boxcar_aml.direct && (uint32_t)type < 256 && length >= 0) {
    boxcar_aml.direct = -1;
    boxcar_aml.handlers[type](pe, data, length);
    boxcar_aml.direct = boxcar_aml.usual_direct;
    return;
  }
  if ((uint32_t)pe < (uint32_t)boxcar_aml.size && length > 0) {
    struct boxcar_aml_lane* const lane = &boxcar_aml.lanes[pe];
    char* const place = lane->cursor;
    if (lane->kind == boxcar_aml_kind(type, length) && length <= lane->limit - place) {
      lane->cursor = place + length;
      memcpy(place, data, (size_t)length);
      return;
    }
  }
  boxcar_aml_send(data, type, length, pe);
}

#ifdef __cplusplus
}
#endif

#define my_pe aml_my_pe
#define num_pes aml_n_pes

/* Returns seconds since some time in the past. */
#define aml_time() boxcar_aml_time()
/* Collective. Replace a number of type `long long`, `long` or int64_t by the sum, the minimum or
 * the maximum of the numbers of all PEs. No handler runs meanwhile. Return 0. */
#define aml_long_allsum(p) boxcar_aml_reduce((p), boxcar_aml_sum)
#define aml_long_allmin(p) boxcar_aml_reduce((p), boxcar_aml_min)
#define aml_long_allmax(p) boxcar_aml_reduce((p), boxcar_aml_max)

#endif
