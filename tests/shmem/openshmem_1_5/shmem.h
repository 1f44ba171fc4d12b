/* An OpenSHMEM 1.4 that claims to be 1.5, with the function of 1.5 that Boxcar uses if
 * available. The test defines the function (put_signal_test.cpp). */
#pragma once

#include_next <shmem.h>
#include <stddef.h>
#include <stdint.h>

#undef SHMEM_MINOR_VERSION
#define SHMEM_MINOR_VERSION 5
#define SHMEM_SIGNAL_SET 0

#ifdef __cplusplus
extern "C" {
#endif

void shmem_putmem_signal(void* to, const void* from, size_t bytes, uint64_t* signal_at,
                         uint64_t signal, int operation, int pe);

#ifdef __cplusplus
}
#endif
