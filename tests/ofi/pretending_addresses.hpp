// Addresses and handles of the pretending provider, which look like an adapter's.
#pragma once

#include "ofi/pretending_objects.hpp"

namespace boxcar::test::pretending {

// Replaces fi_av_insert.
int insert_addresses(fid_av* av, const void* shown, std::size_t count, fi_addr_t* handles,
                     std::uint64_t flags, void* context);

// Replaces a pretended handle by the real handle; false if the handle is no pretended one.
bool find_address(const domain_object& d, fi_addr_t& handle);

// Replaces fi_getname.
int show_address(fid* f, void* into, std::size_t* bytes);

}  // namespace boxcar::test::pretending
