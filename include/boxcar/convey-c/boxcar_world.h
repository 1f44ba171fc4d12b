/* Who and where: for programs in C that use nothing else that would tell, like MPI or OpenSHMEM.
 * Not part of the published interface. */
#ifndef BOXCAR_WORLD_H
#define BOXCAR_WORLD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* This PE's number, from 0, and how many there are, in the world that convey.h speaks of. Negative,
 * after a message on standard error, if the world cannot be joined; the process ends with status 1
 * then, if it would end with status 0. */
int boxcar_my_pe(void);
int boxcar_n_pes(void);
/* How many PEs share this PE's node. */
int boxcar_n_local(void);

/* Collective. These return convey_OK, or a negative status if another PE has failed or left. */
int boxcar_barrier(void);
/* `*value` becomes the sum of the values of all PEs. */
int boxcar_sum(int64_t* value);

#ifdef __cplusplus
}
#endif

#endif
