// Addresses and handles of the pretending provider, which are those of an adapter.
#pragma once

#include "ofi/pretending_objects.hpp"

namespace boxcar::test::pretending {

// In the place of fi_av_insert.
int insert_addresses(fid_av* av, const void* shown, std::size_t count, fi_addr_t* handles,
                     std::uint64_t flags, void* context);

// Puts the real handle in the place of one that was given; false if it was not.
bool find_address(const domain_object& d, fi_addr_t& handle);

// In the place of fi_getname.
int show_address(fid* f, void* into, std::size_t* bytes);

}  // namespace boxcar::test::pretending
