/* The header lists the types for which OpenSHMEM 1.5 has functions, and the handles and constants
 * of shmem.h. Source: OpenSHMEM 1.5, section 6 and tables 3 to 10.
 *
 * A list `LIST(DO, OP)` calls DO(OP, NAME, TYPE) for each type: the functions of the families are
 * made from the lists, in the header and in the library.
 */
#ifndef BOXCAR_SHMEM_TYPES_H
#define BOXCAR_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define BOXCAR_SHMEM_BEGIN extern "C" {
#define BOXCAR_SHMEM_END }
#else
#define BOXCAR_SHMEM_BEGIN
#define BOXCAR_SHMEM_END
#endif

/* --- Lists of types ------------------------------------------------------------------------------
 * The lists that end in _KINDS have each type of the language once, for the type-generic names. */
/* clang-format off */
#define BOXCAR_SHMEM_AMO_KINDS(DO, OP) \
  DO(OP, int, int) DO(OP, long, long) DO(OP, longlong, long long) \
  DO(OP, uint, unsigned int) DO(OP, ulong, unsigned long) DO(OP, ulonglong, unsigned long long)
#define BOXCAR_SHMEM_AMO_NAMES(DO, OP) \
  DO(OP, int32, int32_t) DO(OP, int64, int64_t) DO(OP, uint32, uint32_t) DO(OP, uint64, uint64_t) \
  DO(OP, size, size_t) DO(OP, ptrdiff, ptrdiff_t)
#define BOXCAR_SHMEM_AMO_TYPES(DO, OP) \
  BOXCAR_SHMEM_AMO_KINDS(DO, OP) BOXCAR_SHMEM_AMO_NAMES(DO, OP)

/* Atomic fetch, set and swap have functions for floating-point types, too. */
#define BOXCAR_SHMEM_EXTENDED_KINDS(DO, OP) \
  BOXCAR_SHMEM_AMO_KINDS(DO, OP) DO(OP, float, float) DO(OP, double, double)
#define BOXCAR_SHMEM_EXTENDED_TYPES(DO, OP) \
  BOXCAR_SHMEM_EXTENDED_KINDS(DO, OP) BOXCAR_SHMEM_AMO_NAMES(DO, OP)

/* int32_t and int64_t stand for int and long in type-generic names. */
#define BOXCAR_SHMEM_BITWISE_KINDS(DO, OP) \
  DO(OP, uint, unsigned int) DO(OP, ulong, unsigned long) DO(OP, ulonglong, unsigned long long) \
  DO(OP, int32, int32_t) DO(OP, int64, int64_t)
#define BOXCAR_SHMEM_BITWISE_TYPES(DO, OP) \
  BOXCAR_SHMEM_BITWISE_KINDS(DO, OP) DO(OP, uint32, uint32_t) DO(OP, uint64, uint64_t)

#define BOXCAR_SHMEM_SYNC_KINDS(DO, OP) \
  BOXCAR_SHMEM_AMO_KINDS(DO, OP) DO(OP, short, short) DO(OP, ushort, unsigned short)
#define BOXCAR_SHMEM_SYNC_TYPES(DO, OP) \
  BOXCAR_SHMEM_SYNC_KINDS(DO, OP) BOXCAR_SHMEM_AMO_NAMES(DO, OP)

#define BOXCAR_SHMEM_SMALL_NAMES(DO, OP) \
  DO(OP, int8, int8_t) DO(OP, int16, int16_t) DO(OP, uint8, uint8_t) DO(OP, uint16, uint16_t)
#define BOXCAR_SHMEM_FLOATING(DO, OP) \
  DO(OP, float, float) DO(OP, double, double) DO(OP, longdouble, long double)
#define BOXCAR_SHMEM_RMA_KINDS(DO, OP) \
  BOXCAR_SHMEM_SYNC_KINDS(DO, OP) BOXCAR_SHMEM_FLOATING(DO, OP) \
  DO(OP, char, char) DO(OP, schar, signed char) DO(OP, uchar, unsigned char)
#define BOXCAR_SHMEM_RMA_TYPES(DO, OP) \
  BOXCAR_SHMEM_RMA_KINDS(DO, OP) BOXCAR_SHMEM_AMO_NAMES(DO, OP) BOXCAR_SHMEM_SMALL_NAMES(DO, OP)

/* Reductions of teams: AND, OR and XOR; MAX and MIN; SUM and PROD. */
#define BOXCAR_SHMEM_BITS_KINDS(DO, OP) \
  DO(OP, uchar, unsigned char) DO(OP, ushort, unsigned short) DO(OP, uint, unsigned int) \
  DO(OP, ulong, unsigned long) DO(OP, ulonglong, unsigned long long) \
  DO(OP, int8, int8_t) DO(OP, int16, int16_t) DO(OP, int32, int32_t) DO(OP, int64, int64_t)
#define BOXCAR_SHMEM_BITS_TYPES(DO, OP) \
  BOXCAR_SHMEM_BITS_KINDS(DO, OP) DO(OP, uint8, uint8_t) DO(OP, uint16, uint16_t) \
  DO(OP, uint32, uint32_t) DO(OP, uint64, uint64_t) DO(OP, size, size_t)
#define BOXCAR_SHMEM_COMPLEX(DO, OP) \
  DO(OP, complexf, boxcar_shmem_complexf) DO(OP, complexd, boxcar_shmem_complexd)
#define BOXCAR_SHMEM_SUM_KINDS(DO, OP) BOXCAR_SHMEM_RMA_KINDS(DO, OP) BOXCAR_SHMEM_COMPLEX(DO, OP)
#define BOXCAR_SHMEM_SUM_TYPES(DO, OP) BOXCAR_SHMEM_RMA_TYPES(DO, OP) BOXCAR_SHMEM_COMPLEX(DO, OP)

/* Reductions of active sets. */
#define BOXCAR_SHMEM_OLD_BITS_TYPES(DO, OP) \
  DO(OP, short, short) DO(OP, int, int) DO(OP, long, long) DO(OP, longlong, long long)
#define BOXCAR_SHMEM_OLD_ORDER_TYPES(DO, OP) \
  BOXCAR_SHMEM_OLD_BITS_TYPES(DO, OP) BOXCAR_SHMEM_FLOATING(DO, OP)
#define BOXCAR_SHMEM_OLD_SUM_TYPES(DO, OP) \
  BOXCAR_SHMEM_OLD_ORDER_TYPES(DO, OP) BOXCAR_SHMEM_COMPLEX(DO, OP)

/* Sizes of elements of the functions that are named after a size, in bits and bytes. */
#define BOXCAR_SHMEM_SIZES(DO) DO(8, 1) DO(16, 2) DO(32, 4) DO(64, 8) DO(128, 16)
/* clang-format on */

/* C++ has no keyword for the types; the layout is the layout of std::complex. */
__extension__ typedef float _Complex boxcar_shmem_complexf;
__extension__ typedef double _Complex boxcar_shmem_complexd;

/* --- Handles and constants -------------------------------------------------------------------- */

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Boxcar"

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

/* The comparisons of functions that wait and test. */
enum boxcar_shmem_comparison {
  SHMEM_CMP_EQ,
  SHMEM_CMP_NE,
  SHMEM_CMP_GT,
  SHMEM_CMP_LE,
  SHMEM_CMP_LT,
  SHMEM_CMP_GE
};

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#define SHMEM_MALLOC_ATOMICS_REMOTE (1L << 0)
#define SHMEM_MALLOC_SIGNAL_REMOTE (1L << 1)

/* A context groups operations for completion. Contexts made from a team number PEs as the team
 * does. */
typedef struct boxcar_shmem_context* shmem_ctx_t;
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)
#define SHMEM_CTX_SERIALIZED (1L << 0)
#define SHMEM_CTX_PRIVATE (1L << 1)
#define SHMEM_CTX_NOSTORE (1L << 2)

typedef struct boxcar_shmem_team* shmem_team_t;
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)
#define SHMEM_TEAM_NUM_CONTEXTS (1L << 0)
typedef struct {
  int num_contexts;
} shmem_team_config_t;

/* Work arrays of the collectives of active sets: `long` elements, the first values of which are
 * SHMEM_SYNC_VALUE. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 4
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

/* The names of the constants before OpenSHMEM 1.2. */
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

#endif
