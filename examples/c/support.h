/* Support functions of the examples in C. */
#ifndef EXAMPLES_C_SUPPORT_H
#define EXAMPLES_C_SUPPORT_H

#include <stdint.h>

/* Returns the argument at the place as a number of at least 1, or `otherwise` if there is none.
 * Exits if the argument is no such number. */
long number_argument(int argc, char* argv[], int place, long otherwise);

/* Zeroed memory. Exits if there is none left. */
void* grab(unsigned long bytes);

/* Random numbers that differ from PE to PE and are the same in every run. */
uint64_t seed_of(int pe);
uint64_t next_random(uint64_t* state);

#endif
