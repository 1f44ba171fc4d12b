// Items to the objects of a collection. In a file of its own: what else is in a translation unit
// changes what GCC inlines into the loops that are measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <boxcar/world.hpp>

// Sends `n` items to the objects of a collection, and counts the arrivals at each object.
// Precondition: the number of counts is a power of two.
void send_to_objects(boxcar::world& w, std::size_t n, std::span<std::uint64_t> counts);
