/* The header gives biconveyors in C: queries with replies (conveyors-2019, section 6.1). The rules
 * of convey.h about worlds, errors, options and collective functions apply.
 */
#ifndef BOXCAR_BICONVEY_H
#define BOXCAR_BICONVEY_H

#include "convey.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A biconveyor returns one reply to each query; a PE pulls replies in the order of the queries'
 * pushes. In a session, all queries have one size, and all replies have one size. Always steady: it
 * is enough that every PE keeps calling biconvey_advance. */
typedef struct biconvey biconvey_t;

/* The constructors behave as the constructors of convey.h. `capacity` and `max_bytes` are for
 * queries and replies. */
biconvey_t* biconvey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                         uint64_t options);
biconvey_t* biconvey_new_simple(size_t capacity, const convey_alc8r_t* alloc,
                                const convey_mpp_a2a_t* a2a, uint64_t options);
biconvey_t* biconvey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers,
                                const convey_alc8r_t* alloc, uint64_t options);

/* Collective. Legal while dormant. Starts a session. `answer` is called on the PE to which a query
 * was pushed, from within biconvey_advance or any other function of the biconveyor, and writes the
 * reply; `query` and `reply` may have any alignment. `answer` must not use the biconveyor.
 * `context` is passed to `answer`. */
int biconvey_begin(biconvey_t*, size_t query_bytes, size_t reply_bytes,
                   void (*answer)(const void* query, void* reply, void* context), void* context);

/* Legal while working. Sends the query to `pe`; returns convey_FAIL if there is no room now. */
int biconvey_push(biconvey_t*, const void* query, int64_t pe);

/* Legal unless dormant. Takes the reply to the PE's oldest query whose reply has not been pulled;
 * returns convey_FAIL if the reply has not arrived. */
int biconvey_pull(biconvey_t*, void* reply);

/* As convey_advance, but makes progress also if no items are pulled. */
int biconvey_advance(biconvey_t*, bool done);

/* As convey_reset and convey_free. */
int biconvey_reset(biconvey_t*);
int biconvey_free(biconvey_t*);

#ifdef __cplusplus
}
#endif

#endif
