/* The header gives rank and size of the world to programs in C without another source, such as MPI
 * or OpenSHMEM. Not part of the published interface. */
#ifndef BOXCAR_WORLD_H
#define BOXCAR_WORLD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Local. Return the PE's number, from 0, and the number of PEs, in the world of convey.h. Negative,
 * after a message on standard error, if the world cannot be joined; the process then ends with
 * status 1 if it would end with status 0. */
int boxcar_my_pe(void);
int boxcar_n_pes(void);
/* Local. Returns the number of PEs on the PE's node. */
int boxcar_n_local(void);

/* Collective. Both functions return convey_OK, or a negative status if another PE has failed or
 * left. */
int boxcar_barrier(void);
/* `*value` becomes the sum of the values of all PEs. */
int boxcar_sum(int64_t* value);

#ifdef __cplusplus
}
#endif

#endif
