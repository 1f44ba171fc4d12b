// One-sided operations on elements of 8 bytes, to be counted. Each function executes `n`
// operations, and counts them in the tally.
#pragma once

#include <cstddef>

#include "client_loop.hpp"

// To a PE of the node.
void put(boxcar::world& w, std::size_t n, table& tally);
void get(boxcar::world& w, std::size_t n, table& tally);
void add(boxcar::world& w, std::size_t n, table& tally);
void fetch_add(boxcar::world& w, std::size_t n, table& tally);
// To a PE of another node: PE 0 puts, PE 1 counts.
void counting_put(boxcar::world& w, std::size_t n, table& tally);
void aggregated_append(boxcar::world& w, std::size_t n, table& tally);
