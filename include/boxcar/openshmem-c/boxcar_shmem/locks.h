/* The header declares distributed locks: symmetric variables of type long, 0 at first. PEs get a
 * lock in the order in which they ask for the lock. Source: OpenSHMEM 1.5, section 9.12. */
#ifndef BOXCAR_SHMEM_LOCKS_H
#define BOXCAR_SHMEM_LOCKS_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* Returns when the calling PE has the lock. */
void shmem_set_lock(long* lock);
/* Completes the PE's puts, and releases the lock. */
void shmem_clear_lock(long* lock);
/* Returns 0 if the calling PE has got the lock, and 1 if another PE has the lock. */
int shmem_test_lock(long* lock);

BOXCAR_SHMEM_END

#endif
