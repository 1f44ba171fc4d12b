/* Compression of the buffers that leave a node. docs/c-interface.md has an example of a codec. */
#ifndef BOXCAR_CONVEY_CODEC_H
#define BOXCAR_CONVEY_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What travels over a hop in one session. */
typedef struct convey_cargo {
  size_t tag_size;    /* bytes of a tag, in front of its item; may be 0 */
  size_t item_size;   /* bytes of an item, as given to convey_begin */
  size_t packet_size; /* bytes of a packet in the buffers of the conveyor: tag, item, padding */
  size_t max_items;   /* packets that a buffer holds at most */
  void* arg;          /* as given to convey_set_codec */
} convey_cargo_t;

/* How a codec wants to find things in memory. */
typedef struct convey_layout {
  /* Of uncompressed and, but for `offset`, of compressed buffers: a power of two from 8 to
   * CONVEY_MAX_ALIGN. */
  size_t align;
  /* From one packet to the next in an uncompressed buffer: at least tag_size + item_size. What lies
   * between the packets is arbitrary. */
  size_t stride;
  /* Packets behind those of an uncompressed buffer that `compress` may read and write, and
   * `decompress` may write. */
  size_t slack;
  /* How far behind a multiple of `align` compressed data begin. */
  size_t offset;
  /* Bytes behind compressed data that `compress` may write, and `decompress` may read and write. */
  size_t overrun;
} convey_layout_t;

/* All functions are called locally, on the PE that sends or receives. `link_data` is what `link`
 * has returned for the link and the direction; NULL if there is no `link`. */
typedef struct convey_codec {
  const char* name;
  /* Fills in the layout, or returns false if it cannot work on such cargo: then all buffers of the
   * session are sent as they are. */
  bool (*plan)(const convey_cargo_t*, convey_layout_t*);
  /* May be NULL. Makes what `compress` (or, if `decompress`, `decompress`) keeps for one link. */
  void* (*link)(const convey_cargo_t*, bool decompress);
  /* Compresses the packets in `inbuf`, which it may change, into the `limit` bytes of `outbuf`, and
   * returns how many bytes these have become. 0: the buffer is sent as it is. */
  size_t (*compress)(const convey_cargo_t*, void* link_data, size_t n_items, void* inbuf,
                     size_t limit, void* outbuf);
  /* The reverse: `n_bytes` of `inbuf`, which it may change, become `n_items` packets. */
  void (*decompress)(const convey_cargo_t*, void* link_data, size_t n_items, size_t n_bytes,
                     void* inbuf, void* outbuf);
  /* May be NULL. Disposes of what `link` has made. */
  void (*unlink)(const convey_cargo_t*, void* link_data);
} convey_codec_t;

/* Squeezes out the bits or bytes that are the same in all packets of a buffer. A conveyor made with
 * convey_opt_COMPRESS uses it unless convey_set_codec gives it another. */
extern const convey_codec_t convey_standard_codec;

#ifdef __cplusplus
}
#endif

#endif
