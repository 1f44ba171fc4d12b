/* Conveyors in C: the published interface of Maley and DeVinney (conveyors-2019), so that programs
 * written against it compile unchanged. docs/c-interface.md explains it.
 *
 * A conveyor lives in the world that the program was started in; the first call of any function
 * joins that world. All calls on a PE are made by the same thread.
 *
 * "Collective" functions are called by all PEs in the same order. No function exits the program or
 * waits for a PE that is gone. What a function refuses has no effect; unless convey_opt_QUIET was
 * given to the constructor, the reason is printed on standard error, once for each kind of refusal.
 */
#ifndef BOXCAR_CONVEY_H
#define BOXCAR_CONVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "convey_alc8r.h"
#include "convey_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Values ------------------------------------------------------------------------------------*/

/* What functions with an int as result return: positive is success, 0 an ordinary failure, which
 * may be a success later, and negative an error (convey_error). */
enum convey_status {
  convey_DONE = 0, /* of convey_advance: the conveyor is complete */
  convey_FAIL = 0, /* of all others: no room, nothing there */
  convey_OK = 1,
  convey_NEAR = 2, /* of convey_advance: nothing more will arrive */
};

/* Errors. Programs that are to work with other implementations only ask whether a status is
 * negative. */
enum convey_error {
  convey_error_NULL = -1,    /* the conveyor, or an argument that is needed, is NULL */
  convey_error_STATE = -2,   /* the operation is illegal in the conveyor's state */
  convey_error_RANGE = -3,   /* there is no such PE */
  convey_error_SIZE = -4,    /* a size of zero, over a bound, or not the same on all PEs */
  convey_error_MISFIT = -5,  /* a plain pull, but the next item does not have the default size */
  convey_error_RIGID = -6,   /* an elastic operation on a conveyor that is not elastic */
  convey_error_MEMORY = -7,  /* the allocator or the machine has no memory left */
  convey_error_WORLD = -8,   /* another PE has failed or left */
  convey_error_USAGE = -9,   /* an argument that cannot work, or differs between PEs */
  convey_error_FAILURE = -10 /* anything else */
};

/* A feature only adds to what a conveyor promises. */
enum convey_feature {
  convey_ELASTIC = 1, /* items of any size: convey_epush, convey_epull */
  convey_STEADY = 2,  /* holds nothing back: delivers without an endgame */
  convey_THRIFTY = 4, /* compresses what leaves a node */
};

/* For convey_statistic; of this PE. */
enum convey_statistic {
  convey_BEGINS = 0, /* sessions */
  convey_PUSHES,     /* that succeeded */
  convey_PULLS,      /* that succeeded */
  convey_UNPULLS,    /* that succeeded */
  convey_ADVANCES,   /* while not complete */
  convey_COMMS,      /* buffers sent */
  convey_SYNCS,      /* synchronisations of all PEs */
  convey_BYTES,      /* bytes in those buffers */
  convey_CUMULATIVE, /* added to any other: since construction, not since begin */
};

enum convey_option {
  convey_opt_RECKLESS =
      0x01,                  /* permits to leave out checks; they cost nothing here, and are made */
  convey_opt_DYNAMIC = 0x02, /* hold buffers only from begin to reset */
  convey_opt_QUIET = 0x04,   /* print nothing */
  convey_opt_SCATTER = 0x08, /* destinations are so many that buffers do not fit in the cache */
  convey_opt_PROGRESS = 0x10, /* be steady */
  convey_opt_ALERT = 0x20,    /* print what is likely to cost performance */
  convey_opt_COMPRESS = 0x40, /* compress what leaves a node, if the conveyor can */
};

enum convey_expert_option {
  convey_opt_STANDARD = 0x100000, /* no special buffer formats: there are none */
  convey_opt_BLOCKING = 0x200000, /* no non-blocking puts: there are none */
};

/* The strictest alignment that convey_begin can be asked for. */
#define CONVEY_MAX_ALIGN 64

/* Such as "0.1.0". */
extern const char convey_version[];

/* --- Types -------------------------------------------------------------------------------------*/

typedef struct convey convey_t;

/* An item as convey_epull finds it. */
typedef struct {
  size_t bytes;
  void* data;   /* valid until the next pull or unpull */
  int64_t from; /* the PE that pushed it */
} convey_item_t;

/* Strategies of synchronous exchange. There is one: give NULL. */
typedef struct convey_mpp_a2a convey_mpp_a2a_t;

/* --- Constructors ------------------------------------------------------------------------------*/

/* All are collective, and return NULL on all PEs if the conveyor cannot be made. The conveyor is
 * dormant.
 *
 * `n_local` is the number of PEs of a local group, within which the first and third hop stay; it
 * must divide the number of PEs. 0: as the environment variable CONVEY_NLOCAL says; or else the PEs
 * per node, if that divides the number of PEs; or else 1.
 * `alloc` may be NULL.
 * `options` is a union of convey_option and convey_expert_option, the same on all PEs.
 */

/* Chooses the conveyor for a bound on its memory, in bytes per PE; SIZE_MAX: no bound. If nothing
 * fits, the smallest is made. The environment variable CONVEY_BUFFER_SIZE says how large buffers
 * should be. */
convey_t* convey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                     uint64_t options);

/* As convey_new, but elastic. No item will be larger than `item_bound`. */
convey_t* convey_new_elastic(size_t item_bound, size_t max_bytes, size_t n_local,
                             const convey_alc8r_t* alloc, uint64_t options);

/* Synchronous, one hop. `capacity`: bytes of a buffer. */
convey_t* convey_new_simple(size_t capacity, const convey_alc8r_t* alloc,
                            const convey_mpp_a2a_t* a2a, uint64_t options);

/* Synchronous, two hops: along rows of `row_procs` PEs (0: as n_local), then along columns. */
convey_t* convey_new_twohop(size_t capacity, size_t row_procs, const convey_alc8r_t* alloc,
                            uint64_t options);

/* Asynchronous, 1 to 3 hops. `n_buffers`: buffers per link, a power of two; more than 4 are taken
 * for 4. n_local does not count if `order` is 1. */
convey_t* convey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers,
                            const convey_alc8r_t* alloc, uint64_t options);

/* Asynchronous and elastic. Items of up to `monster_bytes` can be sent; those that do not fit in a
 * buffer of `buffer_bytes` are fetched from their sender one by one. */
convey_t* convey_new_etensor(size_t buffer_bytes, size_t monster_bytes, int order, size_t n_local,
                             size_t n_buffers, const convey_alc8r_t* alloc, uint64_t options);

/* --- Methods -----------------------------------------------------------------------------------*/

/* Collective. Legal while dormant; the conveyor is then working. Items have `item_bytes`; on an
 * elastic conveyor those of convey_push and convey_pull. Items that convey_apull and convey_epull
 * give lie at multiples of `align`. If that is not a power of two, or does not divide item_bytes,
 * or exceeds CONVEY_MAX_ALIGN, it stands for the largest power of two up to CONVEY_MAX_ALIGN that
 * divides item_bytes. */
int convey_begin(convey_t* c, size_t item_bytes, size_t align);

/* Legal while working. Sends a copy of the item to `pe`; convey_FAIL: no room now. */
int convey_push(convey_t* c, const void* item, int64_t pe);

/* Elastic only. The same with an item of any size; `item` may be NULL if that is 0. */
int convey_epush(convey_t* c, size_t bytes, const void* item, int64_t pe);

/* Legal unless dormant. Takes the next item, and tells who pushed it; convey_FAIL: there is none
 * now. `from` may be NULL. On an elastic conveyor an error if the next item does not have the
 * default size: it is still the next. */
int convey_pull(convey_t* c, void* item, int64_t* from);

/* The same without a copy: a pointer that is valid until the next pull or unpull. NULL where
 * convey_pull would not return convey_OK. */
void* convey_apull(convey_t* c, int64_t* from);

/* Elastic only. The next item, whatever its size. If there is none, result->data is NULL; a
 * conveyor that is dormant has none. */
int convey_epull(convey_t* c, convey_item_t* result);

/* Legal unless dormant. Puts the item that was pulled last back: it is the next again. convey_FAIL:
 * the last pull found nothing, or was undone, or the conveyor is complete. */
int convey_unpull(convey_t* c);

/* Moves items on. `done`: this PE pushes nothing more in this session. Once said, that holds: in
 * further calls `done` makes no difference. Legal unless dormant. Returns convey_OK, convey_NEAR
 * when nothing more will arrive, convey_DONE when everything has also been pulled here. */
int convey_advance(convey_t* c, bool done);

/* Collective. Legal while complete; does nothing while dormant. The conveyor is then dormant. */
int convey_reset(convey_t* c);

/* Collective. Legal while dormant or complete. NULL is fine. After convey_error_WORLD it is legal
 * in every state, and local. */
int convey_free(convey_t* c);

/* Collective. Legal while dormant. What compresses from the next session on; NULL: nothing does.
 * `arg` is handed to the codec. convey_FAIL: this conveyor was not made with convey_opt_COMPRESS,
 * or is of a kind that does not compress. */
int convey_set_codec(convey_t* c, const convey_codec_t* codec, void* arg);

/* The item_bytes of the session; 0 while dormant. */
size_t convey_item_size(convey_t* c);

/* A union of convey_feature. */
uint64_t convey_features(convey_t* c);

/* A count of the current session, or the last one while dormant; with convey_CUMULATIVE added, of
 * all. -1: there is no such count. */
int64_t convey_statistic(convey_t* c, int which);

/* What a status means, in a few words. Never NULL. */
const char* convey_error_string(convey_t* c, int error);

#ifdef __cplusplus
}
#endif

#include "convey_inl.h"

#endif
