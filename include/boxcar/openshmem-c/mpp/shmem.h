/* The header is shmem.h by the name that it had before OpenSHMEM. */
#ifndef BOXCAR_OPENSHMEM_MPP_SHMEM_H
#define BOXCAR_OPENSHMEM_MPP_SHMEM_H

#include <shmem.h>

#endif
