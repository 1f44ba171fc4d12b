/* The header gives conveyors in C: the published interface of Maley and DeVinney (conveyors-2019),
 * so that programs written against the published interface compile unchanged. docs/c-interface.md
 * explains the interface.
 *
 * A conveyor lives in the world that the program was started in; the first call of any function
 * joins the world. Thread safety: all calls on a PE are made by the same thread.
 *
 * "Collective" functions are called by all PEs in the same order. No function exits the program or
 * waits for a PE that has left. A refused call has no effect; unless convey_opt_QUIET was given to
 * the constructor, the reason is printed on standard error, once for each kind of refusal.
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

/* The status that functions with an int as result return: positive is success, 0 an ordinary
 * failure (a later call may succeed), and negative an error (convey_error). */
enum convey_status {
  convey_DONE = 0, /* of convey_advance: the conveyor is complete */
  convey_FAIL = 0, /* of all other functions: no room, nothing there */
  convey_OK = 1,
  convey_NEAR = 2, /* of convey_advance: nothing more will arrive */
};

/* The errors. Programs that are to work with other implementations only check whether a status is
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

/* The features of a conveyor. A feature only adds to the guarantees of a conveyor. */
enum convey_feature {
  convey_ELASTIC = 1, /* items of any size: convey_epush, convey_epull */
  convey_STEADY = 2,  /* holds nothing back: delivers without an endgame */
  convey_THRIFTY = 4, /* compresses buffers to other nodes */
};

/* The counts of convey_statistic; of the PE. */
enum convey_statistic {
  convey_BEGINS = 0, /* sessions */
  convey_PUSHES,     /* successful pushes */
  convey_PULLS,      /* successful pulls */
  convey_UNPULLS,    /* successful unpulls */
  convey_ADVANCES,   /* while not complete */
  convey_COMMS,      /* buffers sent */
  convey_SYNCS,      /* synchronisations of all PEs */
  convey_BYTES,      /* bytes in the buffers sent */
  convey_CUMULATIVE, /* added to any other: since construction, not since begin */
};

enum convey_option {
  convey_opt_RECKLESS =
      0x01,                  /* permits to leave out checks; they cost nothing here, and are made */
  convey_opt_DYNAMIC = 0x02, /* hold buffers only from begin to reset */
  convey_opt_QUIET = 0x04,   /* print nothing */
  convey_opt_SCATTER = 0x08, /* destinations are so many that buffers do not fit in the cache */
  convey_opt_PROGRESS = 0x10, /* be steady */
  convey_opt_ALERT = 0x20,    /* print causes of likely performance losses */
  convey_opt_COMPRESS = 0x40, /* compress buffers to other nodes, if the conveyor can */
};

enum convey_expert_option {
  convey_opt_STANDARD = 0x100000, /* no special buffer formats: there are none */
  convey_opt_BLOCKING = 0x200000, /* no non-blocking puts: there are none */
};

/* The strictest alignment that convey_begin can be asked for. */
#define CONVEY_MAX_ALIGN 64

/* The version of Boxcar, for instance "0.2.0". */
extern const char convey_version[];

/* --- Types -------------------------------------------------------------------------------------*/

typedef struct convey convey_t;

/* An item as convey_epull returns it. */
typedef struct {
  size_t bytes;
  void* data;   /* valid until the next pull or unpull */
  int64_t from; /* the PE that pushed it */
} convey_item_t;

/* The strategies of synchronous exchange. There is only one strategy: give NULL. */
typedef struct convey_mpp_a2a convey_mpp_a2a_t;

/* --- Constructors ------------------------------------------------------------------------------*/

/* All constructors are collective, and return NULL on all PEs if the conveyor cannot be made. The
 * conveyor is dormant.
 *
 * `n_local` is the number of PEs of a local group; the first and third hop stay within a group.
 * `n_local` must divide the number of PEs. 0: as the environment variable CONVEY_NLOCAL says; or
 * else the PEs per node, if they divide the number of PEs; or else 1. `alloc` may be NULL.
 * `options` is a union of convey_option and convey_expert_option, the same on all PEs.
 */

/* Chooses the conveyor for a bound on its memory, in bytes per PE; SIZE_MAX: no bound. If nothing
 * fits, the smallest conveyor is made. The environment variable CONVEY_BUFFER_SIZE gives the wanted
 * size of buffers. */
convey_t* convey_new(size_t max_bytes, size_t n_local, const convey_alc8r_t* alloc,
                     uint64_t options);

/* As convey_new, but elastic. Items have at most `item_bound` bytes. */
convey_t* convey_new_elastic(size_t item_bound, size_t max_bytes, size_t n_local,
                             const convey_alc8r_t* alloc, uint64_t options);

/* A synchronous conveyor with one hop. `capacity`: bytes of a buffer. */
convey_t* convey_new_simple(size_t capacity, const convey_alc8r_t* alloc,
                            const convey_mpp_a2a_t* a2a, uint64_t options);

/* A synchronous conveyor with two hops: along rows of `row_procs` PEs (0: as n_local), then along
 * columns. */
convey_t* convey_new_twohop(size_t capacity, size_t row_procs, const convey_alc8r_t* alloc,
                            uint64_t options);

/* An asynchronous conveyor with 1 to 3 hops. `n_buffers`: buffers per link, a power of two; more
 * than 4 are taken for 4. n_local is ignored if `order` is 1. */
convey_t* convey_new_tensor(size_t capacity, int order, size_t n_local, size_t n_buffers,
                            const convey_alc8r_t* alloc, uint64_t options);

/* An asynchronous and elastic conveyor. Items have at most `monster_bytes` bytes; the receiver
 * fetches items that do not fit in a buffer of `buffer_bytes` from their sender one by one
 * (rendezvous). */
convey_t* convey_new_etensor(size_t buffer_bytes, size_t monster_bytes, int order, size_t n_local,
                             size_t n_buffers, const convey_alc8r_t* alloc, uint64_t options);

/* --- Methods -----------------------------------------------------------------------------------*/

/* Collective. Legal while dormant; the conveyor is then working. Items have `item_bytes` bytes; on
 * an elastic conveyor, items of convey_push and convey_pull. Items that convey_apull and
 * convey_epull give lie at multiples of `align`. If `align` is not a power of two, or does not
 * divide item_bytes, or exceeds CONVEY_MAX_ALIGN, `align` stands for the largest power of two up to
 * CONVEY_MAX_ALIGN that divides item_bytes. */
int convey_begin(convey_t* c, size_t item_bytes, size_t align);

/* Legal while working. Sends a copy of the item to `pe`; returns convey_FAIL if there is no room
 * now. */
int convey_push(convey_t* c, const void* item, int64_t pe);

/* Elastic only. As convey_push, with an item of any size; `item` may be NULL if the size is 0. */
int convey_epush(convey_t* c, size_t bytes, const void* item, int64_t pe);

/* Legal unless dormant. Takes the next item, and stores the PE that pushed the item in `from`,
 * which may be NULL; returns convey_FAIL if there is no item now. On an elastic conveyor, returns
 * an error if the next item does not have the default size: the item remains the next item. */
int convey_pull(convey_t* c, void* item, int64_t* from);

/* As convey_pull, without a copy: returns a pointer to the item, valid until the next pull or
 * unpull. NULL where convey_pull would not return convey_OK. */
void* convey_apull(convey_t* c, int64_t* from);

/* Elastic only. Takes the next item, whatever its size. If there is no item, result->data is NULL;
 * a dormant conveyor has no items. */
int convey_epull(convey_t* c, convey_item_t* result);

/* Legal unless dormant. Puts the item that was pulled last back: the item is the next item
 * again. Returns convey_FAIL if the last pull found nothing, or was undone, or the conveyor is
 * complete. */
int convey_unpull(convey_t* c);

/* Makes progress: moves items on. `done`: the PE pushes nothing more in the session. A true `done`
 * is final: in further calls `done` makes no difference. Legal unless dormant. Returns convey_OK,
 * convey_NEAR when nothing more will arrive, convey_DONE when everything has also been pulled on
 * the PE. */
int convey_advance(convey_t* c, bool done);

/* Collective. Legal while complete; does nothing while dormant. The conveyor is then dormant. */
int convey_reset(convey_t* c);

/* Collective. Legal while dormant or complete. NULL is fine. After convey_error_WORLD it is legal
 * in every state, and local. */
int convey_free(convey_t* c);

/* Collective. Legal while dormant. Sets the codec that compresses from the next session on; NULL:
 * no compression. `arg` is passed to the codec. Returns convey_FAIL if the conveyor was not made
 * with convey_opt_COMPRESS, or is of a kind that does not compress. */
int convey_set_codec(convey_t* c, const convey_codec_t* codec, void* arg);

/* Returns the item_bytes of the session; 0 while dormant. */
size_t convey_item_size(convey_t* c);

/* Returns a union of convey_feature. */
uint64_t convey_features(convey_t* c);

/* Returns a count of the current session, or the last session while dormant; with convey_CUMULATIVE
 * added, of all sessions. -1: the count does not exist. */
int64_t convey_statistic(convey_t* c, int which);

/* Returns the meaning of a status, in a few words. Never NULL. */
const char* convey_error_string(convey_t* c, int error);

#ifdef __cplusplus
}
#endif

#include "convey_inl.h"

#endif
