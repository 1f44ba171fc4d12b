// Operations of the pretending provider, in the place of libfabric's functions: messages,
// transfers, and completions from queues.
#pragma once

#include "ofi/pretending_objects.hpp"

namespace boxcar::test::pretending {

inline constexpr const char* words_of_refused_end = "the pretending provider does not want to";

ssize_t receive_tagged(fid_ep* ep, void* data, std::size_t bytes, void* description, fi_addr_t from,
                       std::uint64_t tag, std::uint64_t ignored, void* context);
ssize_t send_tagged(fid_ep* ep, const void* data, std::size_t bytes, void* description,
                    fi_addr_t to, std::uint64_t tag, void* context);
ssize_t inject_tagged(fid_ep* ep, const void* data, std::size_t bytes, fi_addr_t to,
                      std::uint64_t tag);
ssize_t put(fid_ep* ep, const fi_msg_rma* all, std::uint64_t flags);
ssize_t get(fid_ep* ep, void* data, std::size_t bytes, void* description, fi_addr_t from,
            std::uint64_t at, std::uint64_t key, void* context);
ssize_t read_queue(fid_cq* cq, void* into, std::size_t count);
ssize_t read_error(fid_cq* cq, fi_cq_err_entry* into, std::uint64_t flags);
const char* words_of_error(fid_cq* cq, int number, const void* data, char* into, std::size_t bytes);

}  // namespace boxcar::test::pretending
