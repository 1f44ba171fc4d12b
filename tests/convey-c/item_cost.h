/* The program of each PE in `item_cost`, which measures the cost of an item. */
#ifndef ITEM_COST_H
#define ITEM_COST_H

#ifdef __cplusplus
extern "C" {
#endif

/* Collective. Sends `n` items by the case `name`, to all PEs in turn. Returns the number of
 * arrivals on the PE, or a negative number. */
long send_items(const char* name, long n);

#ifdef __cplusplus
}
#endif

#endif
