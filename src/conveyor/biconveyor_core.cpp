#include <algorithm>
#include <bit>

#include <boxcar/detail/biconveyor_core.hpp>

namespace boxcar::detail {
namespace {

// As many queries as fill some buffers on the way there and back: more would only make replies wait
// longer in their queues, and those would leave the cache.
std::uint64_t choose_window(std::size_t buffer_bytes, std::size_t query_bytes) {
  constexpr std::uint64_t least = 1024;
  constexpr std::uint64_t most = std::uint64_t{1} << 16;
  return std::bit_ceil(std::clamp<std::uint64_t>(8 * buffer_bytes / query_bytes, least, most));
}

}  // namespace

biconveyor_core::biconveyor_core(const world& w, std::size_t query_bytes, std::size_t reply_bytes,
                                 const conveyor_options& options)
    : biconveyor_base(queries_, replies_),
      queries_(w, query_bytes, made_steady(options)),
      replies_(w, reply_bytes, made_steady(options)),
      desk_(queries_, replies_),
      arrived_(static_cast<std::size_t>(w.size())) {}

void biconveyor_core::begin(std::size_t query_bytes, std::size_t reply_bytes,
                            std::unique_ptr<biconveyor_loops> loops) {
  require_dormant();
  queries_.begin(query_bytes);
  replies_.begin(reply_bytes);
  desk_.start_session(reply_bytes);
  loops_ = std::move(loops);
  if (reply_bytes != reply_bytes_) {
    for (element_queue& replies : arrived_) replies.change_size();
  }
  reply_bytes_ = reply_bytes;
  begun(choose_window(queries_.buffer_bytes(), query_bytes));
}

}  // namespace boxcar::detail
