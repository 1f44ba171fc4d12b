/* Biconveyors in C: queries with replies (conveyors-2019, section 6.1). What convey.h says about
 * worlds, errors, options and collective functions holds here as well.
 */
#ifndef BOXCAR_BICONVEY_H
#define BOXCAR_BICONVEY_H

#include "convey.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each query that is pushed gets one reply; a PE pulls its replies in the order in which it pushed
 * the queries. Queries have one size in a session, replies another. Always steady: it is enough
 * that every PE keeps calling biconvey_advance. */
typedef struct biconvey biconvey_t;

/* Constructors: as those of convey.h. `capacity` and `max_bytes` are for queries and replies. */
biconvey_t* biconvey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                         uint64_t options);
biconvey_t* biconvey_new_simple(size_t capacity, const convey_alc8r_t* alloc,
                                const convey_mpp_a2a_t* a2a, uint64_t options);
biconvey_t* biconvey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers,
                                const convey_alc8r_t* alloc, uint64_t options);

/* Collective. Legal while dormant. `answer` is called on the PE to which a query was pushed, from
 * within biconvey_advance or any other of these functions, and writes the reply; `query` and
 * `reply` may have any alignment, and it must not use the biconveyor. `context` is handed to it. */
int biconvey_begin(biconvey_t*, size_t query_bytes, size_t reply_bytes,
                   void (*answer)(const void* query, void* reply, void* context), void* context);

/* Legal while working. Asks `pe`; convey_FAIL: no room now. */
int biconvey_push(biconvey_t*, const void* query, int64_t pe);

/* Legal unless dormant. The reply to the oldest query of this PE whose reply has not been pulled;
 * convey_FAIL: it is not here yet. */
int biconvey_pull(biconvey_t*, void* reply);

/* As convey_advance; it does not wait for items to be pulled to make progress. */
int biconvey_advance(biconvey_t*, bool done);

/* As convey_reset and convey_free. */
int biconvey_reset(biconvey_t*);
int biconvey_free(biconvey_t*);

#ifdef __cplusplus
}
#endif

#endif
