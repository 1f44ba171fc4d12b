// What PEs of any world do with one another over the substrate: buffers, requests, large items,
// windows. Each checks what arrives.
#pragma once

#include <boxcar/boxcar.hpp>

namespace boxcar::test {

// Buffers of conveyors here, by which their messages are known.
inline constexpr std::size_t least_of_buffers = 4096;

void meet(world& w, int times);
// So many items from every PE to each, in buffers.
void exchange_items(world& w, int items);
// An item of so many bytes from every PE to each.
void exchange_large_items(world& w, std::size_t bytes);
// One item of so many bytes from the first PE to the last.
void send_large_item(world& w, std::size_t bytes);
// So many elements are put and got, one by one and many at once, with what must come after them.
void use_window(world& w, std::size_t elements);
// Words that all PEs change by requests.
void count_together(world& w, int times);
// Each puts so many blocks into the memory of each of the others, which count them, or their bytes.
void count_puts(world& w, std::size_t elements, int blocks, counts what = counts::messages);
// Parts of the world with conveyors of their own.
void use_parts(world& w);

}  // namespace boxcar::test
