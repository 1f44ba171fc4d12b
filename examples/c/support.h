/* Support functions of the examples in C. */
#ifndef EXAMPLES_C_SUPPORT_H
#define EXAMPLES_C_SUPPORT_H

#include <stdint.h>

#include "support/philox.h"

/* Returns the argument at the place as a number of at least 1, or `otherwise` if there is none.
 * Exits if the argument is no such number. */
long number_argument(int argc, char* argv[], int place, long otherwise);

/* Zeroed memory. Exits if there is none left. */
void* grab(unsigned long bytes);

/* The random numbers of a PE, by philox_next: the same in every run, and independent of those of
 * other PEs. */
struct philox_stream random_numbers_of(int pe);

#endif
