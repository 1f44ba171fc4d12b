// The functions of a group, and the stream that carries their calls.
#include <utility>

#include <boxcar/detail/remote_group.hpp>
#include <boxcar/detail/remote_identity.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {

remote_group::remote_group(const world& w, const stream_options& options)
    : world_(w), options_(options) {}

std::uint8_t remote_group::add(const message_kind& kind, std::shared_ptr<void> handler,
                               const std::type_info& function) {
  constexpr std::size_t max_functions = 256;
  if (stream_) {
    throw contract_error("add: a session of the group has begun already: add all functions before");
  }
  if (kinds_.size() == max_functions) {
    throw contract_error("add: the group has " + std::to_string(max_functions) +
                         " functions, and can have no more: make a second group");
  }
  kinds_.push_back(kind);
  handlers_.push_back(std::move(handler));
  if (!names_.empty()) names_ += ", ";
  names_ += name_of_function(function, {});
  return static_cast<std::uint8_t>(kinds_.size() - 1);
}

void remote_group::begin(const termination& ending) {
  if (!stream_) {
    require_same_group(world_, names_);
    stream_.emplace(world_, kinds_, options_);
    session_.emplace(*stream_, nullptr, "of the group " + names_);
  }
  session_->begin(ending);
}

void remote_group::refuse_without_stream() {
  throw contract_error("the group of remote functions has no session: call begin first");
}

}  // namespace boxcar::detail
