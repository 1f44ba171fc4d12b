/* The header defines the codecs that compress the buffers to other nodes. docs/c-interface.md has
 * an example of a codec. */
#ifndef BOXCAR_CONVEY_CODEC_H
#define BOXCAR_CONVEY_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The data that travel over a hop in one session. */
typedef struct convey_cargo {
  size_t tag_size;    /* bytes of a tag, in front of its item; may be 0 */
  size_t item_size;   /* bytes of an item, as given to convey_begin */
  size_t packet_size; /* bytes of a packet in the buffers of the conveyor: tag, item, padding */
  size_t max_items;   /* packets that a buffer holds at most */
  void* arg;          /* as given to convey_set_codec */
} convey_cargo_t;

/* The memory layout that a codec needs. */
typedef struct convey_layout {
  /* The alignment of uncompressed buffers and, except for `offset`, of compressed buffers: a power
   * of two from 8 to CONVEY_MAX_ALIGN. */
  size_t align;
  /* The distance from a packet to the next packet in an uncompressed buffer: at least tag_size +
   * item_size. Bytes between the packets are arbitrary. */
  size_t stride;
  /* Packets behind the packets of an uncompressed buffer that `compress` may read and write, and
   * `decompress` may write. */
  size_t slack;
  /* The compressed data begin `offset` bytes behind a multiple of `align`. */
  size_t offset;
  /* Bytes behind compressed data that `compress` may write, and `decompress` may read and write. */
  size_t overrun;
} convey_layout_t;

/* A codec of the client. All functions are called locally, on the PE that sends or receives.
 * `link_data` is the result of `link` for the link and the direction; NULL if there is no
 * `link`. */
typedef struct convey_codec {
  const char* name;
  /* Fills in the layout, or returns false if the codec cannot work on the cargo: then all buffers
   * of the session are sent uncompressed. */
  bool (*plan)(const convey_cargo_t*, convey_layout_t*);
  /* May be NULL. Makes the state of `compress` (or, if `decompress`, of `decompress`) for one
   * link. */
  void* (*link)(const convey_cargo_t*, bool decompress);
  /* Compresses the packets in `inbuf`, which the codec may change, into the `limit` bytes of
   * `outbuf`, and returns the number of compressed bytes. 0: the buffer is sent uncompressed. */
  size_t (*compress)(const convey_cargo_t*, void* link_data, size_t n_items, void* inbuf,
                     size_t limit, void* outbuf);
  /* Decompresses `n_bytes` of `inbuf`, which the codec may change, to `n_items` packets. */
  void (*decompress)(const convey_cargo_t*, void* link_data, size_t n_items, size_t n_bytes,
                     void* inbuf, void* outbuf);
  /* May be NULL. Frees the result of `link`. */
  void (*unlink)(const convey_cargo_t*, void* link_data);
} convey_codec_t;

/* The codec that removes the bits or bytes that are equal in all packets of a buffer. A conveyor
 * made with convey_opt_COMPRESS uses the standard codec unless convey_set_codec sets another
 * codec. */
extern const convey_codec_t convey_standard_codec;

#ifdef __cplusplus
}
#endif

#endif
