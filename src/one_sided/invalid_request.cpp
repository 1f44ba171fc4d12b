#include "one_sided/invalid_request.hpp"

#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail {

void refuse_request(const char* object, const request& r, std::size_t bytes) {
  throw world_error(std::string("another PE has sent a request that cannot be carried out: ") +
                    object + ", number " + std::to_string(r.object) + ", operation " +
                    std::to_string(r.operation) + " at " + std::to_string(r.at) + ", " +
                    std::to_string(r.elements) + " elements, stride " + std::to_string(r.stride) +
                    ", reply to " + std::to_string(r.place) + ", with " + std::to_string(bytes) +
                    " bytes. This is a fault of Boxcar or of the network: please report it");
}

void refuse_reply(std::size_t bytes, std::size_t expected) {
  throw world_error("another PE has replied with " + std::to_string(bytes) +
                    " bytes where a request expects " + std::to_string(expected) +
                    ". This is a fault of Boxcar or of the network: please report it");
}

void refuse_reply_of(int from, int asked) {
  throw world_error("PE " + std::to_string(from) + " has replied to a request to PE " +
                    std::to_string(asked) +
                    ". This is a fault of Boxcar or of the network: please report it");
}

}  // namespace boxcar::detail
