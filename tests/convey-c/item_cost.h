/* What each PE does in `item_cost`, which counts what an item costs. */
#ifndef ITEM_COST_H
#define ITEM_COST_H

#ifdef __cplusplus
extern "C" {
#endif

/* Collective. Sends `n` items in the way that `name` says, to all PEs in turn. Returns how many
 * arrived here, or a negative number. */
long send_items(const char* name, long n);

#ifdef __cplusplus
}
#endif

#endif
