#include "substrate/ofi/message_buffers.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::detail::ofi {

message_buffers::message_buffers(endpoint& at, operation_owner& owner, std::size_t count,
                                 std::size_t bytes, own_memory memory)
    : at_(&at),
      count_(count),
      bytes_(bytes),
      operations_(std::make_unique<operation[]>(count)),
      memory_(std::move(memory)),
      registered_(at, memory_.data(), count * bytes) {
  for (std::size_t i = 0; i < count; ++i) {
    operations_[i].owner = &owner;
    operations_[i].index = static_cast<std::uint32_t>(i);
  }
}

message_buffers::~message_buffers() {
  if (operations_ == nullptr) return;
  const auto lock = at_->acquire_lock();
  end();
}

bool message_buffers::end() noexcept {
  const std::span all(operations_.get(), operations_ == nullptr ? 0 : count_);
  const bool receives = std::ranges::any_of(all, &operation::is_receive);
  if (receives ? at_->cancel(all) : at_->end_soon(all)) return true;
  static_cast<void>(operations_.release());
  memory_.abandon();
  registered_.abandon();
  return false;
}

}  // namespace boxcar::detail::ofi
