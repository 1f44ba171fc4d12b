/* The header has the part of convey_push and convey_pull that nearly every item needs, to be
 * inlined where they are called. Not for clients: everything may change with every version.
 */
#ifndef BOXCAR_CONVEY_INL_H
#define BOXCAR_CONVEY_INL_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
/* The library accesses the cursors by another type. */
typedef unsigned char* convey_inl_cursor __attribute__((may_alias));
#else
typedef unsigned char* convey_inl_cursor;
#endif

/* The state of the inlined functions, for items of 8 bytes in a conveyor of one hop. */
struct convey {
  /* The number of PEs that may be pushed to, and for each PE, the place of the next item, and the
   * end of the room. 0 where a push has more to do than to copy the item, or items have another
   * size. */
  uint64_t pes;
  convey_inl_cursor* lanes;
  /* The place of the next item, the end of the items in the same buffer, and the PE that has sent
   * the items. Two equal cursors where a pull has more to do than to copy the item, or items have
   * another size. */
  convey_inl_cursor* read;
  const convey_inl_cursor* read_limit;
  const uint32_t* source;
};

/* convey_push and convey_pull for all other cases. */
int convey_inl_push(convey_t* c, const void* item, int64_t pe);
int convey_inl_pull(convey_t* c, void* item, int64_t* from);

#if defined(__GNUC__)

/* With these attributes a definition is used for inlining only; the library has the function. */
#if !defined(BOXCAR_CONVEY_INLINE)
#define BOXCAR_CONVEY_INLINE extern inline __attribute__((gnu_inline))
#endif

/* False if the compiler sees that there are fewer bytes: otherwise the compiler would warn of a
 * case that never happens. */
#define BOXCAR_CONVEY_MAY_HOLD_8(item) \
  ((item) != NULL && __builtin_object_size(item, 0) >= sizeof(uint64_t))

BOXCAR_CONVEY_INLINE int convey_push(convey_t* c, const void* item, int64_t pe) {
  if (c != NULL && BOXCAR_CONVEY_MAY_HOLD_8(item) && (uint64_t)pe < c->pes) {
    convey_inl_cursor* const lane = c->lanes + 2 * pe;
    if (lane[0] != lane[1]) {
      /* Asks for a cache line that will be written soon (see detail/write_ahead.hpp). */
#if defined(__x86_64__)
      __asm__ volatile("prefetchw %0" : : "m"(lane[0][512]));
#else
      __builtin_prefetch(lane[0] + 512, 1);
#endif
      __builtin_memcpy(lane[0], item, sizeof(uint64_t));
      lane[0] += sizeof(uint64_t);
      return convey_OK;
    }
  }
  return convey_inl_push(c, item, pe);
}

BOXCAR_CONVEY_INLINE int convey_pull(convey_t* c, void* item, int64_t* from) {
  if (c != NULL && BOXCAR_CONVEY_MAY_HOLD_8(item) && *c->read != *c->read_limit) {
    __builtin_memcpy(item, *c->read, sizeof(uint64_t));
    *c->read += sizeof(uint64_t);
    if (from != NULL) *from = *c->source;
    return convey_OK;
  }
  return convey_inl_pull(c, item, from);
}

#undef BOXCAR_CONVEY_MAY_HOLD_8
#undef BOXCAR_CONVEY_INLINE

#endif

#ifdef __cplusplus
}
#endif

#endif
