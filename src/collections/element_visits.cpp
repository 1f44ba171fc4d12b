// The implementation of element_visits: the visitors of all PEs are compared when a session begins.
#include <string>

#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/element_visits.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {

std::uint8_t element_visits::add(const message_kind& kind) {
  constexpr std::size_t max_visitors = 256;
  require_no_session("visitor");
  if (kinds_.size() == max_visitors) {
    throw contract_error("visitor: the array has 256 visitors already, the most there can be");
  }
  stream_.reset();
  kinds_.push_back(kind);
  return static_cast<std::uint8_t>(kinds_.size() - 1);
}

session element_visits::begin(const world& w, const stream_options& options,
                              const termination& ending) {
  require_no_session("begin");
  if (kinds_.empty()) {
    throw contract_error("begin: the distributed_array has no visitor: call visitor first");
  }
  if (stream_ == nullptr) {
    std::string names;
    for (const message_kind& kind : kinds_) {
      names += (names.empty() ? "" : ", ") + std::string(kind.type.name) + " with " +
               std::to_string(kind.bytes) + " bytes";
    }
    agree_on(w, "", "begin", "distributed_array", "visitors", names);
    stream_ = std::make_unique<dispatch_stream>(w, kinds_, options);
  }
  stream_->begin(ending);
  return session(*stream_);
}

void element_visits::require_no_session(const char* function) const {
  if (on()) {
    throw contract_error(std::string(function) +
                         ": the distributed_array has a session: call finish first");
  }
}

void element_visits::refuse(const char* function) {
  throw contract_error(std::string(function) +
                       ": the distributed_array has no session: call begin first");
}

}  // namespace boxcar::detail
