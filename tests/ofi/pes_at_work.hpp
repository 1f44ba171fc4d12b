// Programs for PEs of any world over the substrate: buffers, requests, large items, windows. Each
// program checks all arrivals.
#pragma once

#include <boxcar/boxcar.hpp>

namespace boxcar::test {

// The least size of the buffers of conveyors here, which identifies their messages.
inline constexpr std::size_t least_of_buffers = 4096;

void meet(world& w, int times);
// Every PE sends `items` items to each PE, in buffers.
void exchange_items(world& w, int items);
// Every PE sends an item of `bytes` bytes to each PE.
void exchange_large_items(world& w, std::size_t bytes);
// The first PE sends one item of `bytes` bytes to the last PE.
void send_large_item(world& w, std::size_t bytes);
// Puts and gets `elements` elements, one by one and many at once, with synchronisation.
void use_window(world& w, std::size_t elements);
// All PEs change words of memory by requests.
void count_together(world& w, int times);
// Each PE puts `blocks` blocks into the memory of each other PE, with a count of messages or of
// bytes.
void count_puts(world& w, std::size_t elements, int blocks, counts what = counts::messages);
// Parts of the world with conveyors of their own.
void use_parts(world& w);

}  // namespace boxcar::test
