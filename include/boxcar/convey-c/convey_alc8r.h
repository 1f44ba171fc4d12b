/* The header defines the allocator of a conveyor. docs/c-interface.md lists the memory that comes
 * from the allocator. */
#ifndef BOXCAR_CONVEY_ALC8R_H
#define BOXCAR_CONVEY_ALC8R_H

#include <stddef.h>
#include <stdint.h>

/* An allocator of the client. Its functions are called collectively, by the constructor (or, with
 * convey_opt_DYNAMIC, by convey_begin) and by convey_free (convey_reset): on all PEs in the same
 * order, with the same sizes; memory is freed in the reverse order of the grabs. The structure is
 * copied; the object of `alc8r` must live as long as the conveyor.
 *
 * Memory may have any alignment and any content. If `grab` returns NULL on one PE, the constructor
 * returns NULL on all PEs, or convey_begin fails on all, and everything that was grabbed is freed.
 */
typedef struct convey_alc8r {
  void* alc8r; /* passed to both functions */
  /* `tag` and `value` describe the purpose of the memory. */
  void* (*grab)(void* alc8r, size_t size, const char* tag, uint64_t value);
  void (*free)(void* alc8r, void* ptr);
} convey_alc8r_t;

#endif
