// Registered memory of the pretending provider, and its keys.
#pragma once

#include <optional>

#include "ofi/pretending_objects.hpp"

namespace boxcar::test::pretending {

// Replaces fi_mr_reg.
int register_memory(fid* f, const void* data, std::size_t bytes, std::uint64_t access,
                    std::uint64_t offset, std::uint64_t key, std::uint64_t flags, fid_mr** made,
                    void* context);

// Returns the real key; nothing for an unknown key.
std::optional<std::uint64_t> real_key(const domain_object& d, std::uint64_t shown);

}  // namespace boxcar::test::pretending
