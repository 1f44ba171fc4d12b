// The core of streams that have been moved from.
#include <boxcar/detail/item_stream_owner.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

class moved_stream final : public item_stream {
 private:
  bool work_off(arrived_items& /*c*/) override { return true; }
};

}  // namespace

item_stream& moved_item_stream() noexcept {
  // Never destroyed: streams may be moved from, and destroyed, at the very end of a program.
  static moved_stream& only = *new moved_stream;
  return only;
}

void refuse_moved_stream() {
  throw contract_error("this stream has been moved from");
}

}  // namespace boxcar::detail
