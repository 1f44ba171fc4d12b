/* The header declares the functions for symmetric memory. All of them are collective, with the same
 * arguments on all PEs. Source: OpenSHMEM 1.5, section 9.3. */
#ifndef BOXCAR_SHMEM_MEMORY_H
#define BOXCAR_SHMEM_MEMORY_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* The heap has SHMEM_SYMMETRIC_SIZE bytes on each PE (an environment variable: 64M if not set). The
 * functions return NULL if the heap has no room; a message on standard error says so. Memory is
 * aligned to 64 bytes. */
void* shmem_malloc(size_t size);
/* The memory is zero on all PEs when the function returns. */
void* shmem_calloc(size_t count, size_t size);
/* `alignment` is a power of two and at most 4096; otherwise the function returns NULL. */
void* shmem_align(size_t alignment, size_t size);
/* Keeps the content, as much as fits. Without room the function returns NULL, and the memory stays
 * as it is. */
void* shmem_realloc(void* memory, size_t size);
/* Equals shmem_malloc: all memory suits all hints. */
void* shmem_malloc_with_hints(size_t size, long hints);
void shmem_free(void* memory);

BOXCAR_SHMEM_END

#endif
