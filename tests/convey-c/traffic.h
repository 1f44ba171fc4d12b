/* Random traffic between all PEs, checked: everything arrives once, in order, with its true
 * source. */
#ifndef TESTS_CONVEY_C_TRAFFIC_H
#define TESTS_CONVEY_C_TRAFFIC_H

#include <convey.h>
#include <stddef.h>

/* Collective. Begins a session, pushes `items` random items of `item_bytes` (at least 8) from every
 * PE, pulls everything, in every way there is, and resets. */
void exchange_items(convey_t* c, size_t item_bytes, long items);

#endif
