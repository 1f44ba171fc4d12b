/* Tests of codecs of the client, and of the standard codec. */
#include <boxcar_world.h>
#include <convey.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "traffic.h"

/* --- Codecs for one purpose each ------------------------------------------------------------ */

/* The calls of the functions below; the functions get it as `arg`. */
struct account {
  int plans, links, unlinks, compressed, decompressed;
};

static struct account* account_of(const convey_cargo_t* cargo) {
  return cargo->arg;
}

static void* count_link(const convey_cargo_t* cargo, bool decompress) {
  account_of(cargo)->links++;
  int* n = malloc(sizeof *n);
  *n = decompress ? -1000000 : 0;
  return n;
}

static void count_unlink(const convey_cargo_t* cargo, void* link_data) {
  account_of(cargo)->unlinks++;
  free(link_data);
}

static void check_cargo(const convey_cargo_t* cargo) {
  CHECK(cargo->packet_size >= cargo->tag_size + cargo->item_size);
  CHECK(cargo->max_items > 0);
}

static bool refuse(const convey_cargo_t* cargo, convey_layout_t* layout) {
  (void)layout;
  account_of(cargo)->plans++;
  check_cargo(cargo);
  return false;
}

static bool plan_plainly(const convey_cargo_t* cargo, convey_layout_t* layout) {
  account_of(cargo)->plans++;
  check_cargo(cargo);
  *layout = (convey_layout_t){8, cargo->tag_size + cargo->item_size, 0, 0, 0};
  return true;
}

static size_t never(const convey_cargo_t* cargo, void* link_data, size_t n_items, void* inbuf,
                    size_t limit, void* outbuf) {
  (void)link_data;
  (void)n_items;
  (void)limit;
  (void)outbuf;
  account_of(cargo)->compressed++;
  memset(inbuf, 0xee, 1); /* allowed: inbuf is a copy */
  return 0;
}

static void unexpected(const convey_cargo_t* cargo, void* link_data, size_t n_items, size_t n_bytes,
                       void* inbuf, void* outbuf) {
  (void)cargo;
  (void)link_data;
  (void)n_items;
  (void)n_bytes;
  (void)inbuf;
  (void)outbuf;
  CHECK(false);
}

/* Drops the last byte of every item, which must be 0, with the most demanding layout. */
static bool plan_awkwardly(const convey_cargo_t* cargo, convey_layout_t* layout) {
  account_of(cargo)->plans++;
  const size_t packet = cargo->tag_size + cargo->item_size;
  *layout = (convey_layout_t){64, (packet + 63) / 64 * 64, 3, 24, 40};
  return true;
}

static size_t drop_last_bytes(const convey_cargo_t* cargo, void* link_data, size_t n_items,
                              void* inbuf, size_t limit, void* outbuf) {
  const size_t packet = cargo->tag_size + cargo->item_size;
  const size_t stride = (packet + 63) / 64 * 64;
  CHECK_EQUAL((uintptr_t)inbuf % 64, 0);
  CHECK_EQUAL((uintptr_t)outbuf % 64, 24);
  CHECK(n_items > 0 && n_items <= cargo->max_items);
  const size_t bytes = n_items * (packet - 1);
  if (bytes > limit) return 0;
  for (size_t i = 0; i < n_items; i++) {
    const unsigned char* from = (unsigned char*)inbuf + i * stride;
    CHECK_EQUAL(from[packet - 1], 0);
    memcpy((unsigned char*)outbuf + i * (packet - 1), from, packet - 1);
  }
  memset((unsigned char*)inbuf + n_items * stride, 0xff, 3 * stride); /* slack */
  memset((unsigned char*)outbuf + bytes, 0xff, 40);                   /* overrun */
  ++*(int*)link_data;
  account_of(cargo)->compressed++;
  return bytes;
}

static void add_last_bytes(const convey_cargo_t* cargo, void* link_data, size_t n_items,
                           size_t n_bytes, void* inbuf, void* outbuf) {
  const size_t packet = cargo->tag_size + cargo->item_size;
  const size_t stride = (packet + 63) / 64 * 64;
  CHECK_EQUAL((uintptr_t)inbuf % 64, 24);
  CHECK_EQUAL((uintptr_t)outbuf % 64, 0);
  CHECK_EQUAL(n_bytes, n_items * (packet - 1));
  CHECK(*(int*)link_data < 0);
  for (size_t i = 0; i < n_items; i++) {
    unsigned char* to = (unsigned char*)outbuf + i * stride;
    memcpy(to, (unsigned char*)inbuf + i * (packet - 1), packet - 1);
    to[packet - 1] = 0;
  }
  memset((unsigned char*)outbuf + n_items * stride, 0xff, 3 * stride);
  memset(inbuf, 0xff, n_bytes + 40);
  account_of(cargo)->decompressed++;
}

/* Returns a size beyond the limit. */
static size_t expand(const convey_cargo_t* cargo, void* link_data, size_t n_items, void* inbuf,
                     size_t limit, void* outbuf) {
  (void)link_data;
  (void)n_items;
  (void)inbuf;
  (void)outbuf;
  account_of(cargo)->compressed++;
  return limit + 1;
}

static bool plan_nonsense(const convey_cargo_t* cargo, convey_layout_t* layout) {
  *layout = (convey_layout_t){3, cargo->item_size / 2, 0, 0, 0};
  return true;
}

static const convey_codec_t refusing = {"refusing", refuse, NULL, never, unexpected, NULL};
static const convey_codec_t declining = {"declining", plan_plainly, count_link,
                                         never,       unexpected,   count_unlink};
static const convey_codec_t dropping = {"dropping",      plan_awkwardly, count_link,
                                        drop_last_bytes, add_last_bytes, count_unlink};
static const convey_codec_t expanding = {"expanding", plan_plainly, NULL, expand, unexpected, NULL};
static const convey_codec_t nonsense = {"nonsense", plan_nonsense, NULL, never, unexpected, NULL};
static const convey_codec_t lacking = {"lacking", plan_plainly, NULL, NULL, unexpected, NULL};

/* --- Sessions ---------------------------------------------------------------------------------*/

static int64_t bytes_sent(convey_t* c) {
  int64_t bytes = convey_statistic(c, convey_BYTES);
  boxcar_sum(&bytes);
  return bytes;
}

/* Every PE sends `n` items to every PE: small numbers, whose last bytes are 0. Returns the bytes
 * sent by all PEs together. */
static int64_t send_small_numbers(convey_t* c, long n) {
  const int64_t pes = boxcar_n_pes();
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  long i = 0;
  int64_t to = 0;
  int64_t pulled = 0;
  uint64_t item, sum = 0;
  while (convey_advance(c, i == n) > 0) {
    while (i < n) {
      item = (uint64_t)i;
      if (convey_push(c, &item, to) != convey_OK) break;
      if (++to == pes) {
        to = 0;
        i++;
      }
    }
    for (; convey_pull(c, &item, NULL) == convey_OK; pulled++) sum += item;
  }
  CHECK_EQUAL(pulled, n * pes);
  CHECK_EQUAL(sum, n * (n - 1) / 2 * pes);
  CHECK_EQUAL(convey_reset(c), convey_OK);
  return bytes_sent(c);
}

static void use(int order) {
  struct account a = {0};
  const bool several_nodes = boxcar_n_local() < boxcar_n_pes();
  convey_t* c = convey_new_tensor(2000, order, 0, 2, NULL, convey_opt_COMPRESS | convey_opt_QUIET);
  CHECK(c != NULL);
  CHECK((convey_features(c) & convey_THRIFTY) != 0);

  /* The standard codec is there from the start; without a codec, all items travel as they are. */
  const int64_t squeezed = send_small_numbers(c, 2000);
  CHECK_EQUAL(convey_set_codec(c, NULL, NULL), convey_OK);
  const int64_t plain = send_small_numbers(c, 2000);
  CHECK(several_nodes ? squeezed < plain : squeezed == plain);
  CHECK_EQUAL(convey_set_codec(c, &convey_standard_codec, NULL), convey_OK);
  const int64_t again = send_small_numbers(c, 2000);
  CHECK(several_nodes ? again < plain : again == plain);

  CHECK_EQUAL(convey_set_codec(c, &refusing, &a), convey_OK);
  CHECK_EQUAL(send_small_numbers(c, 500) > 0, true);
  CHECK((a.plans > 0) == several_nodes);

  a = (struct account){0};
  CHECK_EQUAL(convey_set_codec(c, &declining, &a), convey_OK);
  send_small_numbers(c, 500);
  exchange_items(c, 12, 300);
  CHECK_EQUAL(a.links, a.unlinks);
  int64_t links = a.links;
  boxcar_sum(&links);
  CHECK((links > 0) == several_nodes);

  a = (struct account){0};
  CHECK_EQUAL(convey_set_codec(c, &dropping, &a), convey_OK);
  send_small_numbers(c, 500);
  send_small_numbers(c, 1000);
  int64_t compressed = a.compressed, decompressed = a.decompressed;
  boxcar_sum(&compressed);
  boxcar_sum(&decompressed);
  CHECK_EQUAL(compressed, decompressed);
  CHECK((compressed > 0) == several_nodes);
  CHECK_EQUAL(a.links, a.unlinks);

  CHECK_EQUAL(convey_set_codec(c, &expanding, &a), convey_OK);
  send_small_numbers(c, 500);
  exchange_items(c, 16, 300);

  /* An invalid codec is refused, and the conveyor is as good as before. */
  CHECK_EQUAL(convey_set_codec(c, &lacking, &a), convey_error_NULL);
  CHECK_EQUAL(convey_set_codec(c, &nonsense, &a), convey_OK);
  if (several_nodes) {
    CHECK(convey_begin(c, 8, 0) < 0);
    uint64_t item = 0;
    CHECK_EQUAL(convey_push(c, &item, 0), convey_error_STATE);
  }
  CHECK_EQUAL(convey_set_codec(c, NULL, NULL), convey_OK);
  exchange_items(c, 8, 300);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

/* Tests conveyors made without compression. */
static void cannot(convey_t* c) {
  CHECK((convey_features(c) & convey_THRIFTY) == 0);
  CHECK_EQUAL(convey_set_codec(c, &convey_standard_codec, NULL), convey_FAIL);
  CHECK_EQUAL(convey_set_codec(c, NULL, NULL), convey_FAIL);
  exchange_items(c, 8, 100);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

/* Calls the functions of the standard codec as a derived codec does. */
static void standard_alone(void) {
  enum { ITEMS = 100, WORDS = 4 * ITEMS };
  static uint64_t in[WORDS], out[WORDS], back[WORDS];
  const convey_codec_t* codec = &convey_standard_codec;
  const convey_cargo_t cargo = {0, 8, 8, ITEMS, NULL};
  convey_layout_t layout;
  CHECK(codec->name != NULL);
  CHECK(codec->plan(&cargo, &layout));
  CHECK(layout.stride == 8 && layout.offset < 64 && layout.overrun + layout.slack * 8 < 1000);
  void* sender = codec->link == NULL ? NULL : codec->link(&cargo, false);
  void* receiver = codec->link == NULL ? NULL : codec->link(&cargo, true);
  for (uint64_t i = 0; i < ITEMS; i++) in[i] = i + (UINT64_C(5) << 50);
  const size_t bytes = codec->compress(&cargo, sender, ITEMS, in, sizeof in, out);
  CHECK(bytes > 0 && bytes < 2 * ITEMS);
  codec->decompress(&cargo, receiver, ITEMS, bytes, out, back);
  for (uint64_t i = 0; i < ITEMS; i++) CHECK_EQUAL(back[i], i + (UINT64_C(5) << 50));
  for (uint64_t i = 0; i < ITEMS; i++) in[i] = random_number();
  CHECK_EQUAL(codec->compress(&cargo, sender, ITEMS, in, sizeof in, out), 0);
  if (codec->unlink != NULL) {
    codec->unlink(&cargo, sender);
    codec->unlink(&cargo, receiver);
  }
}

int main(void) {
  seed_random((uint64_t)boxcar_my_pe());
  for (int order = 1; order <= 3; order++) use(order);
  cannot(convey_new_tensor(1000, 1, 0, 2, NULL, 0));
  cannot(convey_new_etensor(1000, 100, 1, 0, 2, NULL, convey_opt_COMPRESS));
  standard_alone();
  return verdict();
}
