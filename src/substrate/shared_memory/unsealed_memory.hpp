// Created memory that the creator uses before all other PEs have attached the memory. The class is
// hidden: translation units that see no class of shared memory call `data` without guesses.
#pragma once

#include <cstddef>
#include <memory>

#include "substrate/node_memory.hpp"
#include "substrate/shared_memory/memory_source.hpp"

namespace boxcar::detail {

// Returns the created memory of `bytes` bytes; `seal` of the result seals the memory.
[[nodiscard]] std::unique_ptr<shared_memory> make_unsealed_memory(
    std::unique_ptr<created_memory> created, std::size_t bytes);

}  // namespace boxcar::detail
